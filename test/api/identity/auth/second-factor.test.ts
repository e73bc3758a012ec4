import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { SYSTEM } from '../../../../src/base/values/actor.ts'
import { setPassword } from '../../../../src/identity/accounts/user-passwords-service.ts'
import { checkFactor } from '../../../../src/identity/auth/second-factor/check-factor-service.ts'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { accountToken, call } from '../../../setup/client.ts'
import { type Customer, newCustomer } from '../../../setup/customer.ts'
import { expectProblem } from '../../../setup/expect-problem.ts'
import { codeOf, enrol, nextCode, signIn, tokenByCode } from '../../../setup/second-factor.ts'
import { holdRows, untilWaiting } from '../../../setup/turns.ts'

const PATH = '/v1/Account/SecondFactor'
let market: TestMarketplace
let customer: Customer
beforeAll(async () => {
  market = await startMarketplace()
})
afterAll(() => market.close())
beforeEach(async () => {
  customer = await newCustomer(market)
})

const send = (token: string, path: string, body: object) =>
  call(market, 'POST', `${PATH}${path}`, { token, body })
const read = async (token: string) => (await call(market, 'GET', PATH, { token })).body
const on = () => enrol(market, customer.user)
const tryCode = (otp?: string) => signIn(market, customer.user, otp)
const actionsOf = async () => {
  const entries = await market.deps.db.auditEvent.findMany({
    where: { subjectId: customer.user.id, action: { startsWith: 'factor.' } },
    orderBy: { id: 'asc' },
  })
  return entries.map(({ action }) => action)
}

describe('turning it on', () => {
  test('gives a secret, asks for a first code, and shows ten recovery codes once', async () => {
    const token = await accountToken(market, customer.user)
    expect(await read(token)).toEqual({
      ...{ enabled: false, enabledAt: null, recoveryCodesLeft: 0, required: false },
    })
    const begun = await send(token, '', { password: customer.user.password })
    expect(begun.body.secret).toMatch(/^[A-Z2-7]{32}$/)
    expect(begun.body.uri).toContain(`secret=${begun.body.secret}`)
    expect(begun.headers.get('cache-control')).toBe('no-store')
    expect((await read(token)).enabled).toBe(false)
    const confirmed = await send(token, '/Confirm', { otp: codeOf(market, begun.body.secret) })
    expect(new Set(confirmed.body.recoveryCodes).size).toBe(10)
    const again = await tokenByCode(market, customer.user, begun.body.secret)
    expect(await read(again)).toMatchObject({ enabled: true, recoveryCodesLeft: 10 })
    expect(await actionsOf()).toEqual(['factor.enabled'])
  })

  test('ends every token that was made without it, the one that turned it on too', async () => {
    const other = await accountToken(market, customer.user)
    const { ended } = await on()
    for (const token of [other, ended]) {
      expectProblem(await call(market, 'GET', '/v1/Account', { token }), 'invalid_token')
    }
  })

  test('needs the password: a stolen token alone is not enough', async () => {
    const token = await accountToken(market, customer.user)
    const refused = await send(token, '', { password: 'wrong' })
    expectProblem(refused, 'unprocessable')
    expect(refused.body.errors).toEqual([{ pointer: '/password', detail: 'is wrong' }])
    expectProblem(await send(token, '/Confirm', { otp: '123456' }), 'conflict')
    expect((await read(token)).enabled).toBe(false)
  })

  test('is refused while one is on', async () => {
    const { secret } = await on()
    const token = await tokenByCode(market, customer.user, secret)
    const { password } = customer.user
    expectProblem(await send(token, '', { password }), 'already_exists')
    const code = nextCode(market, secret)
    expectProblem(await send(token, '/Confirm', { otp: code }), 'already_exists')
  })

  test('a wrong first code and a secret of 15 minutes ago are refused', async () => {
    const token = await accountToken(market, customer.user)
    const { body } = await send(token, '', { password: customer.user.password })
    const wrong = await send(token, '/Confirm', { otp: codeOf(market, body.secret, 9) })
    expectProblem(wrong, 'invalid_credentials')
    market.advance(901)
    const late = await send(token, '/Confirm', { otp: codeOf(market, body.secret) })
    expectProblem(late, 'conflict')
  })

  test('a code of a secret that was replaced meanwhile turns nothing on', async () => {
    const token = await accountToken(market, customer.user)
    const { password } = customer.user
    const former = (await send(token, '', { password })).body.secret
    const sql = 'SELECT 1 FROM users WHERE id = $1 FOR UPDATE'
    const held = await holdRows(market, sql, [customer.user.id])
    try {
      const confirmed = send(token, '/Confirm', { otp: codeOf(market, former) })
      await untilWaiting(market, 1)
      const { secret } = (await send(token, '', { password })).body
      await held.release()
      expectProblem(await confirmed, 'conflict')
      expect((await send(token, '/Confirm', { otp: codeOf(market, secret) })).status).toBe(200)
    } finally {
      await held.release()
    }
  })

  test('until its first code a new secret asks for nothing', async () => {
    const token = await accountToken(market, customer.user)
    await send(token, '', { password: customer.user.password })
    expect((await tryCode()).status).toBe(200)
  })

  test('the database holds neither the secret nor a recovery code in clear', async () => {
    const { secret, recoveryCodes } = await on()
    const { rows } = await market.deps.pool.query<{ text: string }>(
      `SELECT f::text || coalesce(string_agg(r::text, ''), '') AS text
       FROM second_factors f LEFT JOIN recovery_codes r USING (user_id) GROUP BY f.*`,
    )
    const text = rows.map((row) => row.text).join()
    for (const hidden of [secret, ...recoveryCodes]) {
      expect(text).not.toContain(hidden)
      expect(text).not.toContain(Buffer.from(hidden).toString('hex'))
    }
  })
})

describe('signing in', () => {
  test('without a code is second_factor_required, with a code it is done', async () => {
    const { secret } = await on()
    const missing = await tryCode()
    expectProblem(missing, 'second_factor_required')
    expect(missing.headers.get('www-authenticate')).toMatch(/^Password /)
    expect((await tryCode(nextCode(market, secret))).status).toBe(200)
  })

  test('with a wrong password says nothing of the factor', async () => {
    const { secret } = await on()
    const wrong = { ...customer.user, password: 'wrong' }
    const code = nextCode(market, secret)
    expectProblem(await signIn(market, wrong), 'invalid_credentials')
    expectProblem(await signIn(market, wrong, code), 'invalid_credentials')
    expect((await tryCode(code)).status).toBe(200)
  })

  test('takes the code before and the code after, and no other', async () => {
    const { secret } = await on()
    nextCode(market, secret)
    for (const steps of [-2, 2]) {
      expectProblem(await tryCode(codeOf(market, secret, steps)), 'invalid_credentials')
    }
    expect((await tryCode(codeOf(market, secret, -1))).status).toBe(200)
    expect((await tryCode(codeOf(market, secret, 1))).status).toBe(200)
  })

  test('refuses a code twice, and a code older than the last one', async () => {
    const { secret } = await on()
    const code = nextCode(market, secret)
    expect((await tryCode(code)).status).toBe(200)
    expectProblem(await tryCode(code), 'invalid_credentials')
    expectProblem(await tryCode(codeOf(market, secret, -1)), 'invalid_credentials')
  })

  test('takes one of those who send the same code at once', async () => {
    const { secret } = await on()
    const code = nextCode(market, secret)
    const answers = await Promise.all(Array.from({ length: 8 }, () => tryCode(code)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  test('takes a recovery code once, however it is written, and 20 at once', async () => {
    const { recoveryCodes } = await on()
    const [first = '', second = ''] = recoveryCodes
    expect((await tryCode(` ${first.toUpperCase().replaceAll('-', ' ')} `)).status).toBe(200)
    expectProblem(await tryCode(first), 'invalid_credentials')
    const answers = await Promise.all(Array.from({ length: 20 }, () => tryCode(second)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await actionsOf()).toEqual([
      'factor.enabled',
      ...['factor.recovery_code_used', 'factor.recovery_code_used'],
    ])
  })

  test('a recovery code and the removal of the factor take turns', async () => {
    const { recoveryCodes } = await on()
    const { id: userId } = customer.user
    const sql = 'SELECT 1 FROM recovery_codes WHERE user_id = $1 FOR UPDATE'
    const held = await holdRows(market, sql, [userId])
    try {
      const code = tryCode(recoveryCodes[0])
      await untilWaiting(market, 1)
      const removal = market.deps.db.secondFactor.deleteMany({ where: { userId } })
      const removed = removal.then(({ count }) => count)
      await untilWaiting(market, 2)
      await held.release()
      expect([(await code).status, await removed]).toEqual([200, 1])
    } finally {
      await held.release()
    }
  })

  test.each(['', 'letters', '１２３４５６', '1'.repeat(9000)])(
    'a code %j is a wrong one',
    async (otp) => {
      await on()
      expectProblem(await tryCode(otp), 'invalid_credentials')
    },
  )

  test('of 1,000 guesses ten are looked at, and the right code waits with them', async () => {
    const { secret } = await on()
    const { deps } = market
    let wrong = 0
    for (let guess = 0; guess < 1000; guess++) {
      const checked = checkFactor(deps, customer.user.id, '000000', SYSTEM)
      const code: unknown = await checked.then(
        () => 'wrong',
        (error) => error.code,
      )
      if (code === 'wrong') wrong += 1
      else expect(code).toBe('too_many_requests')
    }
    expect(wrong).toBe(10)
    const limited = await tryCode(nextCode(market, secret))
    expectProblem(limited, 'too_many_requests')
    market.advance(900)
    expect((await tryCode(nextCode(market, secret))).status).toBe(200)
  })

  test('what was tried while the clock was hours ahead is forgotten when it is right again', async () => {
    const { secret } = await on()
    market.advance(6 * 3600)
    for (let time = 0; time < 10; time++) await tryCode('000000')
    expectProblem(await tryCode('000000'), 'too_many_requests')
    market.advance(-6 * 3600)
    expect((await tryCode(nextCode(market, secret))).status).toBe(200)
  })

  test('right codes count as no guesses: who signs in often is not limited', async () => {
    const { secret } = await on()
    for (let time = 0; time < 12; time++) {
      market.advance(30)
      expect((await tryCode(codeOf(market, secret))).status).toBe(200)
    }
  })

  test('nor do recovery codes', async () => {
    const { secret, recoveryCodes } = await on()
    for (const code of recoveryCodes) expect((await tryCode(code)).status).toBe(200)
    market.advance(30)
    expect((await tryCode(codeOf(market, secret))).status).toBe(200)
  })
})

describe('what is on', () => {
  test('stays on after a new password and a new email', async () => {
    const { secret } = await on()
    const { deps } = market
    const { id } = customer.user
    const { password } = await setPassword(deps, id, {}, SYSTEM)
    const email = `new-${customer.user.email}`
    await deps.db.user.update({ where: { id }, data: { email } })
    const person = { email, password }
    expectProblem(await signIn(market, person), 'second_factor_required')
    expect((await signIn(market, person, nextCode(market, secret))).status).toBe(200)
  })

  test('gives new recovery codes for a code; the former ones are refused', async () => {
    const { secret, recoveryCodes } = await on()
    const token = await tokenByCode(market, customer.user, secret)
    expectProblem(await send(token, '/RecoveryCodes', { otp: '000000' }), 'invalid_credentials')
    const renewed = await send(token, '/RecoveryCodes', { otp: nextCode(market, secret) })
    expect(renewed.body.recoveryCodes).toHaveLength(10)
    expectProblem(await tryCode(recoveryCodes[0]), 'invalid_credentials')
    expect((await tryCode(renewed.body.recoveryCodes[0])).status).toBe(200)
  })

  test('is turned off with a code only', async () => {
    const { secret } = await on()
    const token = await tokenByCode(market, customer.user, secret)
    expectProblem(await send(token, '/Remove', { otp: '000000' }), 'invalid_credentials')
    expect((await send(token, '/Remove', { otp: nextCode(market, secret) })).status).toBe(204)
    expectProblem(await send(token, '/Remove', { otp: '000000' }), 'invalid_token')
    const again = (await tryCode()).body.token
    expect(await market.deps.db.recoveryCode.count({ where: { userId: customer.user.id } })).toBe(0)
    expectProblem(await send(again, '/Remove', { otp: '000000' }), 'conflict')
    expectProblem(await send(again, '/RecoveryCodes', { otp: '000000' }), 'conflict')
    expect(await actionsOf()).toEqual(['factor.enabled', 'factor.removed'])
  })
})
