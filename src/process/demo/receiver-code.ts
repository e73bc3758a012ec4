import { createHash, randomBytes } from 'node:crypto'
import type { ReceiverApp } from '../../marketplace/apps/receiver-address.ts'

/** What the receiver keeps in the browser until the marketplace responds. */
export type Begun = { state: string; verifier: string }

/** The parameters that the marketplace sent to the return address. */
export type RedirectAnswer = {
  code?: string | undefined
  error?: string | undefined
  error_description?: string | undefined
  state?: string | undefined
  iss?: string | undefined
}

/** Makes the two secrets of a sign-in, 256 random bits each. */
export function newBegin(): Begun {
  const text = () => randomBytes(32).toString('base64url')
  return { state: text(), verifier: text() }
}

/** Where the receiver sends the browser to get a code (RFC 6749, 4.1.1; RFC 7636, 4.3). */
export function codeRequestPath(appId: string, app: ReceiverApp, begun: Begun): string {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: app.clientId,
    redirect_uri: app.returnUrl,
    state: begun.state,
    code_challenge: createHash('sha256').update(begun.verifier).digest('base64url'),
    code_challenge_method: 'S256',
  })
  return `/Apps/Authenticate/${encodeURIComponent(appId)}?${query}`
}

/** The form that exchanges a code, as a client without a password sends it (RFC 6749, 4.1.3). */
export function exchangeForm(app: ReceiverApp, begun: Begun, code: string): string {
  return new URLSearchParams({
    grant_type: 'authorization_code',
    client_id: app.clientId,
    redirect_uri: app.returnUrl,
    code,
    code_verifier: begun.verifier,
  }).toString()
}

/**
 * Why a response is not used, in words for a developer; undefined when its code can be exchanged.
 *
 * @param issuer of the app (RFC 9207)
 */
export function answerProblem(
  { code, error, error_description: description, state, iss }: RedirectAnswer,
  begun: Begun | undefined,
  issuer: string,
): string | undefined {
  const told = `The marketplace answered ${error}${description === undefined ? '.' : `: ${description}.`}`
  // An app that takes tokens began nothing, and can be sent an error too.
  if (begun === undefined && error !== undefined) return told
  if (begun === undefined || state !== begun.state) {
    return 'This browser did not begin this sign-in, or began another one since: the state differs.'
  }
  if (iss !== issuer) return 'Another marketplace has answered: the issuer differs.'
  if (error !== undefined) return told
  return code === undefined ? 'The marketplace sent no code.' : undefined
}
