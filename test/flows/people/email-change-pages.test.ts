import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SYSTEM } from '../../../src/base/values/actor.ts'
import { createLink, renewToken } from '../../../src/identity/links/link-tokens-service.ts'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { type MailServer, mailsDone, startMailServer } from '../../setup/mail-server.ts'
import { operatorBrowser } from '../../setup/operator.ts'
import { newAddress } from '../../setup/people.ts'
import { demoUser, hiddenFields, signedIn, submitTwice, webClient } from '../../setup/web-client.ts'

let mails: MailServer
let market: TestMarketplace
let quiet: TestMarketplace
beforeAll(async () => {
  mails = await startMailServer()
  market = await startMarketplace({ config: mails.config, background: {} })
  quiet = await startMarketplace()
})
afterAll(async () => {
  await market.close()
  await quiet.close()
  await mails.close()
})

const idOf = async (at: TestMarketplace, email: string) =>
  (await at.deps.db.user.findUniqueOrThrow({ where: { email } })).id

/** Opens the page of a link in a browser of its own, and confirms. */
async function confirmAt(link: string | undefined) {
  const person = webClient(market)
  const page = await person.get((link ?? '').slice(market.url.length))
  expect([page.status, page.headers.get('referrer-policy')]).toEqual([200, 'no-referrer'])
  const done = await person.submit('/confirm-email', hiddenFields(page.text))
  expect([done.status, done.location]).toEqual([303, '/confirm-email'])
  return (await person.get('/confirm-email')).text
}

describe('/Account/Email', () => {
  test('changes the email with a link of each of two mails', async () => {
    const user = demoUser(market, 'Seller')
    const email = newAddress()
    const browser = await signedIn(market, user)
    expect((await browser.get('/Account')).text).toContain('href="/Account/Email"')
    const { _csrf = '' } = hiddenFields((await browser.get('/Account/Email')).text)
    const send = (fields: Record<string, string>) =>
      browser.post('/Account/Email', { _csrf, ...fields })
    const wrong = await send({ email, currentPassword: 'wrong' })
    expect([wrong.status, wrong.text.includes('Wrong password.')]).toEqual([422, true])
    expect(wrong.text).toContain(`value="${email}"`)
    const bad = await send({ email: 'nobody', currentPassword: user.password })
    expect(bad.status).toBe(422)
    expect(bad.text).toContain('Enter an email address, such as name@company.com.')
    let former: string | undefined
    const { link } = await mails.next(email, async () => {
      const mail = await mails.next(user.email, async () => {
        const fields = { _csrf, email, currentPassword: user.password }
        // A second click mails no other links, which would end the first.
        const { second } = await submitTwice(browser, '/Account/Email', fields)
        expect([second.status, second.location]).toEqual([303, '/Account/Email'])
      })
      former = mail.link
    })
    await mailsDone(market)
    expect(mails.received.filter(({ to }) => to === email)).toHaveLength(1)
    expect((await browser.get('/Account/Email')).text).toContain('Mails with links are on their')
    // Told as long as it waits, on both pages, and for which address.
    const pending = async () => {
      const pages = [await browser.get('/Account'), await browser.get('/Account/Email')]
      const told = /Your email changes to <strong><bdi>([^<]+).+?mail to (.+?)\.\nIt works until/s
      return pages.map(({ text }) => told.exec(text)?.slice(1))
    }
    const both = [email, `<bdi>${user.email}</bdi> and <bdi>${email}</bdi>`]
    expect(await pending()).toEqual([both, both])
    expect(await confirmAt(link)).toContain('Now open the link')
    const rest = [email, `<bdi>${user.email}</bdi>`]
    expect(await pending()).toEqual([rest, rest])
    expect((await browser.get('/Account')).text).toContain(user.email)
    expect(await confirmAt(former)).toContain(`Sign in with ${email} from now on.`)
    expect((await browser.get('/Account')).text).toContain(email)
    expect(await pending()).toEqual([undefined, undefined])
    const used = await webClient(market).get((link ?? '').slice(market.url.length))
    expect([used.status, used.text.includes('used already')]).toEqual([410, true])
  })

  test('is confirmed on a page that leads on to the account when it is reloaded', async () => {
    const { id: userId, email } = await market.deps.db.user.findFirstOrThrow()
    const { id } = await createLink(market.deps, {
      ...{ purpose: 'email_change', email, scope: `from ${userId}`, userId, actor: SYSTEM },
      grants: { request: randomUUID(), from: email, to: newAddress() },
    })
    const token = await renewToken(market.deps, id, { mailed: true })
    const person = webClient(market)
    const page = await person.get(`/confirm-email?token=${token}`)
    await person.submit('/confirm-email', hiddenFields(page.text))
    expect((await person.get('/confirm-email')).text).toContain('You have confirmed')
    const again = await person.get('/confirm-email')
    expect([again.status, again.location]).toEqual([303, '/Account'])
  })

  test('asks the operator where nothing is mailed', async () => {
    const user = demoUser(quiet, 'Seller')
    const browser = await signedIn(quiet, user)
    const { text } = await browser.get('/Account/Email')
    expect(text).toContain('<li><a href="/Account"><bdi>Profile</bdi></a></li>')
    expect(text).toContain('Ask the operator of this marketplace')
    const { _csrf = '' } = hiddenFields(text)
    const fields = { _csrf, email: newAddress(), currentPassword: user.password }
    expect((await browser.post('/Account/Email', fields)).status).toBe(409)
  })
})

describe('the email on the page of a user', () => {
  test('is changed there by an operator, unless somebody else has it', async () => {
    const operator = await operatorBrowser(quiet)
    const user = demoUser(quiet, 'Seller')
    const path = `/Operator/Users/${await idOf(quiet, user.email)}`
    const form = { name: 'Kim', emailShown: user.email, operatorShown: 'false' }
    const taken = quiet.demo.operator.email
    const refused = await operator.send(`${path}/Edit`, { ...form, email: taken })
    expect([refused.status, refused.text.includes('id="email-error"')]).toEqual([409, true])
    const email = newAddress()
    expect((await operator.send(`${path}/Edit`, { ...form, email })).location).toBe(path)
    expect((await operator.get(path)).text).toContain(email)
    expect((await operator.get('/Operator/Audit')).text).toContain(`${user.email} → ${email}`)
    const { email: _shown, ...unseen } = { ...form, email }
    expect((await operator.send(`${path}/Edit`, unseen)).location).toBe(path)
    await idOf(quiet, email)
  })
})
