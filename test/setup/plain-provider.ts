import { generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Config } from '../../src/config.ts'
import type { WebClient } from './web-client.ts'

type Json = Record<string, unknown>

/** An OpenID Connect provider that says what a test wants, also what no provider should. */
export type PlainProvider = {
  issuer: string
  config: Partial<Config>
  /** Instead of its own metadata; taken over theirs one by one. */
  metadata: Json
  /** Of whoever signs in, over the usual ones. */
  claims: Json
  /** What userinfo says, where the metadata name it. */
  userinfo: Json
  /** Answers a code instead of the provider. */
  answerCode: ((response: ServerResponse) => void) | undefined
  /** Signs with a new key from now on, and has forgotten the one before. */
  rotateKey(): void
  /** Signs a browser in, as far as the marketplace lets it. */
  signIn(browser: WebClient): ReturnType<WebClient['get']>
  close(): Promise<void>
}

export async function startPlainProvider(): Promise<PlainProvider> {
  const newKey = () => ({
    kid: randomUUID(),
    ...generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  })
  let key = newKey()
  let nonce: string | null = null
  const idToken = () => {
    const at = Math.floor(Date.now() / 1000)
    const usual = { iss: provider.issuer, aud: 'marketplace', nonce, iat: at, exp: at + 300 }
    const parts = [
      { alg: 'ES256', kid: key.kid },
      { ...usual, ...provider.claims },
    ]
    const text = parts
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.')
    const signing = { key: key.privateKey, dsaEncoding: 'ieee-p1363' } as const
    return `${text}.${sign('sha256', Buffer.from(text), signing).toString('base64url')}`
  }
  const server = createServer(({ url }, response) => {
    if (url === '/token' && provider.answerCode !== undefined) {
      provider.answerCode(response)
      return
    }
    const answers: Record<string, () => Json> = {
      '/.well-known/openid-configuration': () => ({
        issuer: provider.issuer,
        authorization_endpoint: `${provider.issuer}/authorize`,
        token_endpoint: `${provider.issuer}/token`,
        jwks_uri: `${provider.issuer}/keys`,
        id_token_signing_alg_values_supported: ['ES256'],
        ...provider.metadata,
      }),
      '/token': () => ({ access_token: 'opaque', token_type: 'Bearer', id_token: idToken() }),
      '/userinfo': () => provider.userinfo,
      '/keys': () => ({ keys: [{ ...key.publicKey.export({ format: 'jwk' }), kid: key.kid }] }),
    }
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(answers[url ?? '']?.() ?? {}))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider: PlainProvider = {
    issuer,
    config: {
      oidcIssuer: issuer,
      oidcClientId: 'marketplace',
      oidcClientSecret: 'secret',
      oidcName: 'Plain ID',
    },
    metadata: {},
    claims: {},
    userinfo: {},
    answerCode: undefined,
    rotateKey() {
      key = newKey()
    },
    async signIn(browser) {
      const begun = await browser.get('/signin/oidc?next=%2FInstalled')
      if (begun.status !== 303 || begun.location === null) return begun
      const asked = new URL(begun.location).searchParams
      nonce = asked.get('nonce')
      return browser.get(`/signin/oidc/callback?code=any&state=${asked.get('state')}`)
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
  return provider
}
