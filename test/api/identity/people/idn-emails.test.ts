import { afterAll, beforeAll, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { accountToken } from '../../../setup/client.ts'
import { expectProblem, pointersOf } from '../../../setup/expect-problem.ts'
import { type OperatorCalls, operatorCalls } from '../../../setup/operator.ts'
import { accept } from '../../../setup/people.ts'

const PASSWORD = 'correct horse battery'

let market: TestMarketplace
let operator: OperatorCalls
beforeAll(async () => {
  market = await startMarketplace()
  operator = await operatorCalls(market)
})
afterAll(() => market.close())

const newUser = (email: string) =>
  operator('POST', 'Users', { email, name: 'Kim', password: PASSWORD, partyIds: [] })

test('a mailbox has one user, whichever way its domain is written', async () => {
  const made = await newUser('Kim@b\u00fccher.example')
  expect([made.status, made.body.email]).toEqual([201, 'kim@xn--bcher-kva.example'])
  for (const email of ['kim@xn--bcher-kva.example', 'kim@BU\u0308CHER.example.']) {
    expectProblem(await newUser(email), 'already_exists')
    expect(typeof (await accountToken(market, { email, password: PASSWORD }))).toBe('string')
  }
  for (const q of ['b\u00fccher', 'kim@b\u00fccher.example', 'xn--bcher']) {
    const { body } = await operator('GET', `Users?q=${encodeURIComponent(q)}`)
    expect([q, body.map((user: { id: string }) => user.id)]).toEqual([q, [made.body.id]])
  }
})

test('an invitation in one way of writing leads to the user of the other', async () => {
  const { body: user } = await newUser('ida@b\u00fccher.example')
  const { body: made } = await operator('POST', 'Invitations', {
    ...{ email: 'ida@xn--bcher-kva.example', name: 'Ida', support: true },
  })
  const token = await accountToken(market, { email: 'ida@b\u00fccher.example', password: PASSWORD })
  const { body } = await accept(market, made.link, undefined, token)
  expect(body).toMatchObject({ userId: user.id, created: false })
})

test('who is changed gets no address without a domain', async () => {
  const { body: user } = await newUser('max@homewell.example')
  for (const email of ['max@homewell', 'max@[127.0.0.1]', 'max@xn--a.example']) {
    const answer = await operator('PATCH', `Users/${user.id}`, { email })
    expectProblem(answer, 'unprocessable')
    expect(pointersOf(answer)).toEqual(['/email'])
  }
})
