import { expect, test } from 'vitest'
import { createUser } from '../../../src/identity/accounts/users-service.ts'
import { operatorConsole } from '../../setup/operator.ts'
import { signedIn } from '../../setup/web-client.ts'

const { market, operator, userIdOf } = operatorConsole()

const TITLE = 'Set up the marketplace'

test('the overview says what a new marketplace needs, and which of it is done', async () => {
  const { text } = await operator().get('/Operator')
  expect(text).toContain(TITLE)
  expect(text).toContain('<a href="/docs/add-people">Send mail</a>')
  expect(text).toContain('<a href="/Account/Security">Turn on two-step sign-in for yourself</a>')
  expect(text).toMatch(/<li class="done">Create the first account/)
  expect(text).toContain('1 of 3 done')
})

test('those who only look read nothing of it', async () => {
  const support = await createUser(market().deps, {
    name: 'Sue Support',
    email: 'sue.support@example.com',
    support: true,
  })
  const browser = await signedIn(market(), support)
  expect((await browser.get('/Operator')).text).not.toContain(TITLE)
})

test('a second factor of the operator counts', async () => {
  const { email } = market().demo.operator
  await market().deps.db.secondFactor.create({
    data: {
      userId: await userIdOf(email),
      secret: Buffer.from('not asked for'),
      guessesSince: new Date(),
      createdAt: new Date(),
      confirmedAt: new Date(),
    },
  })
  expect((await operator().get('/Operator')).text).toContain('2 of 3 done')
})
