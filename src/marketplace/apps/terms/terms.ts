import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { TermsDocument } from '../app-record.ts'

/** Largest terms document, in bytes. */
export const TERMS_MAX_BYTES = 5 * 1024 * 1024

/** Media types of terms documents -> ending of the file name. */
export const TERMS_MEDIA_TYPES = {
  'application/pdf': 'pdf',
  'text/plain': 'txt',
  'text/markdown': 'md',
} as const
export type TermsMediaType = keyof typeof TERMS_MEDIA_TYPES

/** Whether a document of this media type is text, which pages can show. */
export function isText(mediaType: string): boolean {
  return mediaType.startsWith('text/')
}

type TermsRow = Pick<TermsDocument, 'sha256' | 'mediaType' | 'size'> & {
  pdfSha256: string | null
  pdfSize: number | null
}

/** A stored document as it is answered. */
export function termsDocumentOf({
  sha256,
  mediaType,
  size,
  pdfSha256,
  pdfSize,
}: TermsRow): TermsDocument {
  const document = { sha256, mediaType, size }
  if (pdfSha256 === null || pdfSize === null) return document
  return { ...document, pdf: { sha256: pdfSha256, size: pdfSize } }
}

/** A document in a body. */
export const TermsContent = z
  .any()
  .describe('The document itself, as a file.')
  .meta({ id: 'TermsFile', type: 'string', format: 'binary', example: 'Terms of use ...' })

/** The media type of a `Content-Type` header, if terms may have it and are in UTF-8. */
export function termsMediaType(contentType: string | undefined): TermsMediaType | undefined {
  const [type = '', ...parameters] = (contentType ?? '').split(';').map((part) => part.trim())
  const charsets = parameters.map((part) => /^charset=("?)(.*)\1$/i.exec(part)?.[2]?.toLowerCase())
  if (charsets.some((charset) => charset !== undefined && !/^utf-?8$/.test(charset))) {
    return undefined
  }
  const name = type.toLowerCase()
  return Object.hasOwn(TERMS_MEDIA_TYPES, name) ? (name as TermsMediaType) : undefined
}

const OTHER_ORDER =
  'The document holds U+202D or U+202E, which show letters in another order than they have.'

/** So much of a document is looked at, written or read at once. */
export const TERMS_SLICE_BYTES = 524_288

/** What was found out about a document: its hex SHA-256, which is what is accepted at install. */
type CheckedTerms = { sha256: string; problem?: undefined } | { problem: string }

/**
 * Finds out whether a document is what its media type says, and its hash. Names play no part in it.
 * Yields after each slice: all of 5 MiB takes a tenth of a second.
 */
export function* checkTerms(
  content: Uint8Array,
  mediaType: TermsMediaType,
): Generator<undefined, CheckedTerms> {
  if (content.length === 0) return { problem: 'The document is empty.' }
  const isPdf = Buffer.from(content.subarray(0, 5)).toString('latin1') === '%PDF-'
  const isText = mediaType !== 'application/pdf'
  if (!isText) {
    const tail = Buffer.from(content.subarray(-1024)).toString('latin1')
    if (!isPdf || !tail.includes('%%EOF'))
      return { problem: 'The document is not a whole PDF file.' }
  } else if (isPdf) return { problem: 'The document is a PDF file, not text.' }
  const digest = createHash('sha256')
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let isBlank = true
  for (const slice of termsSlices(content)) {
    digest.update(slice)
    if (isText) {
      const text = decoded(decoder, slice)
      if (text === undefined) return { problem: 'The document is not text in UTF-8.' }
      // biome-ignore lint/suspicious/noControlCharactersInRegex: a text has no others than these
      if (/[\u0000-\u0008\u000b\u000e-\u001f\u007f]/.test(text)) {
        return { problem: 'The document holds control characters, so it is not text.' }
      }
      if (/[\u202d\u202e]/.test(text)) return { problem: OTHER_ORDER }
      isBlank &&= text.trim() === ''
    }
    yield
  }
  if (!isText) return { sha256: digest.digest('hex') }
  if (decoded(decoder, undefined) === undefined) {
    return { problem: 'The document is not text in UTF-8.' }
  }
  return isBlank ? { problem: 'The document is empty.' } : { sha256: digest.digest('hex') }
}

/** A document in slices. */
export function* termsSlices(content: Uint8Array): Generator<Uint8Array> {
  for (let from = 0; from < content.length; from += TERMS_SLICE_BYTES) {
    yield content.subarray(from, from + TERMS_SLICE_BYTES)
  }
}

/** The text of the next slice, or of what is left at the end; undefined when it is not UTF-8. */
function decoded(
  decoder: InstanceType<typeof TextDecoder>,
  slice: Uint8Array | undefined,
): string | undefined {
  try {
    return decoder.decode(slice, { stream: slice !== undefined })
  } catch {
    return undefined
  }
}

/** A file name made of what we know only: `price-sync-terms-1a2b3c4d.pdf`. */
export function termsFileName(appId: string, sha256: string, mediaType: string): string {
  const ending = TERMS_MEDIA_TYPES[mediaType as TermsMediaType] ?? 'bin'
  return `${appId}-terms-${sha256.slice(0, 8)}.${ending}`
}
