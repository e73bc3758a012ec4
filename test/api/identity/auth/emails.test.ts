import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { call } from '../../../setup/client.ts'
import { expectProblem, pointersOf } from '../../../setup/expect-problem.ts'
import { type OperatorCalls, operatorCalls } from '../../../setup/operator.ts'

let market: TestMarketplace
let operator: OperatorCalls
beforeAll(async () => {
  market = await startMarketplace()
  operator = await operatorCalls(market)
})
afterAll(() => market.close())

const MIGRATION = readFileSync(
  new URL(
    '../../../../prisma/migrations/20261122040200_normal_emails/migration.sql',
    import.meta.url,
  ),
  'utf8',
)
const create = (email: string) =>
  operator('POST', 'Users', { email, name: 'Somebody', partyIds: [] })
const signIn = (email: string, password: string) =>
  call(market, 'POST', '/v1/Account/Auth', { body: { email, password } })

describe('an email has one spelling', () => {
  test.each([
    ['zo\u0065\u0308@keys.example', 'zo\u00eb@keys.example'],
    ['ＫＩＭ@wide．example', 'kim@wide.example'],
    ['dot@ideographic\u3002example', 'dot@ideographic.example'],
    [' Space@Keys.Example ', 'space@keys.example'],
  ])('%j is %j, at sign-in too', async (written, kept) => {
    const { status, body } = await create(written)
    expect([status, body.email]).toEqual([201, kept])
    expectProblem(await create(kept), 'already_exists')
    for (const one of [written, kept]) {
      expect((await signIn(one, body.password)).status).toBe(200)
    }
  })

  test.each(['<x@y.example>', 'a,b@y.example', 'a;b@y.example', '"a"@y.example', '(a)@y.example'])(
    '%j is none',
    async (email) => {
      const answer = await create(email)
      expectProblem(answer, 'unprocessable')
      expect(pointersOf(answer)).toEqual(['/email'])
    },
  )
})

test('stored emails get it, but for those that would then be the same: their users still sign in', async () => {
  const { user } = market.deps.db
  const id = randomUUID()
  const [composed, decomposed] = [`\u00eb-${id}@x.example`, `e\u0308-${id}@x.example`]
  const users = await Promise.all([create(composed), create(`b-${id}@x.example`)])
  const [first, second] = users.map(({ body }) => body)
  await user.update({ where: { id: second.id }, data: { email: decomposed } })
  const alone = (await create(`c-${id}@x.example`)).body
  await user.update({ where: { id: alone.id }, data: { email: `a\u0308-${id}@x.example` } })

  await market.deps.pool.query(MIGRATION)
  const emailOf = async ({ id }: { id: string }) =>
    (await user.findUniqueOrThrow({ where: { id } })).email
  expect(await emailOf(first)).toBe(composed)
  expect(await emailOf(second)).toBe(decomposed)
  expect(await emailOf(alone)).toBe(`\u00e4-${id}@x.example`)
  for (const [email, { password }] of [
    [composed, first],
    [decomposed, second],
    [`\u00e4-${id}@x.example`, alone],
  ] as const) {
    expect((await signIn(email, password)).status).toBe(200)
  }
  expectProblem(await signIn(composed, second.password), 'invalid_credentials')
})
