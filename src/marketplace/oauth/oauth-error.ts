import { AppError, ERROR_CODES, type ErrorCode } from '../../errors.ts'

/** The errors of token requests (RFC 6749, 5.2; RFC 8693, 2.2.2), and their statuses. */
const OAUTH_ERRORS = {
  invalid_request: 400,
  invalid_client: 401,
  invalid_grant: 400,
  unsupported_grant_type: 400,
  invalid_scope: 400,
  invalid_target: 400,
  temporarily_unavailable: 503,
  server_error: 500,
} as const
export type OAuthErrorCode = keyof typeof OAUTH_ERRORS

/** A refusal in the words of OAuth. */
export class OAuthError extends AppError {
  readonly error: OAuthErrorCode

  /** @param description what is wrong with the request, for its developer */
  constructor(error: OAuthErrorCode, description: string) {
    super(error === 'invalid_client' ? 'invalid_credentials' : 'invalid_request', {
      detail: description,
    })
    this.error = error
  }
}

/** What the errors of shared functions are called by OAuth. */
const NAMES: Partial<Record<ErrorCode, OAuthErrorCode>> = {
  invalid_credentials: 'invalid_client',
  insufficient_scope: 'invalid_scope',
  installation_not_accessible: 'invalid_target',
  installation_suspended: 'invalid_target',
  too_many_requests: 'temporarily_unavailable',
  unavailable: 'temporarily_unavailable',
  internal_error: 'server_error',
}

/** Statuses that say more than 400 does. */
const KEPT_STATUSES = new Set([413, 415, 429, 500, 503])
const DESCRIPTION_MAX_LENGTH = 400

/** The answer to a token request that failed (RFC 6749, 5.2). */
export function oauthAnswerOf(failure: AppError): {
  status: number
  body: { error: OAuthErrorCode; error_description: string }
} {
  const error =
    failure instanceof OAuthError ? failure.error : (NAMES[failure.code] ?? 'invalid_request')
  const { detail, errors = [] } = failure.options
  // Elsewhere a title stands above the detail, which may not say by itself what is wrong.
  const title = failure instanceof OAuthError ? '' : `${ERROR_CODES[failure.code].title}.`
  const fields = errors.map(({ pointer, detail }) => `${pointer.slice(1) || 'The body'} ${detail}`)
  return {
    status: KEPT_STATUSES.has(failure.status) ? failure.status : OAUTH_ERRORS[error],
    body: {
      error,
      error_description: describable([title, detail, ...fields].filter(Boolean).join(' ')),
    },
  }
}

/** Only what a description may hold (RFC 6749, appendix A.8). */
function describable(text: string): string {
  const plain = text.replaceAll('"', "'").replaceAll(/[^\x20-\x5b\x5d-\x7e]/gu, '?')
  return plain.slice(0, DESCRIPTION_MAX_LENGTH)
}
