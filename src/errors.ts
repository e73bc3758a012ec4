import { z } from 'zod'

/**
 * Every error that the API answers with: code -> status and title. The list is closed; a code is
 * stable once released. `/docs/errors` and the OpenAPI document are made from it.
 */
export const ERROR_CODES = {
  invalid_request: { status: 400, title: 'The request is malformed' },
  invalid_cursor: { status: 400, title: 'The cursor is not one that this list gave out' },
  missing_token: { status: 401, title: 'A bearer token is required' },
  invalid_token: { status: 401, title: 'The bearer token is not valid' },
  token_expired: { status: 401, title: 'The bearer token has expired' },
  invalid_credentials: { status: 401, title: 'The credentials are wrong' },
  second_factor_required: { status: 401, title: 'A code of the second factor is required' },
  wrong_token_kind: { status: 403, title: 'This endpoint takes another kind of token' },
  operator_required: { status: 403, title: 'Only an operator may do this' },
  admin_required: { status: 403, title: 'Only an admin of the account may do this' },
  owner_required: { status: 403, title: 'Only an owner of the developer may do this' },
  invited_user_required: { status: 403, title: 'Only the invited user may do this' },
  insufficient_scope: { status: 403, title: 'The installation lacks a permission' },
  seller_required: { status: 403, title: 'Only accounts with products of their own may do this' },
  installation_not_accessible: {
    status: 403,
    title: 'No live installation of your apps has this id',
  },
  installation_suspended: { status: 403, title: 'The installation is suspended' },
  password_login_off: { status: 403, title: 'Users sign in by single sign-on' },
  sign_in_refused: { status: 403, title: 'The sign-in was refused' },
  invalid_csrf_token: { status: 403, title: 'The form has expired' },
  not_found: { status: 404, title: 'There is nothing at this address' },
  method_not_allowed: { status: 405, title: 'This address does not take this method' },
  request_timeout: { status: 408, title: 'The request took too long to arrive' },
  conflict: { status: 409, title: 'The change conflicts with another one' },
  already_exists: { status: 409, title: 'It exists already' },
  email_not_proved: { status: 409, title: 'Nobody has proved that the email is theirs' },
  operator_needed: { status: 409, title: 'The marketplace needs this operator' },
  version_required: { status: 409, title: 'The change needs a new version' },
  version_used: { status: 409, title: 'The version was used with another definition' },
  already_installed: { status: 409, title: 'The app is installed already' },
  acknowledgement_changed: { status: 409, title: 'What is to be accepted has changed' },
  app_in_use: { status: 409, title: 'The app is installed' },
  import_running: { status: 409, title: 'An import of this account is under way' },
  invalid_link: { status: 410, title: 'The link cannot be used any more' },
  cursor_expired: { status: 410, title: 'The cursor is too old' },
  precondition_failed: { status: 412, title: 'The resource has changed since it was read' },
  payload_too_large: { status: 413, title: 'The body is too large' },
  unsupported_media_type: { status: 415, title: 'The content type is not supported' },
  unprocessable: { status: 422, title: 'The request breaks a rule' },
  import_refused: { status: 422, title: 'The file has problems; nothing was imported' },
  too_many_requests: { status: 429, title: 'Too many requests' },
  headers_too_large: { status: 431, title: 'The headers are too large' },
  internal_error: { status: 500, title: 'Something went wrong on our side' },
  unavailable: { status: 503, title: 'The server cannot answer just now' },
} as const satisfies Record<string, { status: number; title: string }>

export const ErrorCode = z
  .enum(Object.keys(ERROR_CODES) as (keyof typeof ERROR_CODES)[])
  .describe('Stable name of an error, to be used by programs.')
  .meta({ id: 'ErrorCode', examples: ['not_found'] })
export type ErrorCode = keyof typeof ERROR_CODES

/** One problem of an input: where and what. */
export const FieldError = z
  .object({
    pointer: z
      .string()
      .describe('JSON pointer (RFC 6901) to the value; of a product, into its record.')
      .meta({ examples: ['/upc'] }),
    detail: z.string().meta({ examples: ['has a wrong check digit'] }),
  })
  .meta({ id: 'FieldError', description: 'A problem of one value of the input.' })
export type FieldError = z.infer<typeof FieldError>

/** One problem of a file. */
export const LineError = FieldError.extend({
  line: z
    .int()
    .describe('Line of the file, from 1; of a record of several lines the last.')
    .meta({ examples: [17] }),
}).meta({ id: 'LineError', description: 'A problem of one line of a file.' })
export type LineError = z.infer<typeof LineError>

/** What somebody may have meant: its name, and what the field must have for it. */
export type Choice = { text: string; value: string }

export type AppErrorOptions = {
  /** Public text: what is wrong with this request and what to do about it. */
  detail?: string | undefined
  /** The choices are for a page, which offers them. */
  errors?: readonly (FieldError & { choices?: readonly Choice[] })[]
  /** Further members of the problem document (RFC 9457, 3.2). */
  members?: Readonly<Record<string, unknown>>
  /** Seconds after which a repetition makes sense; answered as `Retry-After`. */
  retryAfterSeconds?: number
  /** The limit that has nothing left; answered as `RateLimit` and `RateLimit-Policy`. */
  limit?: { policy: string; quota: number; windowSeconds: number }
  /** For a browser: what happened, and where to go from here. */
  page?: PageWords
  /** For the log only; never leaves the process. */
  cause?: unknown
  /** For the log only: a word of a closed list that says which of several reasons it is. */
  reason?: string
}

/** What the page of an error says instead of the title of its code. */
type PageWords = {
  /** Names what happened to what. */
  title: string
  /** Paths of this site, or the website of an app; the best first. */
  ways?: readonly { href: string; label: string }[]
  /** Whether somebody else may have more luck at the same address: the page offers the sign-in. */
  asksForOther?: true
  /** False where nothing has failed. */
  isFault?: false
}

/**
 * A failure of the process that the operator can mend: a setting, a port in use, a database that
 * does not fit. Its message says all that is needed, and holds no password; print it without a stack.
 */
export class OperatorError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = new.target.name
  }
}

/** The only error that services throw on purpose; the HTTP error handler turns it into an answer. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly options: AppErrorOptions

  constructor(code: ErrorCode, options: AppErrorOptions = {}) {
    super(
      options.detail ?? ERROR_CODES[code].title,
      options.cause === undefined ? undefined : { cause: options.cause },
    )
    this.name = 'AppError'
    this.code = code
    this.options = options
  }

  get status(): number {
    return ERROR_CODES[this.code].status
  }
}

/** The result of the work, or undefined when it fails with the code that is ignored. */
export async function ignoring<T>(code: ErrorCode, work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof AppError && error.code === code)) throw error
    return undefined
  }
}

/** Joins path segments to an RFC 6901 JSON pointer. */
export function jsonPointer(path: readonly PropertyKey[]): string {
  let pointer = ''
  for (const part of path) {
    const text = String(part)
    pointer += `/${/[~/]/.test(text) ? text.replaceAll('~', '~0').replaceAll('/', '~1') : text}`
  }
  return pointer
}
