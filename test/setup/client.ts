import { setTimeout as sleep } from 'node:timers/promises'
import type { Demo } from '../../src/process/demo/demo-file.ts'
import type { SharedMarketplace } from './app.ts'
import { undeclaredPart } from './contract.ts'

/** The body is whatever the server said: tests assert on it. */
// biome-ignore lint/suspicious/noExplicitAny: tests assert on its shape
type Body = any

export type Answer = { status: number; headers: Headers; body: Body; text: string }

/**
 * Sends one request as a plain HTTP client. A string or Buffer body goes out as it is.
 *
 * @throws when the document does not declare the answer
 */
export async function call(
  { url }: Pick<SharedMarketplace, 'url'>,
  method: string,
  path: string,
  options: { token?: string; body?: unknown; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const { token, body, headers = {} } = options
  const isRaw = typeof body === 'string' || body instanceof Uint8Array
  const answer = await fetch(url + path, {
    method,
    redirect: 'manual',
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: isRaw ? (body as string) : JSON.stringify(body) }),
  })
  const text = await answer.text()
  const isJson = /[/+]json/.test(answer.headers.get('content-type') ?? '')
  const { status, headers: received } = answer
  const parsed = isJson && text !== '' ? JSON.parse(text) : undefined
  const undeclared = undeclaredPart({ method, path }, { status, headers: received, body: parsed })
  if (undeclared !== undefined) {
    throw new Error(`${method} ${path} answers what the document does not declare: ${undeclared}`)
  }
  return { status, headers: received, text, body: parsed }
}

/**
 * Sends again what is answered 503, as when a row was locked for long. Like a client, it waits as
 * long as it is told: many that tried again at once would keep the server busy with refusing them.
 */
export async function untilTaken(send: () => Promise<Answer>): Promise<Answer> {
  let answer = await send()
  while (answer.status === 503) {
    await sleep(Number(answer.headers.get('retry-after')) * 1000)
    answer = await send()
  }
  return answer
}

/** A developer token of the n-th demo developer. */
export async function developerToken(market: SharedMarketplace, index = 0): Promise<string> {
  const developer = market.demo.developers[index] as Demo['developers'][number]
  const { clientId, password } = developer
  const { body } = await call(market, 'POST', '/v1/Auth', { body: { clientId, password } })
  return body.token
}

/** An account token of somebody who signs in with email and password. */
export async function accountToken(
  market: Pick<SharedMarketplace, 'url'>,
  { email, password }: { email: string; password: string },
): Promise<string> {
  const { body } = await call(market, 'POST', '/v1/Account/Auth', { body: { email, password } })
  return body.token
}

/** An account token of the n-th demo user. */
export function userToken(market: SharedMarketplace, index = 0): Promise<string> {
  return accountToken(market, market.demo.users[index] as Demo['users'][number])
}

/** The demo installation of an app by a type of party. */
export function demoInstallation(
  { demo }: SharedMarketplace,
  appId: string,
  partyType?: 'Buyer' | 'Seller' | 'None',
): Demo['installations'][number] {
  const typeOf = (partyId: number) => demo.users.find((user) => user.partyId === partyId)?.partyType
  const found = demo.installations.find(
    (one) => one.appId === appId && (partyType === undefined || typeOf(one.partyId) === partyType),
  )
  if (found === undefined) throw new Error(`the demo has no installation of ${appId}`)
  return found
}

/** An installation token of a demo installation, made by its developer. */
export async function installationToken(
  market: SharedMarketplace,
  installation: Demo['installations'][number],
  request: { permissions?: string[]; expiresIn?: number } = {},
): Promise<string> {
  const index = market.demo.developers.findIndex(({ apps }) => apps.includes(installation.appId))
  const { body } = await call(market, 'POST', '/v1/Developer/Token', {
    token: await developerToken(market, index),
    body: { installationId: installation.id, ...request },
  })
  return body.token
}
