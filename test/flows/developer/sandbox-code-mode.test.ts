import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { call, developerToken } from '../../setup/client.ts'
import { authorizePath, CODE_APP, RETURN_URL, redeem } from '../../setup/code-flow.ts'
import { type DeveloperConsole, developerConsole } from '../../setup/console.ts'
import { makeOwner } from '../../setup/developer-person.ts'
import { codeProof } from '../../setup/oauth.ts'
import { demoUser, type WebClient } from '../../setup/web-client.ts'

const OPEN = `/Apps/${CODE_APP}/Sandbox/Open`
const SITE = 'https://app.example/'

let market: TestMarketplace
let developer: DeveloperConsole

beforeAll(async () => {
  market = await startMarketplace()
  const data = { tokenDelivery: 'code', authReturnUrl: RETURN_URL, websiteUrl: null }
  await market.deps.db.app.update({ where: { id: CODE_APP }, data })
})
afterAll(() => market?.close())
beforeEach(async () => {
  developer = await developerConsole(market)
})

/** What the app does when a browser comes to its site: it asks for a code, and exchanges it. */
async function openedBy(client: WebClient) {
  const { verifier, challenge } = codeProof()
  const { location } = await client.get(authorizePath({ code_challenge: challenge }))
  if (location?.startsWith(RETURN_URL) !== true) return { location, profile: undefined }
  const code = new URL(location).searchParams.get('code') ?? ''
  const { body } = await redeem(market, { code, verifier })
  const token = body.access_token
  return { location, profile: (await call(market, 'GET', '/v1/User/Profile', { token })).body }
}

/** The person of a developer has no account in which the app is installed, as the app is told. */
async function expectNotInstalled(client: WebClient) {
  const { challenge } = codeProof()
  const { location } = await client.get(authorizePath({ code_challenge: challenge }))
  expect(location?.startsWith(RETURN_URL)).toBe(true)
  expect(new URL(location ?? '').searchParams.get('error')).toBe('access_denied')
}

describe('a developer opens an app that takes codes only in its sandbox', () => {
  test('at its own site; the marketplace then asks for no sign-in', async () => {
    const sent = await developer.send(OPEN)
    expect([sent.status, sent.location]).toEqual([303, SITE])
    const { profile } = await openedBy(developer.client)
    expect(profile).toMatchObject({
      partyType: 'None',
      appId: CODE_APP,
      user: { name: 'Test user' },
    })
  })

  test('once', async () => {
    await developer.send(OPEN)
    await openedBy(developer.client)
    await expectNotInstalled(developer.client)
  })

  test('also as a person with an account of their own, which is opened the next time', async () => {
    await makeOwner(market, demoUser(market, 'Seller'))
    const both = await developerConsole(market, demoUser(market, 'Seller'))
    await both.send(OPEN)
    expect((await openedBy(both.client)).profile.partyType).toBe('None')
    expect((await openedBy(both.client)).profile.partyType).toBe('Seller')
  })

  test('not when the console session has ended meanwhile', async () => {
    await developer.send(OPEN)
    developer.client.cookies.delete('session')
    expect((await openedBy(developer.client)).location).toMatch(/^\/login\?next=/)
  })

  test('not for a link that wants a token', async () => {
    await developer.send(OPEN)
    const { status, text } = await developer.client.get(`/Apps/Authenticate/${CODE_APP}`)
    expect(status).toBe(404)
    expect(text).toContain('is not installed for any of your accounts')
  })

  test('not with a cookie that another developer has made', async () => {
    const other = await developerConsole(market, 1)
    other.client.cookies.set('open-in-sandbox', CODE_APP)
    await expectNotInstalled(other.client)
  })

  test('not before it is in the sandbox', async () => {
    const where = { appId: CODE_APP, partyType: 'None', live: true } as const
    const { id } = await market.deps.db.installation.findFirstOrThrow({ where })
    const token = await developerToken(market)
    await call(market, 'DELETE', `/v1/Developer/Installations/${id}`, { token })
    const sent = await developer.send(OPEN)
    expect([sent.status, sent.text.includes('Install it there')]).toEqual([422, true])
  })
})
