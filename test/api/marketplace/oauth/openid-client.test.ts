import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  ClientSecretBasic,
  ClientSecretPost,
  calculatePKCECodeChallenge,
  clientCredentialsGrant,
  discovery,
  genericGrantRequest,
  None,
  randomPKCECodeVerifier,
  randomState,
  tokenIntrospection,
  tokenRevocation,
} from 'openid-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { call, demoInstallation } from '../../../setup/client.ts'
import { CODE_APP, RETURN_URL } from '../../../setup/code-flow.ts'
import { clientFields } from '../../../setup/oauth.ts'
import { setReturnUrl } from '../../../setup/redirect.ts'
import { demoUser, signedIn } from '../../../setup/web-client.ts'

let market: TestMarketplace
beforeAll(async () => {
  market = await startMarketplace()
  await setReturnUrl(market, CODE_APP, RETURN_URL)
})
afterAll(() => market.close())

/** The library as it comes, told where the server or the app is. */
async function discovered(issuer: string, method: 'basic' | 'post' | 'none' = 'post') {
  const { client_id: id, client_secret: secret } = clientFields(market)
  const authentication = {
    basic: ClientSecretBasic(secret),
    post: ClientSecretPost(secret),
    none: None(),
  }[method]
  return discovery(new URL(issuer), id, undefined, authentication, {
    algorithm: 'oauth2',
    execute: [allowInsecureRequests],
  })
}

test.each(['basic', 'post'] as const)('client credentials by %s', async (method) => {
  const config = await discovered(market.url, method)
  const tokens = await clientCredentialsGrant(config)
  const apps = await call(market, 'GET', '/v1/Developer/Apps', { token: tokens.access_token })
  expect(apps.status).toBe(200)
})

test.each(['basic', 'post', 'none'] as const)('code and PKCE by %s', async (method) => {
  const config = await discovered(`${market.url}/Apps/${CODE_APP}`, method)
  const verifier = randomPKCECodeVerifier()
  const state = randomState()
  const address = buildAuthorizationUrl(config, {
    redirect_uri: RETURN_URL,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
  })
  const browser = await signedIn(market, demoUser(market, 'Seller'))
  const { location } = await browser.get(address.pathname + address.search)
  const tokens = await authorizationCodeGrant(config, new URL(location ?? ''), {
    pkceCodeVerifier: verifier,
    expectedState: state,
  })
  const profile = await call(market, 'GET', '/v1/User/Profile', { token: tokens.access_token })
  expect(profile.body.appId).toBe(CODE_APP)
})

test('code and PKCE for fewer permissions, and for more than there are', async () => {
  const config = await discovered(`${market.url}/Apps/${CODE_APP}`, 'none')
  expect(config.serverMetadata().scopes_supported).toContain('products:read')
  const ask = async (scope: string) => {
    const verifier = randomPKCECodeVerifier()
    const address = buildAuthorizationUrl(config, {
      redirect_uri: RETURN_URL,
      code_challenge: await calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      scope,
    })
    const browser = await signedIn(market, demoUser(market, 'Seller'))
    const { location } = await browser.get(address.pathname + address.search)
    const current = new URL(location ?? '')
    return authorizationCodeGrant(config, current, { pkceCodeVerifier: verifier })
  }
  expect(await ask('products:read')).toMatchObject({ scope: 'products:read' })
  await expect(ask('products:everything')).rejects.toMatchObject({ error: 'invalid_scope' })
})

test('code and PKCE where the return address has a query, or no path', async () => {
  for (const redirectUri of [`${RETURN_URL}?tenant=7`, 'https://app.example']) {
    await setReturnUrl(market, CODE_APP, redirectUri)
    const config = await discovered(`${market.url}/Apps/${CODE_APP}`)
    const verifier = randomPKCECodeVerifier()
    const address = buildAuthorizationUrl(config, {
      redirect_uri: redirectUri,
      code_challenge: await calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    })
    const browser = await signedIn(market, demoUser(market, 'Seller'))
    const { location } = await browser.get(address.pathname + address.search)
    const current = new URL(location ?? '')
    const tokens = await authorizationCodeGrant(config, current, { pkceCodeVerifier: verifier })
    expect(tokens.token_type).toBe('bearer')
  }
  await setReturnUrl(market, CODE_APP, RETURN_URL)
})

test('the token exchange, introspection and revocation', async () => {
  const config = await discovered(market.url)
  const { id } = demoInstallation(market, CODE_APP, 'Seller')
  const developer = await clientCredentialsGrant(config)
  const tokens = await genericGrantRequest(
    config,
    'urn:ietf:params:oauth:grant-type:token-exchange',
    {
      subject_token: developer.access_token,
      subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      audience: id,
      scope: 'products:read',
    },
  )
  expect(tokens.scope).toBe('products:read')
  const before = await tokenIntrospection(config, tokens.access_token)
  expect(before).toMatchObject({ active: true, sub: id })
  await tokenRevocation(config, tokens.access_token)
  expect(await tokenIntrospection(config, tokens.access_token)).toEqual({ active: false })
})

test('a user who cancels is an error with the right state and issuer', async () => {
  const config = await discovered(`${market.url}/Apps/${CODE_APP}`)
  const verifier = randomPKCECodeVerifier()
  const state = randomState()
  const address = buildAuthorizationUrl(config, {
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    cancel: 'yes',
  })
  const browser = await signedIn(market, demoUser(market, 'Seller'))
  const { location } = await browser.get(address.pathname + address.search)
  const exchange = authorizationCodeGrant(config, new URL(location ?? ''), {
    pkceCodeVerifier: verifier,
    expectedState: state,
  })
  await expect(exchange).rejects.toMatchObject({ error: 'access_denied' })
})
