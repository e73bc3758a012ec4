import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SYSTEM } from '../../../../src/base/values/actor.ts'
import { createCredential } from '../../../../src/identity/accounts/credentials-service.ts'
import { setPassword } from '../../../../src/identity/accounts/user-passwords-service.ts'
import { createUser } from '../../../../src/identity/accounts/users-service.ts'
import { issueToken } from '../../../../src/identity/tokens/issue-service.ts'
import { tokenClaims } from '../../../../src/marketplace/installations/mint-token-service.ts'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { accountToken, call, demoInstallation, developerToken } from '../../../setup/client.ts'
import { expectProblem } from '../../../setup/expect-problem.ts'
import { setReturnUrl, tokenOf } from '../../../setup/redirect.ts'
import { hiddenFields, signedIn } from '../../../setup/web-client.ts'

const APP = 'price-sync'

let market: TestMarketplace
let operator: string
beforeAll(async () => {
  market = await startMarketplace()
  await setReturnUrl(market, APP, 'https://app.example/auth/return')
  operator = await accountToken(market, market.demo.operator)
})
afterAll(() => market.close())

const subject = () => demoInstallation(market, APP, 'Seller')
const operate = (method: string, path: string, body?: object) =>
  call(market, method, `/v1/Operator/${path}`, { token: operator, ...(body && { body }) })
const profile = (token: string) => call(market, 'GET', '/v1/User/Profile', { token })
const works = async (token: string) => (await profile(token)).status === 200

let made = 0
/** A user of the account that has the app, and what the user's browser is sent on with. */
async function member() {
  made += 1
  const email = `member-${made}@keyline.example`
  const partyIds = [subject().partyId]
  const user = await createUser(market.deps, { email, name: 'Member', partyIds })
  const browser = await signedIn(market, user)
  const open = async () => tokenOf(await browser.get(`/Apps/Authenticate/${APP}`))
  const submit = async (path: string, fields: Record<string, string> = {}) => {
    const { _csrf = '' } = hiddenFields((await browser.get('/Account')).text)
    return browser.post(path, { _csrf, ...fields })
  }
  return { ...user, browser, open, submit, membership: { userId: user.id, partyId: partyIds[0] } }
}

describe('a token from the redirect ends, and stays dead, when', () => {
  test('its user signs out everywhere', async () => {
    const { open, submit } = await member()
    const token = await open()
    expect(await works(token)).toBe(true)
    expect((await submit('/Account/SignOutEverywhere')).status).toBe(303)
    expectProblem(await profile(token), 'invalid_token')
  })

  test('its user chooses another password; a later token works', async () => {
    const { open, submit, password } = await member()
    const token = await open()
    const newPassword = 'another password'
    const fields = { currentPassword: password, newPassword, repeatedPassword: newPassword }
    expect((await submit('/Account/Password', fields)).location).toBe('/Account/Security')
    expectProblem(await profile(token), 'invalid_token')
    expect(await works(await open())).toBe(true)
  })

  test('an operator gives its user another password', async () => {
    const { id, open } = await member()
    const token = await open()
    await setPassword(market.deps, id, {}, SYSTEM)
    expectProblem(await profile(token), 'invalid_token')
  })

  test('its user leaves the account, also when the user comes back; a later token works', async () => {
    const { open, membership } = await member()
    const token = await open()
    const { userId, partyId } = membership
    expect((await operate('DELETE', `Memberships/${userId}/${partyId}`)).status).toBe(204)
    expectProblem(await profile(token), 'invalid_token')
    expect((await operate('POST', 'Memberships', membership)).status).toBe(201)
    expectProblem(await profile(token), 'invalid_token')
    expect(await works(await open())).toBe(true)
  })

  test('but works again after its user was suspended', async () => {
    const { id, open } = await member()
    const token = await open()
    expect((await operate('POST', `Users/${id}/Suspend`, { reason: 'x' })).status).toBe(200)
    expectProblem(await profile(token), 'invalid_token')
    expect((await operate('POST', `Users/${id}/Resume`)).status).toBe(200)
    expect(await works(token)).toBe(true)
  })
})

describe('the removal of a credential', () => {
  /** A further credential of the first developer, and what it signs in and mints with. */
  async function credential() {
    const clientId = market.demo.developers[0]?.clientId ?? ''
    const { developerId } = await market.deps.db.developerCredential.findUniqueOrThrow({
      where: { clientId },
    })
    const own = await createCredential(market.deps, developerId, {}, SYSTEM)
    const { body } = await call(market, 'POST', '/v1/Auth', {
      body: { clientId: own.clientId, password: own.password },
    })
    const remove = () => operate('DELETE', `Developers/${developerId}/Credentials/${own.id}`)
    return { ...own, token: body.token as string, remove }
  }
  const mint = async (token: string) => {
    const body = { installationId: subject().id, expiresIn: 86_400 }
    return (await call(market, 'POST', '/v1/Developer/Token', { token, body })).body.token as string
  }
  const introspect = async (token: string) => {
    const asking = await developerToken(market)
    const body = { token }
    return (await call(market, 'POST', '/v1/Developer/Token/Introspect', { token: asking, body }))
      .body
  }

  test('ends the installation tokens that were made with it, and no others', async () => {
    const { id, token, remove } = await credential()
    const [minted, other] = [await mint(token), await mint(await developerToken(market))]
    const { open } = await member()
    const opened = await open()
    expect(decodeJwt(minted).cid).toBe(id)
    expect(await introspect(minted)).toMatchObject({ active: true, sub: subject().id })
    expect((await remove()).status).toBe(204)
    const refused = await profile(minted)
    expectProblem(refused, 'invalid_token')
    expect(refused.body.detail).toContain('The credential was removed')
    expect(await introspect(minted)).toEqual({ active: false })
    expect([await works(other), await works(opened)]).toEqual([true, true])
  })

  test('has no effect on tokens of other developers', async () => {
    const row = await market.deps.db.installation.findUniqueOrThrow({ where: { id: subject().id } })
    const foreign = await market.deps.db.developerCredential.findFirstOrThrow({
      where: { removedAt: null, developerId: { not: row.developerId } },
    })
    const claims = tokenClaims(row, row.permissions, { cid: foreign.id })
    expectProblem(
      await profile((await issueToken(market.deps, claims, 900)).token),
      'invalid_token',
    )
  })
})
