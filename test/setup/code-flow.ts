import type { SharedMarketplace } from './app.ts'
import type { Answer } from './client.ts'
import { clientFields, codeProof, sendForm } from './oauth.ts'
import { demoUser, signedIn, type webClient } from './web-client.ts'

export const CODE_APP = 'price-sync'
export const RETURN_URL = 'https://app.example/auth/return'

/** The way of a browser to a code, and what the app needs for it. */
export type CodeFlow = { code: string; verifier: string; location: URL }

/** The address that an app sends a browser to. */
export function authorizePath(
  fields: Record<string, string | undefined>,
  appId: string = CODE_APP,
): string {
  const given = Object.entries({
    response_type: 'code',
    client_id: 'northwind',
    code_challenge: codeProof().challenge,
    code_challenge_method: 'S256',
    ...fields,
  }).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return `/Apps/Authenticate/${appId}?${new URLSearchParams(given)}`
}

/** Opens the app as the demo's Seller and takes the code that it comes back with. */
export async function openForCode(
  market: SharedMarketplace,
  {
    browser,
    ...fields
  }: { browser?: ReturnType<typeof webClient> } & Partial<
    Record<'client_id' | 'state' | 'redirect_uri' | 'scope' | 'resource', string>
  > = {},
): Promise<CodeFlow> {
  const { verifier, challenge } = codeProof()
  const visitor = browser ?? (await signedIn(market, demoUser(market, 'Seller')))
  const page = await visitor.get(authorizePath({ code_challenge: challenge, ...fields }))
  const location = new URL(page.location ?? '')
  return { code: location.searchParams.get('code') ?? '', verifier, location }
}

/** Exchanges a code, as the demo's first developer unless the fields say otherwise. */
export function redeem(
  market: Pick<SharedMarketplace, 'url' | 'demo'>,
  { code, verifier }: Pick<CodeFlow, 'code' | 'verifier'>,
  fields: Record<string, string> = {},
): Promise<Answer> {
  return sendForm(market, '/oauth/token', {
    grant_type: 'authorization_code',
    ...clientFields(market),
    code,
    code_verifier: verifier,
    ...fields,
  })
}
