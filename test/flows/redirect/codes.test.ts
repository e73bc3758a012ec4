import { decodeJwt } from 'jose'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { secretHash } from '../../../src/base/secrets/findable-secret.ts'
import { SYSTEM } from '../../../src/base/values/actor.ts'
import {
  createCredential,
  removeCredential,
} from '../../../src/identity/accounts/credentials-service.ts'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { call, demoInstallation, untilTaken } from '../../setup/client.ts'
import { CODE_APP, type CodeFlow, openForCode, RETURN_URL, redeem } from '../../setup/code-flow.ts'
import { clientFields, codeProof } from '../../setup/oauth.ts'
import { setReturnUrl } from '../../setup/redirect.ts'
import { demoUser } from '../../setup/web-client.ts'

let market: TestMarketplace
let undo: (() => Promise<unknown>)[] = []
beforeAll(async () => {
  market = await startMarketplace()
  await setReturnUrl(market, CODE_APP, RETURN_URL)
})
afterEach(async () => {
  for (const step of undo.reverse()) await step()
  undo = []
})
afterAll(() => market.close())

const seller = () => demoUser(market, 'Seller')
const installation = () => demoInstallation(market, CODE_APP, 'Seller')

const works = async (token: string) =>
  (await call(market, 'GET', '/v1/Installation', { token })).status === 200
const expectNoGrant = ({ status, body }: Awaited<ReturnType<typeof redeem>>) =>
  expect({ status, error: body.error }).toEqual({ status: 400, error: 'invalid_grant' })

describe('a code', () => {
  test('gives the token that the redirect would have handed over, for 900 seconds', async () => {
    const answer = await redeem(market, await openForCode(market))
    expect(answer.status).toBe(200)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.body).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 900,
      scope: 'products:read profile:read settings:read',
      installation_id: installation().id,
    })
    const profile = await call(market, 'GET', '/v1/User/Profile', {
      token: answer.body.access_token,
    })
    expect(profile.body.user.email).toBe(seller().email)
    expect(decodeJwt(answer.body.access_token)).toMatchObject({ aud: 'installation' })
  })

  test('is exchanged by a client without a password that has the verifier', async () => {
    const answer = await redeem(market, await openForCode(market), {
      client_secret: '',
      redirect_uri: RETURN_URL,
    })
    expect(answer.status).toBe(200)
  })

  test('used twice is refused, and its token is dead', async () => {
    const flow = await openForCode(market)
    const { body } = await redeem(market, flow)
    expect(await works(body.access_token)).toBe(true)
    expectNoGrant(await redeem(market, flow))
    expect(await works(body.access_token)).toBe(false)
    const entry = await market.deps.db.auditEvent.findFirst({ orderBy: { id: 'desc' } })
    expect(entry).toMatchObject({ action: 'token.revoked', subjectId: installation().id })
    expect(JSON.stringify(entry?.after)).not.toContain(flow.code)
  })

  test('used twice minutes later is refused too, and its token is dead', async () => {
    const flow = await openForCode(market)
    const { body } = await redeem(market, flow)
    market.advance(300)
    // Each new code forgets old ones.
    await openForCode(market)
    expectNoGrant(await redeem(market, flow))
    expect(await works(body.access_token)).toBe(false)
  })

  test('is forgotten an hour after the token that was made of it ran out', async () => {
    const { code } = await openForCode(market)
    const known = () => market.deps.db.authorizationCode.count({ where: { id: secretHash(code) } })
    market.advance(60 + 900 + 3600 - 10)
    await openForCode(market)
    expect(await known()).toBe(1)
    market.advance(20)
    await openForCode(market)
    expect(await known()).toBe(0)
  })

  test('used 100 times at once gives one token, which is dead', async () => {
    const flow = await openForCode(market)
    const client = { client_secret: '' }
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => untilTaken(() => redeem(market, flow, client))),
    )
    const given = answers.filter(({ status }) => status === 200)
    expect(given).toHaveLength(1)
    expect(answers.filter(({ body }) => body.error === 'invalid_grant')).toHaveLength(99)
    expect(await works(given[0]?.body.access_token)).toBe(false)
  })

  test('without the verifier is used up all the same, and a second use ends the token', async () => {
    const without = async (code: string) => {
      const { status, body } = await redeem(market, { code, verifier: '' })
      expect([status, body.error]).toEqual([400, 'invalid_request'])
      return body.error_description
    }
    const fresh = await openForCode(market)
    const told = await without(fresh.code)
    expectNoGrant(await redeem(market, fresh))
    const used = await openForCode(market)
    const { body } = await redeem(market, used)
    expect(await without(used.code)).toBe(told)
    expect(await works(body.access_token)).toBe(false)
    expect(await without('made-up')).toBe(told)
  })

  /** A use that is refused, and after it the right one is refused too. */
  const expectBurnt = async (flow: CodeFlow, fields: Record<string, string>) => {
    expectNoGrant(await redeem(market, flow, fields))
    expectNoGrant(await redeem(market, flow))
  }

  test('is refused to another client of the same developer, and when its own was removed', async () => {
    const { deps } = market
    const { developerId } = await deps.db.app.findUniqueOrThrow({ where: { id: CODE_APP } })
    const { id, clientId: client_id } = await createCredential(deps, developerId, {}, SYSTEM)
    const own = { client_id, client_secret: '' }
    expectNoGrant(await redeem(market, await openForCode(market, { client_id })))
    expect((await redeem(market, await openForCode(market, { client_id }), own)).status).toBe(200)
    const flow = await openForCode(market, { client_id })
    await removeCredential(deps, developerId, id, SYSTEM)
    expectNoGrant(await redeem(market, flow, own))
  })

  test('is refused to clients of other developers, and to unknown ones', async () => {
    await expectBurnt(await openForCode(market), { ...clientFields(market, 1) })
    await expectBurnt(await openForCode(market), { client_id: 'nobody', client_secret: '' })
  })

  test('stays usable after a request that names no client', async () => {
    const flow = await openForCode(market)
    for (const unnamed of [flow, { ...flow, verifier: '' }]) {
      const fields = { client_id: '', client_secret: '' }
      const { status, body } = await redeem(market, unnamed, fields)
      expect([status, body]).toEqual([
        400,
        { error: 'invalid_request', error_description: 'The parameter client_id is missing.' },
      ])
    }
    expect((await redeem(market, flow)).status).toBe(200)
  })

  test('is refused with another verifier', async () => {
    await expectBurnt(await openForCode(market), { code_verifier: codeProof().verifier })
    await expectBurnt(await openForCode(market), { code_verifier: 'short' })
  })

  test('is refused for another app, which has another return address', async () => {
    await expectBurnt(await openForCode(market), { redirect_uri: 'https://other.example/return' })
  })

  test('is refused after 60 seconds', async () => {
    const flow = await openForCode(market)
    market.advance(61)
    expectNoGrant(await redeem(market, flow))
  })

  test('is refused when it was altered, or made up', async () => {
    const flow = await openForCode(market)
    const altered = `${flow.code.slice(0, -1)}${flow.code.endsWith('0') ? '1' : '0'}`
    expectNoGrant(await redeem(market, { ...flow, code: altered }))
    expectNoGrant(await redeem(market, { ...flow, code: 'amc_' }))
    expect((await redeem(market, flow)).status).toBe(200)
  })

  test('is refused when its user is removed at the moment of the exchange', async () => {
    const flow = await openForCode(market)
    const { pool } = market.deps
    await pool.query(`
      CREATE FUNCTION forget_code() RETURNS trigger LANGUAGE plpgsql AS
        'BEGIN DELETE FROM authorization_codes WHERE id = NEW.id; RETURN NULL; END';
      CREATE TRIGGER forget_code AFTER UPDATE ON authorization_codes
        FOR EACH ROW EXECUTE FUNCTION forget_code()`)
    undo.push(() => pool.query('DROP FUNCTION forget_code CASCADE'))
    expectNoGrant(await redeem(market, flow))
  })

  test.each([
    [
      'the installation is suspended',
      'UPDATE installations SET status = $2, suspended_at = now() WHERE id = $1',
      "UPDATE installations SET status = 'active', suspended_at = NULL WHERE id = $1",
      () => [installation().id, 'suspended'],
    ],
    [
      'its tokens were revoked',
      'UPDATE installations SET token_generation = token_generation + $2::int WHERE id = $1',
      undefined,
      () => [installation().id, 1],
    ],
    [
      'the user has another password',
      'UPDATE users SET token_generation = token_generation + $2::int WHERE email = $1',
      undefined,
      () => [seller().email, 1],
    ],
  ])('is refused when meanwhile %s', async (_what, change, back, values) => {
    const flow = await openForCode(market)
    await market.deps.pool.query(change, values())
    if (back !== undefined) {
      undo.push(() => market.deps.pool.query(back, values().slice(0, 1)))
    }
    expectNoGrant(await redeem(market, flow))
  })
})
