import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { type Author, author } from '../../setup/apps.ts'
import {
  type Customer,
  fullDraft,
  listedApp,
  newCustomer,
  newMember,
} from '../../setup/customer.ts'
import { acceptedRisk, filledForm, RISK, reviewedForm } from '../../setup/install-form.ts'
import { noteStatements } from '../../setup/statements.ts'
import { hiddenFields, signedIn, type WebClient } from '../../setup/web-client.ts'

let market: TestMarketplace
let developer: Author
let admin: Customer
let appId: string
let member: WebClient
let adminBrowser: WebClient

beforeAll(async () => {
  market = await startMarketplace()
  developer = await author(market)
})
afterAll(() => market.close())
beforeEach(async () => {
  admin = await newCustomer(market)
  appId = (await listedApp(developer, fullDraft({ acknowledgements: [RISK] }))).id
  member = await signedIn(market, await newMember(market, admin.party.id))
  adminBrowser = await signedIn(market, admin.user)
})

/** Asks over the forms, and answers the path of the request. */
async function ask(note = ''): Promise<string> {
  const filled = { ...(await filledForm(member, appId)), note }
  const review = await member.post(`/Apps/${appId}/Install`, filled)
  const form = { ...hiddenFields(review.text), note }
  const { location, text } = await member.submit(`/Apps/${appId}/Install`, form)
  if (location === null) throw new Error(text)
  return location
}

async function decide(browser: WebClient, path: string, fields: Record<string, string>) {
  const { text } = await browser.get('/Account')
  const { _csrf = '' } = hiddenFields(text)
  return browser.post(path, { _csrf, ...fields })
}

describe('the file of requests', () => {
  const PATH = '/Account/Requests/Export'
  const linesOf = async (browser: WebClient) => {
    const { status, text } = await browser.get(PATH)
    expect(status).toBe(200)
    return text.trimEnd().split('\r\n').slice(1)
  }

  test('has what waits and what was decided, with the reason and who decided', async () => {
    expect((await adminBrowser.get('/Account/Requests')).text).not.toContain(PATH)
    const declined = await ask('=1+1')
    const reason = { decision: 'decline', reason: 'Too dear, by far.' }
    expect((await decide(adminBrowser, declined, reason)).status).toBe(303)
    const waiting = await ask()
    expect((await adminBrowser.get('/Account/Requests')).text).toContain(`href="${PATH}">CSV<`)
    const { text, headers } = await adminBrowser.get(PATH)
    expect(headers.get('content-disposition')).toBe('attachment; filename="requests.csv"')
    expect(text.split('\r\n')[0]).toBe(
      'App,App ID,Version,Option,Account,Account ID,Requested by,Requested by ID,Requested,' +
        'Note,State,Decided,Decided by,Reason,Installation ID,Request ID',
    )
    const [first = '', second = '', ...more] = await linesOf(adminBrowser)
    expect(more).toEqual([])
    expect(first).toContain(`,${appId},`)
    expect(first).toContain(",'=1+1,Declined,")
    expect(first).toContain(',you,"Too dear, by far.",,')
    expect(second).toContain(',,Waiting,,,,,')
    expect([first, second].map((line) => `/Account/Requests/${line.split(',').at(-1)}`)).toEqual([
      declined,
      waiting,
    ])
  })

  test('has the own requests of a member, and those of all for an admin', async () => {
    await ask()
    const colleague = await signedIn(market, await newMember(market, admin.party.id))
    const other = await signedIn(market, (await newCustomer(market)).user)
    const readers = [member, adminBrowser, colleague, other]
    const counts = await Promise.all(readers.map(async (one) => (await linesOf(one)).length))
    expect(counts).toEqual([1, 1, 0, 0])
  })
})

describe('a member', () => {
  test('is led from the request to the listing only while there is one', async () => {
    const path = await ask()
    const link = `href="/Apps/${appId}"`
    expect((await member.get(path)).text).toContain(link)
    await developer.hide(appId)
    expect((await member.get(`/Apps/${appId}`)).status).toBe(404)
    expect((await member.get(path)).text).not.toContain(link)
  })

  test('requests an install with the form, and reads that an admin decides', async () => {
    expect((await member.get(`/Apps/${appId}`)).text).toContain('Request install')
    const form = await member.get(`/Apps/${appId}/Install?purchaseOptionId=full`)
    expect(form.text).toContain('Your admins will review this request.')
    const path = await ask('We\r\nneed it.')
    const { text } = await member.get(path)
    expect(text).toContain('An admin of the account will decide.')
    expect(text).toContain('Waiting')
    expect(text).toContain('Withdraw request')
    expect(text).not.toContain('Approve and install')
    expect(text).not.toContain('s3cret-one')
    expect((await admin.list()).body).toEqual([])
  })

  test.each(['full', 'free'])(
    'reads Request in each of three steps for %s, and writes the note in the last',
    async (option) => {
      const path = `/Apps/${appId}/Install`
      const choice = await member.get(`${path}?step=choose`)
      const filled = await filledForm(member, appId, option)
      const form = await member.get(`${path}?purchaseOptionId=${option}`)
      const review = await member.post(path, filled)
      for (const [index, { text }] of [choice, form, review].entries()) {
        expect(text).toMatch(/<h1>Request <bdi>/)
        expect(text).toContain(`, step ${index + 1} of 3 · `)
        expect(text).toContain(`Step ${index + 1} of 3: `)
        expect(text.includes('<textarea id="note"')).toBe(index === 2)
      }
      const back = await member.post(path, {
        ...hiddenFields(review.text),
        note: 'Kept.',
        step: 'settings',
      })
      expect(hiddenFields(back.text).note).toBe('Kept.')
    },
  )

  test('reads on the start page what becomes of the own requests, and the reason', async () => {
    const start = async () => (await member.get('/')).text
    expect(await start()).not.toContain('Your requests')
    const first = await ask()
    expect(await start()).toMatch(new RegExp(`Your requests.*href="${first}".*Waiting`, 's'))
    await decide(adminBrowser, first, { decision: 'decline', reason: 'Too <b>dear</b>.' })
    const declined = await start()
    expect(declined).toContain(`Declined by <bdi>${admin.user.name}</bdi>`)
    expect(declined).toContain('Reason: <bdi>Too &lt;b&gt;dear&lt;/b&gt;.</bdi>')
    expect((await adminBrowser.get('/')).text).not.toContain('Your requests')
  })

  test('sees the list of requests without what only the page of one shows', async () => {
    const path = await ask()
    const statements = noteStatements(market.deps.pool)
    for (const page of [path, '/Account/Requests'])
      expect((await member.get(page)).status).toBe(200)
    statements.take()
    expect((await member.get('/Account/Requests')).text).toContain(`href="${path}"`)
    const sent = statements.take().filter(({ text }) => text.includes('"install_requests"'))
    expect(sent.length).toBeGreaterThan(0)
    for (const { text } of sent) {
      expect(text).not.toMatch(/"(user_settings|passwords|consent|permissions)"/)
    }
  })

  test('reads on the listing that the own request waits, and is led to it', async () => {
    const form = await reviewedForm(member, appId)
    const path = await ask()
    for (const page of [`/Apps/${appId}`, `/Apps/${appId}/Install?purchaseOptionId=full`]) {
      const { text } = await member.get(page)
      expect(text).toContain('You asked for this app.')
      expect(text).toContain(`href="${path}">View your request<`)
      expect(text).not.toContain('Request install')
    }
    // A form that was opened before leads there, too.
    expect((await member.submit(`/Apps/${appId}/Install`, form)).location).toBe(path)
    await decide(member, path, { decision: 'withdraw' })
    expect((await member.get(`/Apps/${appId}`)).text).toContain('Request install')
  })

  test('who became an admin meanwhile still requests, as the page said', async () => {
    const form = await reviewedForm(member, appId)
    await market.deps.db.membership.updateMany({
      where: { partyId: admin.party.id },
      data: { role: 'admin' },
    })
    const { location } = await member.submit(`/Apps/${appId}/Install`, form)
    expect(location).toMatch(/^\/Account\/Requests\//)
    expect((await admin.list()).body).toEqual([])
  })

  test('who asks for what a colleague asked for reads in the form that the request waits already', async () => {
    const form = await reviewedForm(member, appId)
    const colleague = await signedIn(market, await newMember(market, admin.party.id))
    const asked = await reviewedForm(colleague, appId)
    expect((await colleague.submit(`/Apps/${appId}/Install`, asked)).status).toBe(303)
    const again = await member.post(`/Apps/${appId}/Install`, form)
    expect(again.status).toBe(409)
    expect(again.text).toContain(
      'A request for this app waits for an admin of the account already.',
    )
  })

  test('with a note that is too long gets the form back with it', async () => {
    const form = await reviewedForm(member, appId)
    const note = 'x'.repeat(501)
    const again = await member.post(`/Apps/${appId}/Install`, { ...form, note })
    expect(again.status).toBe(422)
    expect(again.text).toContain('Write a note of at most 500 characters')
    expect(again.text).toContain(note)
  })

  test('withdraws a request, and cannot decide it', async () => {
    const path = await ask()
    const refused = await decide(member, path, { decision: 'accept' })
    expect(refused.status).toBe(403)
    const withdrawn = await decide(member, path, { decision: 'withdraw' })
    expect(withdrawn.location).toBe('/Account/Requests')
    expect((await member.get('/Account/Requests')).text).toContain('Withdrawn')
  })
})

describe('an admin', () => {
  test('finds a request that waits, and accepts it with the texts of the app', async () => {
    const path = await ask('We need it.')
    for (const page of ['/', '/Installed', '/Account']) {
      expect((await adminBrowser.get(page)).text).toContain('1 install request to review')
      expect((await member.get(page)).text).not.toContain('to review')
    }
    expect((await adminBrowser.get('/Account/Requests')).text).toContain(path)
    const { text } = await adminBrowser.get(path)
    for (const shown of [
      'Morgan Member',
      'USD 10.00',
      'Reads your products.',
      'jane',
      'We need it.',
    ])
      expect(text).toContain(shown)
    expect(text).not.toContain('s3cret-one')
    const refused = await decide(adminBrowser, path, { decision: 'accept' })
    expect(refused.status).toBe(422)
    expect(refused.text).toContain('Please confirm “A risk”.')
    const done = await decide(adminBrowser, path, { decision: 'accept', ...acceptedRisk(text) })
    const [installed] = (await admin.list()).body
    expect(done.location).toBe(`/Installed/${installed.id}`)
    expect(installed).toMatchObject({ appId, purchaseOptionId: 'full', passwordsSet: ['secret'] })
    const decided = (await member.get(path)).text
    expect(decided).toContain('Accepted')
    expect(decided).toContain(`by <bdi>${admin.user.name}</bdi>`)
    const history = (await adminBrowser.get(`/Installed/${installed.id}`)).text
    expect(history).toContain('by you, asked for by <bdi>Morgan Member</bdi>')
    const list = (await adminBrowser.get('/Account/Requests')).text
    expect(list).toMatch(
      /Recent decisions.*Requested by <bdi>Morgan Member<\/bdi>.*Accepted by <bdi>you<\/bdi>/s,
    )
    expect(decided).toContain('<span class="muted">See the installation</span>')
    expect(decided).not.toContain('Deleted')
    for (const page of ['/', '/Installed', '/Account']) {
      expect((await adminBrowser.get(page)).text).not.toContain('to review')
    }
  })

  test('declines with a reason, which the member reads', async () => {
    const path = await ask()
    const refused = await decide(adminBrowser, path, { decision: 'decline', reason: ' ' })
    expect(refused.status).toBe(422)
    expect(refused.text).toContain('id="reason-error"><bdi>Enter a reason.</bdi>')
    // The field is far below the problem, and takes the focus alone.
    expect(refused.text).toMatch(/<textarea id="reason"[^>]* autofocus>/)
    expect(refused.text.match(/ autofocus/g)).toHaveLength(1)
    const reason = 'We have an app for this already.'
    const done = await decide(adminBrowser, path, { decision: 'decline', reason })
    expect(done.location).toBe('/Account/Requests')
    const declined = (await member.get(path)).text
    expect(declined).toContain(reason)
    const again = `<a class="button" href="/Apps/${appId}/Install">Request again</a>`
    expect((await member.get(path)).text).toContain(again)
    expect((await adminBrowser.get(path)).text).not.toContain(again)
    expect(await ask()).not.toBe(path)
    expect(declined).toContain('<span class="muted">Deleted</span>')
    expect((await member.get('/Account/Requests')).text).toContain('Declined')
  })

  test('who decides too late reads what became of the request', async () => {
    const path = await ask()
    await decide(member, path, { decision: 'withdraw' })
    for (const [decision, reason] of [
      ['accept', ''],
      ['decline', 'No.'],
      ['decline', ' '],
    ] as const) {
      const late = await decide(adminBrowser, path, { decision, reason })
      expect(late.status).toBe(409)
      expect(late.text).toContain('The request is withdrawn already.')
      expect(late.text).not.toContain('Enter a reason')
    }
  })

  test('whose form was refused reads nothing of it once the request is withdrawn', async () => {
    const path = await ask()
    const { text } = await adminBrowser.get(path)
    const blank = { ...hiddenFields(text), decision: 'decline', reason: ' ' }
    const refused = await adminBrowser.submit(path, blank)
    expect([refused.status, refused.text.includes('href="#reason"')]).toEqual([422, true])
    await decide(member, path, { decision: 'withdraw' })
    const again = await adminBrowser.get(path)
    expect(again.text).toContain('Withdrawn')
    expect(again.text).not.toContain('href="#reason"')
  })

  test('cannot accept what has another version by now', async () => {
    const path = await ask()
    const { text } = await adminBrowser.get(path)
    const newer = { ...fullDraft({ acknowledgements: [RISK] }), id: appId, version: '1.0.1' }
    expect((await developer.put(newer)).status).toBe(200)
    expect((await adminBrowser.get(path)).text).toContain('This request cannot be accepted.')
    const late = await decide(adminBrowser, path, { decision: 'accept', ...acceptedRisk(text) })
    expect(late.status).toBe(409)
    expect((await admin.list()).body).toEqual([])
  })

  test('of another account finds no such request', async () => {
    const path = await ask()
    const other = await signedIn(market, (await newCustomer(market)).user)
    expect((await other.get(path)).status).toBe(404)
    expect((await decide(other, path, { decision: 'decline', reason: 'No.' })).status).toBe(404)
    const listed = async (browser: WebClient) =>
      (await browser.get('/Account/Requests')).text.includes(path)
    expect(await listed(other)).toBe(false)
    await decide(member, path, { decision: 'withdraw' })
    expect([await listed(other), await listed(member)]).toEqual([false, true])
  })
})
