import { createHash, randomBytes } from 'node:crypto'
import type { SharedMarketplace } from './app.ts'
import { type Answer, call } from './client.ts'

const FORM_TYPE = 'application/x-www-form-urlencoded'

/** Sends a form to an endpoint of OAuth; a list of pairs may hold a name twice. */
export function sendForm(
  market: Pick<SharedMarketplace, 'url'>,
  path: string,
  fields: Record<string, string> | [string, string][],
  headers: Record<string, string> = {},
): Promise<Answer> {
  const body = new URLSearchParams(fields).toString()
  return call(market, 'POST', path, { body, headers: { 'content-type': FORM_TYPE, ...headers } })
}

/** The credentials of the n-th demo developer as the fields of a form. */
export function clientFields(
  { demo }: Pick<SharedMarketplace, 'demo'>,
  index = 0,
): { client_id: string; client_secret: string } {
  const { clientId = '', password = '' } = demo.developers[index] ?? {}
  return { client_id: clientId, client_secret: password }
}

/** The same as a header (RFC 6749, 2.3.1). */
export function basicHeader(client: { client_id: string; client_secret: string }) {
  const pair = [client.client_id, client.client_secret].map(encodeURIComponent).join(':')
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` }
}

/** A code verifier and its challenge. */
export function codeProof(): { verifier: string; challenge: string } {
  const verifier = randomBytes(32).toString('base64url')
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') }
}
