import { createHash } from 'node:crypto'
import { z } from 'zod'

/** Largest terms document, in bytes. */
export const TERMS_MAX_BYTES = 5 * 1024 * 1024

/** Media types of terms documents -> ending of the file name. */
export const TERMS_MEDIA_TYPES = {
  'application/pdf': 'pdf',
  'text/plain': 'txt',
  'text/markdown': 'md',
} as const
export type TermsMediaType = keyof typeof TERMS_MEDIA_TYPES

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

/** Why a document is not what its media type says, or undefined. Names play no part in it. */
export function termsProblem(content: Uint8Array, mediaType: TermsMediaType): string | undefined {
  if (content.length === 0) return 'The document is empty.'
  const isPdf = Buffer.from(content.subarray(0, 5)).toString('latin1') === '%PDF-'
  if (mediaType === 'application/pdf') {
    const tail = Buffer.from(content.subarray(-1024)).toString('latin1')
    return isPdf && tail.includes('%%EOF') ? undefined : 'The document is not a whole PDF file.'
  }
  if (isPdf) return 'The document is a PDF file, not text.'
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(content)
    if (text.trim() === '') return 'The document is empty.'
    if (/[\u202d\u202e]/.test(text)) {
      return 'The document holds U+202D or U+202E, which show letters in another order than they have.'
    }
    // biome-ignore lint/suspicious/noControlCharactersInRegex: a text has no others than these
    return /[\u0000-\u0008\u000b\u000e-\u001f\u007f]/.test(text)
      ? 'The document holds control characters, so it is not text.'
      : undefined
  } catch {
    return 'The document is not text in UTF-8.'
  }
}

/** Hex SHA-256 of a document: what is accepted at install. */
export function termsSha256(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}

/** A file name made of what we know only: `price-sync-terms-1a2b3c4d.pdf`. */
export function termsFileName(appId: string, sha256: string, mediaType: string): string {
  const ending = TERMS_MEDIA_TYPES[mediaType as TermsMediaType] ?? 'bin'
  return `${appId}-terms-${sha256.slice(0, 8)}.${ending}`
}
