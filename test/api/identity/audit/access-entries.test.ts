import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { SYSTEM } from '../../../../src/base/values/actor.ts'
import { closeAllSessions } from '../../../../src/identity/auth/user-session-service.ts'
import { unlinkIdentities } from '../../../../src/identity/single-sign-on/identity-service.ts'
import { createSignInLink } from '../../../../src/identity/single-sign-on/sign-in-link-service.ts'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { author } from '../../../setup/apps.ts'
import { call, demoInstallation, developerToken } from '../../../setup/client.ts'
import { type Customer, newCustomer } from '../../../setup/customer.ts'
import { type OperatorCalls, operatorCalls } from '../../../setup/operator.ts'
import { newAddress } from '../../../setup/people.ts'
import { enrol, nextCode, tokenByCode } from '../../../setup/second-factor.ts'
import { signedIn } from '../../../setup/web-client.ts'
import { appWithWebhooks, RECEIVER } from '../../../setup/webhooks.ts'

let market: TestMarketplace
let operator: OperatorCalls
let customer: Customer
beforeAll(async () => {
  market = await startMarketplace()
})
afterAll(() => market.close())
beforeEach(async () => {
  operator = await operatorCalls(market)
  customer = await newCustomer(market)
})

/** What an entry of the trail says: who did what to which thing. */
type Entry = [actorKind: string, action: string, subjectId: string]
const userId = () => customer.user.id

/** Does something, and answers the entries that are expected of it. */
const DONE: Record<string, () => Promise<Entry[]>> = {
  'sessions that their user ends': async () => {
    for (let count = 0; count < 2; count++) await signedIn(market, customer.user)
    const send = (method: string, path = '') =>
      call(market, method, `/v1/Account/Sessions${path}`, { token: customer.token })
    const [first] = (await send('GET')).body
    expect((await send('DELETE', `/${first.id}`)).status).toBe(204)
    expect((await send('DELETE')).status).toBe(204)
    return [1, 2].map(() => ['user', 'user.sessions_ended', userId()])
  },
  'a sign-out everywhere': async () => {
    const actor = { kind: 'user', id: userId(), address: null } as const
    await closeAllSessions(market.deps, userId(), actor)
    return [['user', 'user.signed_out_everywhere', userId()]]
  },
  'new recovery codes': async () => {
    const { secret } = await enrol(market, customer.user)
    const token = await tokenByCode(market, customer.user, secret)
    const body = { otp: nextCode(market, secret) }
    const path = '/v1/Account/SecondFactor/RecoveryCodes'
    expect((await call(market, 'POST', path, { token, body })).status).toBe(200)
    return [
      ['user', 'factor.enabled', userId()],
      ['user', 'factor.recovery_codes_renewed', userId()],
    ]
  },
  'a link for a new password, and one to sign in': async () => {
    expect((await operator('POST', `Users/${userId()}/PasswordReset`)).status).toBe(201)
    await market.deps.db.user.update({ where: { id: userId() }, data: { operator: true } })
    await createSignInLink(market.deps, customer.user.email)
    return [
      ['operator', 'user.password_reset_requested', userId()],
      ['system', 'user.sign_in_link_made', userId()],
    ]
  },
  'the end of a link to a provider': async () => {
    const data = { userId: userId(), issuer: 'https://id.example', subject: 'casey' }
    await market.deps.db.userIdentity.create({ data })
    await unlinkIdentities(market.deps, userId(), SYSTEM)
    return [['system', 'user.identity_unlinked', userId()]]
  },
  'an invitation': async () => {
    const body = { email: newAddress(), name: 'New Person' }
    const { id } = (await operator('POST', 'Invitations', body)).body
    return [['operator', 'invitation.created', id]]
  },
  'a person of a developer': async () => {
    const { id } = await market.deps.db.developer.findFirstOrThrow()
    const path = `Developers/${id}/Members`
    await operator('POST', path, { userId: userId(), role: 'member' })
    await operator('PATCH', `${path}/${userId()}`, { role: 'owner' })
    await operator('DELETE', `${path}/${userId()}`)
    return ['created', 'changed', 'removed'].map((what) => [
      'operator',
      `developer_member.${what}`,
      `${userId()}/${id}`,
    ])
  },
  'the end of all tokens of an installation': async () => {
    const { id: installationId } = demoInstallation(market, 'price-sync', 'Seller')
    const token = await developerToken(market)
    const path = '/v1/Developer/Token/Revoke'
    await call(market, 'POST', path, { token, body: { installationId } })
    return [['developer', 'installation.tokens_revoked', installationId]]
  },
  'a webhook endpoint': async () => {
    const { appId, create, patch, send } = await appWithWebhooks(await author(market))
    const { id } = (await create()).body
    await patch(id, { url: `${RECEIVER}/2` })
    await send('DELETE', `/${id}`)
    return [
      ...['app.created', 'app.listed'].map((action): Entry => ['developer', action, appId]),
      ...['created', 'changed', 'deleted'].map(
        (what): Entry => ['developer', `webhook.${what}`, id],
      ),
    ]
  },
}

test.each(Object.keys(DONE))('%s: the trail has each entry, once', async (name) => {
  const { db } = market.deps
  const { _max } = await db.auditEvent.aggregate({ _max: { id: true } })
  const expected = await DONE[name]?.()
  const rows = await db.auditEvent.findMany({
    where: { id: { gt: _max.id ?? 0n } },
    orderBy: { id: 'asc' },
  })
  expect(
    rows.map(({ actorKind, action, subjectId }): Entry => [actorKind, action, subjectId]),
  ).toEqual(expected)
})
