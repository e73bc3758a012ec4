import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMailer } from '../../../../src/base/mail/mailer.ts'
import { deliverMail } from '../../../../src/identity/people/deliver-mail-service.ts'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { call } from '../../../setup/client.ts'
import { newCustomer } from '../../../setup/customer.ts'
import { expectProblem } from '../../../setup/expect-problem.ts'
import { type MailServer, startMailServer } from '../../../setup/mail-server.ts'
import { operatorCalls, operatorWithCode } from '../../../setup/operator.ts'
import { enrol, tokenByCode } from '../../../setup/second-factor.ts'
import { hiddenFields } from '../../../setup/web-client.ts'

let mails: MailServer
let market: TestMarketplace
beforeAll(async () => {
  mails = await startMailServer()
  market = await startMarketplace({ config: mails.config, background: {} })
})
afterAll(async () => {
  await market.close()
  await mails.close()
})

test('the owner of a second factor is told by mail that it was taken off', async () => {
  const { calls: operator } = await operatorWithCode(market)
  const { user } = await newCustomer(market)
  await enrol(market, user)
  const { raw } = await mails.next(user.email, () =>
    operator('DELETE', `Users/${user.id}/SecondFactor`),
  )
  expect(raw).toContain('Subject: Your second factor for App Marketplace was taken off')
  expect(raw).toContain('/Account/Security')
})

test('where users sign in by single sign-on only, the mail speaks of no password', async () => {
  const { user } = await newCustomer(market)
  const { smtpUrl, mailFrom } = market.deps.config
  if (!smtpUrl || !mailFrom) throw new Error('there is no mail server')
  const deps = { ...market.deps, config: { ...market.deps.config, passwordLogin: false } }
  const { raw } = await mails.next(user.email, () =>
    deliverMail(deps, createMailer(smtpUrl, mailFrom), { factorRemovedOf: user.id }),
  )
  expect(raw).toContain('taken off')
  expect(raw).not.toContain('password')
})

test('nobody is told by mail who was removed before the mail was made', async () => {
  const operator = await operatorCalls(market)
  const { user } = await newCustomer(market)
  expect((await operator('DELETE', `Users/${user.id}`)).status).toBe(204)
  const { smtpUrl, mailFrom } = market.deps.config
  if (!smtpUrl || !mailFrom) throw new Error('there is no mail server')
  const before = mails.received.length
  await deliverMail(market.deps, createMailer(smtpUrl, mailFrom), { factorRemovedOf: user.id })
  expect(mails.received.slice(before)).toEqual([])
})

test('a second factor is taken off on the page of the user, for a reason', async () => {
  const { user } = await newCustomer(market)
  await enrol(market, user)
  const where = { subjectId: user.id, action: 'factor.removed' }
  const removals = () => market.deps.db.auditEvent.count({ where })
  const browser = await (await operatorWithCode(market)).browser()
  const page = `/Operator/Users/${user.id}`
  expect((await browser.get(page)).text).toContain(`href="${page}/SecondFactor"`)
  const question = await browser.get(`${page}/SecondFactor`)
  expect(question.text).toContain('Make sure first that it is the user who asks.')
  const fields = hiddenFields(question.text)
  const { _csrf = '' } = fields
  for (const form of [{ _csrf }, { _csrf, reason: '' }, { _csrf, reason: ' ' }]) {
    const { status, text } = await browser.post(`${page}/SecondFactor`, form)
    expect([form, status]).toEqual([form, 422])
    expect(text).toContain('Enter a reason.')
  }
  expect(await removals()).toBe(0)
  const done = await browser.post(`${page}/SecondFactor`, { ...fields, reason: 'Lost phone' })
  expect(done.location).toBe(page)
  expect((await browser.get(page)).text).not.toContain('/SecondFactor')
  expect(await removals()).toBe(1)
})

test('operators take off no second factor of their own, however they write their id', async () => {
  const { operator } = market.demo
  const { secret } = await enrol(market, operator)
  const token = await tokenByCode(market, operator, secret)
  const { id } = await market.deps.db.user.findUniqueOrThrow({ where: { email: operator.email } })
  for (const own of [id, id.toUpperCase()]) {
    const path = `/v1/Operator/Users/${own}/SecondFactor`
    expectProblem(await call(market, 'DELETE', path, { token }), 'conflict')
  }
  const factor = await call(market, 'GET', '/v1/Account/SecondFactor', { token })
  expect(factor.body.enabled).toBe(true)
})
