import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SYSTEM } from '../../../../src/base/values/actor.ts'
import { createCredential } from '../../../../src/identity/accounts/credentials-service.ts'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import {
  accountToken,
  call,
  demoInstallation,
  developerToken,
  installationToken,
} from '../../../setup/client.ts'
import { CODE_APP, openForCode, redeem } from '../../../setup/code-flow.ts'
import { expectProblem } from '../../../setup/expect-problem.ts'
import { holdRows, untilWaiting } from '../../../setup/turns.ts'
import { signedInDeveloper } from '../../../setup/web-client.ts'

let market: TestMarketplace
beforeAll(async () => {
  market = await startMarketplace()
})
afterAll(() => market.close())

const report = async (secret: string) => {
  const answer = await call(market, 'POST', '/v1/Secrets/Report', { body: { secret } })
  expect({ status: answer.status, body: answer.body }).toEqual({ status: 202, body: {} })
}
const developerId = async () =>
  (await market.deps.db.developerCredential.findUniqueOrThrow({ where: { clientId: 'northwind' } }))
    .developerId
const newest = async () => ({
  audit: await market.deps.db.auditEvent.findFirst({
    where: { action: 'secret.reported' },
    orderBy: { id: 'desc' },
  }),
  event: await market.deps.db.event.findFirst({
    where: { type: 'secret.reported' },
    orderBy: { written: 'desc' },
  }),
})
const expectTold = async (kind: string, appId: string | null, secret: string) => {
  const { audit, event } = await newest()
  expect(audit).toMatchObject({ developerId: await developerId(), after: { kind, appId } })
  expect(event).toMatchObject({ developerId: await developerId(), appId, data: { kind } })
  const { rows } = await market.deps.pool.query<{ everything: string }>(
    `SELECT string_agg(a::text, ' ') || (SELECT string_agg(e::text, ' ') FROM events e) AS everything
     FROM audit_events a`,
  )
  expect(rows[0]?.everything).not.toContain(secret)
}
const works = async (token: string) =>
  (await call(market, 'GET', '/v1/Installation', { token })).status === 200
const newToken = () => installationToken(market, demoInstallation(market, CODE_APP, 'Seller'))

describe('a report ends', () => {
  test('the password of a credential, with its tokens', async () => {
    const made = await createCredential(market.deps, await developerId(), {}, SYSTEM)
    const { clientId, password } = made
    expect(password).toMatch(/^amkt_client_/)
    const signIn = () => call(market, 'POST', '/v1/Auth', { body: { clientId, password } })
    const { body } = await signIn()
    await report(password)
    expectProblem(await signIn(), 'invalid_credentials')
    const list = await call(market, 'GET', '/v1/Developer/Apps', { token: body.token })
    expect(list.status).toBe(401)
    await expectTold('credential', null, password)
  })

  test('the password of a credential once, with one answer for all who report it', async () => {
    const made = await createCredential(market.deps, await developerId(), {}, SYSTEM)
    await Promise.all(Array.from({ length: 10 }, () => report(made.password)))
    await report(made.password)
    const subjectId = made.id
    const where = { action: 'secret.reported', subjectId }
    expect(await market.deps.db.auditEvent.count({ where })).toBe(1)
  })

  test('a developer token and an installation token', async () => {
    const own = await developerToken(market)
    await report(own)
    expect((await call(market, 'GET', '/v1/Developer/Apps', { token: own })).status).toBe(401)
    await expectTold('developer_token', null, own)
    const token = await newToken()
    await report(token)
    expect(await works(token)).toBe(false)
    await expectTold('installation_token', CODE_APP, token)
  })

  test('a secret that comes with white space around it, as from the line of a file', async () => {
    const made = await createCredential(market.deps, await developerId(), {}, SYSTEM)
    await report(`${made.password}\n`)
    await expectTold('credential', null, made.password)
    const token = await newToken()
    await report(` \t${token}\r\n`)
    expect(await works(token)).toBe(false)
  })

  test('what an address hands over: the token or code of a redirect, the token of a link', async () => {
    const token = await newToken()
    await report(`https://app.example/back?tab=1&token=${token}&state=x`)
    expect(await works(token)).toBe(false)
    const unused = await openForCode(market)
    await report(`https://app.example/back?code=${unused.code}&state=x&iss=y`)
    expect((await redeem(market, unused)).body.error).toBe('invalid_grant')
    const { id } = await market.deps.db.user.findFirstOrThrow({ where: { operator: false } })
    const operator = await accountToken(market, market.demo.operator)
    const path = `/v1/Operator/Users/${id}/PasswordReset`
    const { link } = (await call(market, 'POST', path, { token: operator })).body
    await report(link)
    const body = { token: new URL(link).searchParams.get('token'), password: 'a new password' }
    const complete = '/v1/Account/PasswordReset/Complete'
    expectProblem(await call(market, 'POST', complete, { body }), 'invalid_link')
  })

  test('the token of a user, of which no developer is told', async () => {
    const [user] = market.demo.users
    if (user === undefined) throw new Error('the demo has no user')
    const token = await accountToken(market, user)
    const { event } = await newest()
    await report(token)
    expect((await call(market, 'GET', '/v1/Account', { token })).status).toBe(401)
    const told = await newest()
    expect(told.audit).toMatchObject({ developerId: null, subjectKind: 'user' })
    expect(told.event).toEqual(event)
  })

  test('a code, and the token that was made of it', async () => {
    const unused = await openForCode(market)
    await report(unused.code)
    expect((await redeem(market, unused)).body.error).toBe('invalid_grant')
    await expectTold('code', CODE_APP, unused.code)
    const used = await openForCode(market)
    const { body } = await redeem(market, used)
    await report(used.code)
    expect(await works(body.access_token)).toBe(false)
  })

  test('the secret of a webhook endpoint, also one that a rotation has left', async () => {
    const token = await developerToken(market)
    const path = `/v1/Developer/Apps/${CODE_APP}/Webhooks`
    const url = 'https://93.184.216.34/hook'
    const { body } = await call(market, 'POST', path, { token, body: { url } })
    const row = () => market.deps.db.webhookEndpoint.findUniqueOrThrow({ where: { id: body.id } })
    const before = await row()
    await report(body.secret)
    expect((await row()).secret).not.toEqual(before.secret)
    await expectTold('webhook_secret', CODE_APP, body.secret)
    const rotated = await call(market, 'POST', `${path}/${body.id}/RotateSecret`, { token })
    await call(market, 'POST', `${path}/${body.id}/RotateSecret`, { token })
    expect((await row()).previousSecret).not.toBeNull()
    await report(rotated.body.secret)
    expect((await row()).previousSecret).toBeNull()
  })

  test('the secret of a webhook endpoint that is being changed at the same moment', async () => {
    const token = await developerToken(market)
    const body = { url: 'https://93.184.216.34/hook' }
    const path = `/v1/Developer/Apps/${CODE_APP}/Webhooks`
    const { id, secret } = (await call(market, 'POST', path, { token, body })).body
    const where = { id }
    const before = await market.deps.db.webhookEndpoint.findUniqueOrThrow({ where })
    const change = 'UPDATE webhook_endpoints SET revision = revision + 1 WHERE id = $1'
    const changing = await holdRows(market, change, [id])
    const reporting = report(secret)
    await untilWaiting(market, 1)
    await changing.release()
    await reporting
    const after = await market.deps.db.webhookEndpoint.findUniqueOrThrow({ where })
    expect(after.secretSha256).not.toEqual(before.secretSha256)
  })

  test('the secret that a rotation leaves at the same moment, and not the new one', async () => {
    const token = await developerToken(market)
    const body = { url: 'https://93.184.216.34/hook' }
    const path = `/v1/Developer/Apps/${CODE_APP}/Webhooks`
    const { id, secret } = (await call(market, 'POST', path, { token, body })).body
    const newer = Buffer.alloc(32, id)
    const rotation = `
      UPDATE webhook_endpoints SET previous_secret = secret, previous_secret_sha256 = secret_sha256,
        previous_secret_until = $2, secret_sha256 = $3
      WHERE id = $1`
    const until = new Date(market.deps.now().getTime() + 60_000)
    const rotating = await holdRows(market, rotation, [id, until, newer])
    const reporting = report(secret)
    await untilWaiting(market, 1)
    await rotating.release()
    await reporting
    const after = await market.deps.db.webhookEndpoint.findUniqueOrThrow({ where: { id } })
    expect(Buffer.from(after.secretSha256 ?? [])).toEqual(newer)
    expect(after.previousSecretSha256).toBeNull()
  })
})

test('of the former secret of a webhook endpoint that signs no more nothing is told', async () => {
  const token = await developerToken(market)
  const path = `/v1/Developer/Apps/${CODE_APP}/Webhooks`
  const body = { url: 'https://93.184.216.34/hook' }
  const { id, secret } = (await call(market, 'POST', path, { token, body })).body
  await call(market, 'POST', `${path}/${id}/RotateSecret`, { token })
  const data = { previousSecretUntil: market.deps.now() }
  await market.deps.db.webhookEndpoint.update({ where: { id }, data })
  const before = await newest()
  await report(secret)
  expect(await newest()).toEqual(before)
})

test('of the same secret again, and of what is none, nothing is told', async () => {
  const token = await newToken()
  await report(token)
  const before = await newest()
  const made = `amkt_client_${'x'.repeat(38)}`
  for (const text of [token, 'nothing', made, 'amc_', 'whsec_AAAA', `${token}x`, 'a.b.c']) {
    await report(text)
  }
  expect(await newest()).toEqual(before)
})

test('a report is one text', async () => {
  const send = (body: unknown) => call(market, 'POST', '/v1/Secrets/Report', { body })
  expectProblem(await send({}), 'invalid_request')
  expectProblem(await send({ secret: 5 }), 'invalid_request')
  expectProblem(await send({ secret: 'x', more: 1 }), 'invalid_request')
  expectProblem(await send({ secret: 'a\0b' }), 'invalid_request')
  for (const secret of ['', 'x'.repeat(16_000)]) expect((await send({ secret })).status).toBe(202)
})

test('the console tells the developer for a week', async () => {
  await report(await newToken())
  const browser = await signedInDeveloper(market)
  expect((await browser.get('/Developer')).text).toContain('found in public, and have ended')
  // One transaction: the triggers are back whatever happens.
  await market.deps.pool.query(`
    ALTER TABLE audit_events DISABLE TRIGGER USER;
    UPDATE audit_events SET at = at - interval '8 days';
    ALTER TABLE audit_events ENABLE TRIGGER USER`)
  expect((await browser.get('/Developer')).text).not.toContain('found in public')
})
