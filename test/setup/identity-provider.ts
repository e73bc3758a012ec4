import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'
import type { Config } from '../../src/config.ts'
import { freePort } from './free-port.ts'

/** Some providers write `email_verified` as a text. */
type Person = { sub: string; email?: string; email_verified?: boolean | string; name?: string }

/** An OpenID Connect provider on this machine, at which `person` is signed in. */
export type TestProvider = {
  issuer: string
  person: Person
  /** For the marketplace at this address. */
  config: Partial<Config>
  /**
   * What a browser does at the provider.
   *
   * @param url where the marketplace sends it
   * @returns path and query of the marketplace that the provider sends it back to
   */
  visit(url: string): Promise<string>
  close(): Promise<void>
}

/** @param marketUrl `publicUrl` of the marketplace */
export async function startIdentityProvider(marketUrl: string): Promise<TestProvider> {
  const issuer = `http://127.0.0.1:${await freePort()}`
  const people = new Map<string, Person>()
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: 'marketplace',
        client_secret: 'the secret: of the marketplace',
        redirect_uris: [`${marketUrl}/signin/oidc/callback`],
      },
    ],
    claims: { email: ['email', 'email_verified'], profile: ['name'] },
    findAccount: async (_ctx, sub) => ({
      accountId: sub,
      claims: async () => ({ ...(people.get(sub) as Person) }),
    }),
    async loadExistingGrant({ oidc }) {
      const { clientId } = oidc.client ?? {}
      const { accountId } = oidc.session ?? {}
      const grant = new oidc.provider.Grant({
        ...(clientId && { clientId }),
        ...(accountId && { accountId }),
      })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
    features: { devInteractions: { enabled: false } },
    interactions: { url: () => '/sign-in' },
    cookies: { keys: ['of the tests only'] },
  })
  const answer = provider.callback()
  const server = createServer((request, response) => {
    if (request.url !== '/sign-in') {
      void answer(request, response)
      return
    }
    const { person } = test
    people.set(person.sub, person)
    void provider.interactionFinished(request, response, { login: { accountId: person.sub } })
  })
  const { port } = new URL(issuer)
  await new Promise<void>((resolve) => server.listen(Number(port), '127.0.0.1', resolve))
  const test: TestProvider = {
    issuer: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    person: { sub: 'nobody' },
    config: {
      publicUrl: marketUrl,
      oidcIssuer: issuer,
      oidcClientId: 'marketplace',
      oidcClientSecret: 'the secret: of the marketplace',
      oidcName: 'Example ID',
    },
    visit: (url) => followAll(url, marketUrl),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
  return test
}

async function followAll(url: string, marketUrl: string): Promise<string> {
  const cookies = new Map<string, string>()
  for (let at = url; ; ) {
    if (at.startsWith(marketUrl)) return at.slice(marketUrl.length)
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(at, { redirect: 'manual', headers: { cookie } })
    for (const line of answer.headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
    }
    const location = answer.headers.get('location')
    if (location === null) throw new Error(`${at} answers ${answer.status}: ${await answer.text()}`)
    at = new URL(location, at).href
  }
}
