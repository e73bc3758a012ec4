import { z } from 'zod'
import { type AppError, ERROR_CODES, ErrorCode, FieldError, LineError } from '../errors.ts'

/** Media type of every error answer of the API (RFC 9457, 4). */
export const PROBLEM_MEDIA_TYPE = 'application/problem+json; charset=utf-8'

/** Names what a token or a password opens (RFC 9110, 11.5). */
export const REALM = 'App Marketplace'

/**
 * What every 401 of a sign-in says (RFC 9110, 15.5.2). The scheme is our own name for a password in
 * the body: no client takes it for `Bearer`, and no browser for `Basic`, which it would ask for.
 */
export const SIGN_IN_CHALLENGE = `Password realm="${REALM}"`

export const Problem = z
  .looseObject({
    type: z.url().describe('Address of the explanation of this code.'),
    title: z.string().describe('What the code means, the same for every occurrence.'),
    status: z.int().describe('The HTTP status.'),
    detail: z.string().describe('What is wrong with this request.'),
    code: ErrorCode,
    requestId: z
      .string()
      .describe('Name of this request in the logs; the same as `x-request-id`.')
      .meta({ format: 'uuid' }),
    errors: z
      .array(z.union([FieldError, LineError]))
      .optional()
      .describe('Every problem of the input.'),
  })
  .meta({ id: 'Problem', description: 'An error (RFC 9457).' })

/** The problem document of an error, as one request sees it. */
export function problemOf(
  error: AppError,
  { publicUrl, requestId }: { publicUrl: string; requestId: string },
): z.infer<typeof Problem> {
  const { status, title } = ERROR_CODES[error.code]
  const { detail, errors, members } = error.options
  return {
    ...members,
    type: `${publicUrl}/docs/errors#${error.code}`,
    title,
    status,
    detail: detail ?? `${title}.`,
    code: error.code,
    requestId,
    ...(errors === undefined ? {} : { errors: [...errors] }),
  }
}

/** The `response` entry of a route that knows `If-None-Match`. */
export const NOT_MODIFIED = {
  304: z.null().describe('What the client has (`If-None-Match`) is still current.'),
}
