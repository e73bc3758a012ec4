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
