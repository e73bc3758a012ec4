/**
 * Why an attempt did not succeed: code -> sentence for the developer of the endpoint. The list is
 * closed. No sentence contains an address or a text of the receiver, so none reveals our own
 * network.
 */
export const ATTEMPT_REASONS = {
  url_refused: 'The URL is not one that webhooks are sent to.',
  name_not_resolved: 'The host name could not be resolved.',
  address_refused: 'The host name resolves to an address that is not public.',
  connect_failed: 'The connection was refused or the host could not be reached.',
  connect_timeout: 'No connection was made in time.',
  tls_failed: 'The TLS handshake failed.',
  certificate_refused: 'The TLS certificate is not valid for this host.',
  timeout: 'The receiver did not answer in time.',
  connection_lost: 'The connection was closed before there was an answer.',
  answer_malformed: 'The answer is not valid HTTP.',
  headers_too_large: 'The headers of the answer are too large.',
  redirect: 'The receiver answered with a redirect; redirects are not followed.',
  gone: 'The receiver answered 410: it wants no more webhooks.',
  status: 'Your server did not return a status from 200 to 299.',
  proxy_failed: 'The proxy of the marketplace could not pass the request on.',
  not_sent: 'The request could not be made.',
} as const satisfies Record<string, string>

export type AttemptReasonCode = keyof typeof ATTEMPT_REASONS

/** A reason as it is stored and shown. */
export type AttemptReason = { code: AttemptReasonCode; detail: string }

/** An attempt that got no response. */
export class AttemptError extends Error {
  readonly code: AttemptReasonCode

  constructor(code: AttemptReasonCode, options?: ErrorOptions) {
    super(ATTEMPT_REASONS[code], options)
    this.name = 'AttemptError'
    this.code = code
  }
}

/** How far a request had come. */
export type Stage = 'connecting' | 'handshake' | 'sent'

/** The AttemptError for an error of a socket or of the HTTP parser, by its code and its stage. */
export function attemptErrorOf(error: Error, stage: Stage): AttemptError {
  if (error instanceof AttemptError) return error
  return new AttemptError(reasonOf((error as NodeJS.ErrnoException).code ?? '', stage), {
    cause: error,
  })
}

function reasonOf(code: string, stage: Stage): AttemptReasonCode {
  if (stage === 'connecting') return 'connect_failed'
  if (stage === 'handshake') return isCertificateError(code) ? 'certificate_refused' : 'tls_failed'
  if (code === 'HPE_HEADER_OVERFLOW') return 'headers_too_large'
  return code.startsWith('HPE_') ? 'answer_malformed' : 'connection_lost'
}

/** Codes of OpenSSL's X509_V_ERR_*, and Node's own for another host's certificate. */
function isCertificateError(code: string): boolean {
  return (
    code === 'ERR_TLS_CERT_ALTNAME_INVALID' ||
    /^(?:CERT_|CRL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_(?:CA|PURPOSE)|PATH_LENGTH_)/.test(
      code,
    )
  )
}
