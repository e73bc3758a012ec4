import { EventEmitter, once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { createIdentityProvider } from '../../../../src/identity/single-sign-on/provider-service.ts'

test('a slow provider keeps one network waiting, and leaves the others their places', async () => {
  const arrived = new EventEmitter()
  const slow = createServer(({ url }, response) => {
    if (url === '/token') return arrived.emit('exchange')
    response.setHeader('content-type', 'application/json')
    return response.end(
      JSON.stringify({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
      }),
    )
  }).listen(0, '127.0.0.1')
  await once(slow, 'listening')
  const issuer = `http://127.0.0.1:${(slow.address() as AddressInfo).port}`
  const provider = createIdentityProvider({
    config: {
      oidcIssuer: issuer,
      oidcClientId: 'marketplace',
      oidcClientSecret: 'secret',
      oidcName: 'Slow ID',
      oidcTrustEmail: false,
      publicUrl: 'http://market.example',
    },
    log: pino({ level: 'silent' }),
    now: () => new Date(),
  })
  const secrets = { state: 'state', nonce: 'nonce', verifier: 'v'.repeat(43) }
  const waiting: Promise<unknown>[] = []
  const exchange = async (address: string) => {
    const reached = once(arrived, 'exchange')
    const answer = provider?.identify('code=none&state=state', secrets, address)
    waiting.push(Promise.resolve(answer).catch(() => undefined))
    await Promise.race([answer, reached])
  }
  for (let host = 1; host <= 8; host += 1) await exchange(`2001:db8::${host}`)
  await expect(exchange('2001:db8::9')).rejects.toMatchObject({
    code: 'unavailable',
    options: { detail: expect.stringContaining('Too many people') },
  })
  await exchange('192.0.2.1')
  slow.closeAllConnections()
  await Promise.all(waiting)
  slow.close()
})
