import { afterAll, beforeAll, expect, test } from 'vitest'
import { respellEmails } from '../../../../src/identity/people/respell-emails-service.ts'
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

test('addresses that a former release kept get the one spelling, and twins keep theirs', async () => {
  const { db } = market.deps
  const former = (email: string) =>
    db.user.create({ data: { email, name: 'Former', passwordHash: 'none' } })
  const idn = await former('jo@m\u00fcller.example')
  const dotted = await former('jo@dotted.example.')
  const twin = await former('jo@stra\u00dfe.example')
  const other = await former('jo@xn--strae-oqa.example')
  const local = await former('j\u00f6@x.example')
  const { body: invited } = await operator('POST', 'Invitations', {
    ...{ email: 'new@x.example', name: 'New' },
  })
  const where = { email: 'new@x.example' }
  await db.linkToken.updateMany({ where, data: { email: 'new@m\u00fcller.example' } })

  expect(await respellEmails(market.deps)).toEqual({ twins: [twin.id] })
  expect(await respellEmails(market.deps)).toEqual({ twins: [twin.id] })
  const emailOf = async ({ id }: { id: string }) =>
    (await db.user.findUniqueOrThrow({ where: { id } })).email
  expect(await Promise.all([idn, dotted, twin, other, local].map(emailOf))).toEqual([
    'jo@xn--mller-kva.example',
    'jo@dotted.example',
    'jo@stra\u00dfe.example',
    'jo@xn--strae-oqa.example',
    'j\u00f6@x.example',
  ])
  const { body } = await accept(market, invited.link, PASSWORD)
  expect(body.email).toBe('new@xn--mller-kva.example')
  const entries = await operator('GET', `Audit?subjectKind=user&subjectId=${idn.id}`)
  expect(entries.body).toMatchObject([
    { action: 'user.changed', actor: { kind: 'system' }, before: { email: idn.email } },
  ])
})
