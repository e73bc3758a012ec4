import type { z } from 'zod'
import { text } from './text.ts'
import { canonicalText } from './text-forms/canonical.ts'

/** A schema of Markdown, which may be empty, with a limit in bytes as it is stored and sent. */
export function markdownText(maxBytes: number): z.ZodString {
  return text('paragraph', maxBytes)
    .overwrite(canonicalText)
    .refine(
      (value) => Buffer.byteLength(value, 'utf8') <= maxBytes,
      `must have at most ${maxBytes.toLocaleString('en')} bytes`,
    )
}
