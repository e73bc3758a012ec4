import type { ErrorCode, FieldError, LineError, Problem } from './generated/types.gen.ts'

/**
 * Errors of the network or of this package, beside the codes of the marketplace:
 *
 * - `unreachable`: no response came
 * - `unexpected_response`: the response is not the marketplace's
 * - `invalid_webhook`: a signature, a timestamp or a body is wrong
 * - `invalid_redirect`: a browser came back without what was asked for
 */
export type ClientErrorCode =
  | 'unreachable'
  | 'unexpected_response'
  | 'invalid_webhook'
  | 'invalid_redirect'

/** A code of the marketplace, of this package, or of a later release. */
export type MarketplaceErrorCode = ErrorCode | ClientErrorCode | (string & {})

type Details = {
  code: MarketplaceErrorCode
  message: string
  status?: number | undefined
  errors?: readonly (FieldError | LineError)[] | undefined
  requestId?: string | undefined
  /** Further members of the problem document. */
  members?: Readonly<Record<string, unknown>>
  cause?: unknown
}

/** The only error that this package throws on purpose. Tell cases apart by `code`. */
export class MarketplaceError extends Error {
  readonly code: MarketplaceErrorCode
  /** The HTTP status; undefined when no response came. */
  readonly status: number | undefined
  /** Every problem of the input, each with a JSON pointer. */
  readonly errors: readonly (FieldError | LineError)[]
  /** The id of the request in the logs of the marketplace. */
  readonly requestId: string | undefined
  /** Members of particular codes, such as `granted`, `oldestPosition` or `changes`. */
  readonly members: Readonly<Record<string, unknown>>

  constructor({ code, message, status, errors = [], requestId, members = {}, cause }: Details) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = new.target.name
    this.code = code
    this.status = status
    this.errors = errors
    this.requestId = requestId
    this.members = members
  }
}

/** The installation was uninstalled or is not this developer's: delete what you keep for it. */
export class InstallationGoneError extends MarketplaceError {
  readonly installationId: string

  constructor(installationId: string, { status, requestId }: MarketplaceError) {
    const message = `The installation ${installationId} was uninstalled, or is not one of your apps'.`
    super({ code: 'installation_not_accessible', message, status, requestId })
    this.installationId = installationId
  }
}

/** Whether an error is a MarketplaceError with one of these codes. */
export function hasCode(
  error: unknown,
  ...codes: MarketplaceErrorCode[]
): error is MarketplaceError {
  return error instanceof MarketplaceError && codes.includes(error.code)
}

/** The error for a response that is not a success. */
export async function errorOfResponse(response: Response): Promise<MarketplaceError> {
  const text = await response.text()
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    body = undefined
  }
  return errorOfBody(body, response)
}

/** The error for a body, which may be a problem document or anything else. */
export function errorOfBody(body: unknown, response: Response): MarketplaceError {
  if (!isProblem(body)) {
    const message = `The response is no problem document, but ${response.status}.`
    return new MarketplaceError({ code: 'unexpected_response', message, status: response.status })
  }
  const { type: _type, title, status, detail, code, requestId, errors, ...members } = body
  return new MarketplaceError({
    code,
    message: messageOf(code, title, detail),
    status: status ?? response.status,
    errors,
    requestId,
    members,
  })
}

/** The title says what went wrong, and the detail may say only what to do about it. */
function messageOf(code: string, title: string | undefined, detail: string | undefined): string {
  if (detail === undefined) return title ?? code
  return title === undefined || detail.startsWith(title) ? detail : `${title}. ${detail}`
}

function isProblem(body: unknown): body is Pick<Problem, 'code'> & Partial<Problem> {
  return (
    typeof body === 'object' && body !== null && 'code' in body && typeof body.code === 'string'
  )
}

/** Whether a status says that the marketplace is away, whoever sent it. */
export function isGatewayStatus(status: number | undefined): boolean {
  return status === 502 || status === 503 || status === 504
}

/** The error for a request without a response. */
export function errorOfFailure(failure: unknown): MarketplaceError {
  if (failure instanceof MarketplaceError) return failure
  const message = 'The marketplace cannot be reached.'
  return new MarketplaceError({ code: 'unreachable', message, cause: failure })
}
