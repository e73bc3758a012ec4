import { createPrivateKey, createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto'
import dns from 'node:dns'
import { createServer } from 'node:http'
import { type AddressInfo, Socket } from 'node:net'
import { expect, vi } from 'vitest'
import { signingKeyContext } from '../../src/identity/tokens/jws.ts'
import { startMarketplace, type TestMarketplace } from './app.ts'
import { demoInstallation, installationToken } from './client.ts'
import { decode, encode, signedBy } from './forge.ts'

const CHALLENGE =
  'Bearer realm="App Marketplace", error="invalid_token", error_description="The bearer token is not valid"'

/** What a forger would like to have, and a server that takes none of it. */
export type Forgery = {
  market: TestMarketplace
  /** A live installation token. */
  token: string
  /** Its three segments. */
  segments: [header: string, claims: string, signature: string]
  header: Record<string, unknown>
  claims: Record<string, unknown>
  /** The server's own private key. */
  ownKey: KeyObject
  publicJwk: JsonWebKey
  /** An address that nobody may ask. */
  trapUrl: string
  /** A token with the genuine claims and another header, signed by the server's own key. */
  withHeader(members: Record<string, unknown>): string
  /** A token with the genuine header and other claims, signed by the server's own key. */
  withClaims(members: Record<string, unknown>): string
  /** Asks a data endpoint with any `Authorization` header. */
  ask(authorization: string, url?: string): Promise<{ status: number; code: string }>
  /** Asserts that a token is 401 invalid_token with its challenge. */
  expectInvalid(token: string, url?: string): Promise<void>
  /** Whatever the process asked for but Postgres. */
  outgoing(): string[]
  close(): Promise<void>
}

export async function startForgery(): Promise<Forgery> {
  const market = await startMarketplace()
  const token = await installationToken(market, demoInstallation(market, 'price-sync', 'Seller'))
  const segments = token.split('.') as Forgery['segments']
  const [header, claims] = segments.slice(0, 2).map(decode)
  const { kid, privateKey } = await market.deps.db.signingKey.findFirstOrThrow()
  const ownKey = createPrivateKey(
    market.deps.secrets.decrypt(privateKey, signingKeyContext(kid)).toString(),
  )
  const watched = await watchOutgoing(market.databaseUrl)

  const ask: Forgery['ask'] = async (authorization, url = '/v1/Products?limit=1') => {
    const answer = await market.app.inject({ url, headers: { authorization } })
    const challenge = answer.headers['www-authenticate']
    const { code } = answer.json()
    if (code === 'invalid_token') expect(challenge).toBe(CHALLENGE)
    return { status: answer.statusCode, code }
  }
  return {
    market,
    token,
    segments,
    header,
    claims,
    ownKey,
    publicJwk: createPublicKey(ownKey).export({ format: 'jwk' }),
    trapUrl: watched.trapUrl,
    withHeader: (members) => signedBy(ownKey, { ...header, ...members }, claims),
    withClaims: (members) => signedBy(ownKey, header, { ...claims, ...members }),
    ask,
    async expectInvalid(bearer, url) {
      expect(await ask(`Bearer ${bearer}`, url)).toEqual({ status: 401, code: 'invalid_token' })
    },
    outgoing: watched.outgoing,
    async close() {
      await watched.close()
      await market.close()
    },
  }
}

/** Notes every look-up, every connection and every request to a server that nobody may know. */
async function watchOutgoing(databaseUrl: string) {
  const seen: string[] = []
  const trap = createServer((request, response) => {
    seen.push(`request ${request.url}`)
    response.end()
  })
  await new Promise<void>((resolve) => trap.listen(0, '127.0.0.1', resolve))
  const database = new URL(databaseUrl.replace('@/', '@localhost/'))
  const directory = database.searchParams.get('host')
  const connect = Socket.prototype.connect
  const spies = [
    vi.spyOn(dns, 'lookup').mockImplementation(((host: string) => {
      seen.push(`look-up of ${host}`)
      throw new Error('no look-ups')
    }) as never),
    vi.spyOn(Socket.prototype, 'connect').mockImplementation(function (
      this: Socket,
      ...given: unknown[]
    ) {
      const [first] = given.flat() as [{ host?: string; port?: number; path?: string } | string]
      const target = typeof first === 'object' ? first : { path: String(first) }
      const isDatabase =
        target.path === undefined
          ? String(target.port) === (database.port || '5432')
          : directory !== null && target.path.startsWith(directory)
      if (!isDatabase) seen.push(`connection to ${target.path ?? `${target.host}:${target.port}`}`)
      return Reflect.apply(connect, this, given)
    }),
  ]
  return {
    trapUrl: `http://127.0.0.1:${(trap.address() as AddressInfo).port}`,
    outgoing: () => seen,
    async close() {
      for (const spy of spies) spy.mockRestore()
      await new Promise((resolve) => trap.close(resolve))
    },
  }
}

/** An unsigned token with any header. */
export const unsigned = (head: object, claims: object) => `${encode(head)}.${encode(claims)}.`
