import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SYSTEM } from '../../../src/base/values/actor.ts'
import { createLink, renewToken } from '../../../src/identity/links/link-tokens-service.ts'
import { inviteByCommand } from '../../../src/identity/people/command-invitation-service.ts'
import { createPasswordReset } from '../../../src/identity/people/password-resets-service.ts'
import { createSignInLink } from '../../../src/identity/single-sign-on/sign-in-link-service.ts'
import { prepareDemo } from '../../../src/process/start/first-start.ts'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { accountToken, call } from '../../setup/client.ts'
import { newMember } from '../../setup/customer.ts'
import { type MailServer, mailsDone, startMailServer } from '../../setup/mail-server.ts'
import { operatorBrowser } from '../../setup/operator.ts'
import { accept, complete, newAddress, tokenOf } from '../../setup/people.ts'
import { hiddenFields, signedIn, submitTwice, webClient } from '../../setup/web-client.ts'

const PASSWORD = 'correct horse battery'

const lines: string[] = []
let mails: MailServer
let market: TestMarketplace
let mailing: TestMarketplace
let operator: Awaited<ReturnType<typeof operatorBrowser>>
beforeAll(async () => {
  mails = await startMailServer()
  market = await startMarketplace({
    config: { logLevel: 'trace' },
    log: (line) => lines.push(line),
  })
  mailing = await startMarketplace({ config: mails.config, background: {} })
  operator = await operatorBrowser(market)
})
afterAll(async () => {
  await market.close()
  await mailing.close()
  await mails.close()
})

const pathOf = (link: string) => link.slice(market.url.length)
/** The link that a page of the console shows this once. */
const linkOn = (page: { text: string }) =>
  /https?:\/\/[^\s<]+\?token=[\w-]+/.exec(page.text)?.[0] ?? ''

async function invite(fields: Record<string, string> = {}) {
  const email = newAddress()
  const form = { name: 'New Person', email, party: '', developer: '', role: '', console: '' }
  const page = await operator.send('/Operator/Invitations', { ...form, ...fields })
  return { email, page, link: linkOn(page) }
}

describe('an operator invites in the console', () => {
  test('and is shown the link once; the person chooses a password and is signed in', async () => {
    const party = market.demo.users[0]
    const { email, link } = await invite({ party: String(party?.partyId) })
    const person = webClient(market)
    const page = await person.get(pathOf(link))
    expect(page.status).toBe(200)
    expect(page.headers.get('referrer-policy')).toBe('no-referrer')
    expect(page.headers.get('cache-control')).toContain('no-store')
    expect(page.text).toContain(`${party?.partyName} as an admin`)
    const fields = hiddenFields(page.text)
    const wrong = { ...fields, newPassword: PASSWORD, repeatedPassword: 'other' }
    const again = await person.post('/invitation', wrong)
    expect(again.status).toBe(422)
    expect(again.text).toContain('The passwords do not match.')
    const right = { ...fields, newPassword: PASSWORD, repeatedPassword: PASSWORD }
    const done = await person.post('/invitation', right)
    expect([done.status, done.location]).toEqual([303, '/'])
    expect((await person.get('/')).text).toContain(email)
    expect(typeof (await accountToken(market, { email, password: PASSWORD }))).toBe('string')
    const used = await webClient(market).get(pathOf(link))
    expect(used.status).toBe(410)
    expect(used.text).toContain('used already')
    await new Promise<unknown>((resolve) => market.deps.log.flush(resolve))
    expect(lines.join('\n')).toContain('"path":"/invitation"')
    expect(lines.join('\n')).not.toContain(tokenOf(link).slice(0, 30))
  })

  test('and revokes what is open', async () => {
    const { email, page, link } = await invite()
    expect(page.text).toContain(email)
    const { id } = await market.deps.db.linkToken.findFirstOrThrow({ where: { email } })
    await operator.send(`/Operator/Invitations/${id}/Revoke`)
    await operator.send(`/Operator/Invitations/${id}/Revoke`)
    expect((await operator.get('/Operator/Invitations')).text).not.toContain(email)
    expect((await webClient(market).get(pathOf(link))).status).toBe(410)
  })

  test('and reads what is wrong with the form', async () => {
    const { page } = await invite({ email: 'nobody', party: 'No such party' })
    expect([page.status, page.text.includes('There are 2 problems')]).toEqual([422, true])
  })
})

describe('an invitation of somebody who is a user already', () => {
  test('leads to the sign-in and back, and is accepted by that user', async () => {
    const party = market.demo.users[0]
    const user = await newMember(market, market.demo.users[1]?.partyId ?? 0)
    const { link } = await invite({ email: user.email, party: String(party?.partyId) })
    const person = webClient(market)
    const page = await person.get(pathOf(link))
    expect(page.text).toContain(`${user.email}</bdi> is a user already.`)
    expect(page.text).not.toContain('action="/invitation"')
    const next = /href="\/login\?next=([^"]+)"/.exec(page.text)?.[1] ?? ''
    expect(decodeURIComponent(next)).toBe(pathOf(link))
    expect((await person.login(user, decodeURIComponent(next))).location).toBe(pathOf(link))
    const form = await person.get(pathOf(link))
    expect(form.text).toContain('It stays as it is.')
    const done = await person.post('/invitation', hiddenFields(form.text))
    expect([done.status, done.location]).toEqual([303, '/Account'])
    const account = (await person.get('/Account')).text
    expect(account).toContain('You have accepted the invitation.')
    expect((await person.get('/Account/Accounts')).text).toContain(String(party?.partyName))
  })

  test('offers somebody else who is signed in to sign in as that user', async () => {
    const user = await newMember(market, market.demo.users[1]?.partyId ?? 0)
    const { link } = await invite({ email: user.email })
    const other = await signedIn(market, market.demo.operator)
    const page = await other.get(pathOf(link))
    expect(page.text).toContain(`You are signed in as <bdi>${market.demo.operator.email}</bdi>.`)
    const fields = { ...hiddenFields(page.text), token: tokenOf(link) }
    expect((await other.post('/invitation', fields)).status).toBe(403)
    const left = await other.post('/logout', hiddenFields(page.text))
    expect(left.location).toBe(`/login?next=${encodeURIComponent(pathOf(link))}`)
  })
})

test('a link that was used already is no fault, and leads to a new one where people make it', async () => {
  const { id } = await newMember(market, market.demo.users[1]?.partyId ?? 0)
  const { link = '' } = await createPasswordReset(market.deps, id, SYSTEM)
  const path = pathOf(link)
  const person = webClient(market)
  const form = hiddenFields((await person.get(path)).text)
  await person.post('/reset-password', {
    ...form,
    newPassword: PASSWORD,
    repeatedPassword: PASSWORD,
  })
  const used = await person.get(path)
  expect([used.status, used.text.includes('used already')]).toEqual([410, true])
  expect(used.text).toContain('href="/forgot">Get a new link</a>')
  expect(used.text).not.toMatch(/Error 410|request ID/)
  const invitation = await person.get('/invitation?token=mistyped')
  expect([invitation.status, invitation.text.includes('/forgot')]).toEqual([410, false])
})

/** Of each kind a link that works, as a path: `user` is whose password or email it changes. */
async function linksOf(user: { id: string; email: string }): Promise<string[]> {
  const { deps } = market
  const { id } = await createLink(deps, {
    ...{ purpose: 'email_change', email: user.email, scope: `from ${user.id}` },
    grants: { request: randomUUID(), from: user.email, to: newAddress() },
    ...{ userId: user.id, actor: SYSTEM },
  })
  const links = [
    (await invite()).link,
    (await createPasswordReset(deps, user.id, SYSTEM)).link,
    (await createSignInLink(deps, market.demo.operator.email)).link,
  ]
  return [
    ...links.map((link) => pathOf(link ?? '')),
    `/confirm-email?token=${await renewToken(deps, id, { mailed: true })}`,
  ]
}

test('no page of a link tells its address to others, nor is compressed', async () => {
  const user = await market.deps.db.user.findFirstOrThrow({ where: { operator: false } })
  const paths = await linksOf(user)
  expect(paths.map((path) => path.split('?')[0]).sort()).toEqual([
    '/confirm-email',
    '/invitation',
    '/reset-password',
    '/signin/link',
  ])
  for (const path of paths) {
    const page = await webClient(market).get(path, { 'accept-encoding': 'gzip' })
    const { headers } = page
    expect([path, page.status, headers.get('referrer-policy')]).toEqual([path, 200, 'no-referrer'])
    expect(headers.get('cache-control')).toContain('no-transform')
    expect(headers.get('content-encoding')).toBeNull()
  }
})

test('the form of a link that has expired leads back to the link', async () => {
  const user = await market.deps.db.user.findFirstOrThrow({ where: { operator: false } })
  for (const path of await linksOf(user)) {
    const browser = webClient(market)
    const { _csrf: _old, ...fields } = hiddenFields((await browser.get(path)).text)
    const expired = await browser.submit(path.split('?')[0] ?? '', fields)
    expect(expired.status).toBe(403)
    expect(expired.text).toContain(`href="${path}">Open the page again<`)
    expect((await browser.get(path)).status).toBe(200)
  }
})

test.each(['dropped', 'taken'] as const)(
  'a second click on the form of a link finds what the first has done, its answer %s',
  async (answer) => {
    const user = await market.deps.db.user.findFirstOrThrow({ where: { operator: false } })
    // A new password ends the change of the email: last of all.
    for (const path of (await linksOf(user)).reverse()) {
      const browser = webClient(market)
      const fields = hiddenFields((await browser.get(path)).text)
      const form = { ...fields, newPassword: PASSWORD, repeatedPassword: PASSWORD }
      const action = path.split('?')[0] ?? ''
      const { first, second } = await submitTwice(browser, action, form, answer)
      expect([action, second.status, second.location]).toEqual([action, 303, first.location])
      expect((await browser.get(second.location ?? '')).status).toBe(200)
      // Nobody else gets that answer.
      const status = (await webClient(market).submit(action, form)).status
      expect([action, status]).toEqual([action, 403])
    }
  },
)

test('a mail scanner that opens a link changes nothing', async () => {
  const { link } = await invite()
  for (const method of ['GET', 'HEAD']) expect((await fetch(link, { method })).status).toBe(200)
  expect((await accept(market, link, PASSWORD)).status).toBe(200)
})

test('an operator makes a link for a new password on the page of a user', async () => {
  const { email } = market.demo.users[1] ?? { email: '' }
  const { id } = await market.deps.db.user.findUniqueOrThrow({ where: { email } })
  const link = linkOn(await operator.send(`/Operator/Users/${id}/PasswordReset`))
  const person = webClient(market)
  const page = await person.get(pathOf(link))
  const fields = { ...hiddenFields(page.text), newPassword: PASSWORD, repeatedPassword: PASSWORD }
  expect((await person.post('/reset-password', fields)).location).toBe('/login')
  expect(typeof (await accountToken(market, { email, password: PASSWORD }))).toBe('string')
})

describe('/forgot', () => {
  test('asks the operator where nothing is mailed', async () => {
    const { text } = await webClient(market).get('/forgot')
    expect(text).toContain('Ask the operator of this marketplace')
    expect(text).not.toContain('<form class="stack"')
  })

  test('answers the same for known and unknown addresses, and mails to the known one', async () => {
    const { email } = mailing.demo.users[0] ?? { email: '' }
    const ask = async (address: string) => {
      const person = webClient(mailing)
      const { _csrf = '' } = hiddenFields((await person.get('/forgot')).text)
      const { second } = await submitTwice(person, '/forgot', { _csrf, email: address })
      expect([second.status, second.location]).toEqual([303, '/forgot'])
      const { status, text } = await person.get('/forgot')
      return { status, text: text.replaceAll(/name="_csrf" value="[^"]*"/g, '') }
    }
    const unknown = await ask('nobody@people.example')
    let known: typeof unknown | undefined
    const mail = await mails.next(email, async () => {
      known = await ask(email)
    })
    expect(known).toEqual(unknown)
    expect(unknown.text).toContain('a mail with a link is on its way')
    await mailsDone(mailing)
    // A second click mails no other link, which would end the first.
    expect(mails.received.filter(({ to }) => to === email)).toHaveLength(1)
    expect(mails.received.map(({ to }) => to)).not.toContain('nobody@people.example')
    expect((await complete(mailing, mail.link, PASSWORD)).body).toEqual({ email })
  })

  test('says what is no address, and when it was asked too often', async () => {
    const person = webClient(mailing)
    const ask = async (email: string) =>
      person.post('/forgot', { ...hiddenFields((await person.get('/forgot')).text), email })
    expect((await ask('nobody')).status).toBe(422)
    const email = newAddress()
    for (let count = 0; count < 10; count++) await ask(email)
    const limited = await ask(email)
    expect(limited.status).toBe(429)
    expect(limited.text).toContain('Wait a minute')
  })
})

describe('the first operator', () => {
  test('is invited by the command line by mail, or with a link where it is asked for', async () => {
    const mailed = await inviteByCommand(
      mailing.deps,
      { email: newAddress(), name: 'A', operator: true },
      'mail',
    )
    expect(mailed).toMatchObject({ mailed: true })
    const email = newAddress()
    const made = await inviteByCommand(
      mailing.deps,
      { email, name: 'First', operator: true },
      'hand over',
    )
    const { link } = made as { link: string }
    expect((await accept(mailing, link, PASSWORD)).status).toBe(200)
    const token = await accountToken(mailing, { email, password: PASSWORD })
    expect((await call(mailing, 'GET', '/v1/Operator/Users', { token })).status).toBe(200)
  })

  test('is told of at the start of a marketplace without one, and no password is made', async () => {
    const config = { ...market.deps.config, demo: false }
    const runtime = { deps: market.deps } as Parameters<typeof prepareDemo>[1]
    expect(await prepareDemo(config, runtime)).toBeUndefined()
    await market.deps.db.user.updateMany({ data: { operator: false } })
    const hint = await prepareDemo(config, runtime)
    expect(hint).toContain('npm run cli -- operator invite')
    expect(hint?.toLowerCase()).not.toContain('password')
  })
})
