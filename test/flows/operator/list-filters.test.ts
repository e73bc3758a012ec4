import { describe, expect, test } from 'vitest'
import { createParty } from '../../../src/identity/accounts/parties-service.ts'
import { operatorConsole } from '../../setup/operator.ts'
import { signedIn, signedInDeveloper, type WebClient } from '../../setup/web-client.ts'

const { market, operator, seller, buyer } = operatorConsole()

const rowsOf = (text: string) =>
  [...text.matchAll(/class="row-name"|class="card app-card"|<tbody>\s*<tr/g)].length
const LONG = 'x'.repeat(201)

/** A page that lists nothing and says why, beside the control if the filter has one. */
async function refuses(browser: WebClient, path: string, field: string | undefined, words: string) {
  const { status, text } = await browser.get(path)
  expect([path, status, rowsOf(text)]).toEqual([path, 422, 0])
  expect(text).toContain('<title>Error: ')
  expect(text).toContain('There is a problem')
  expect(text.replaceAll(/&#39;|’/g, "'")).toContain(words)
  if (field === undefined) return expect(text).not.toContain('field-error')
  expect(text).toContain(`href="#${field}"`)
  expect(text).toContain(`id="${field}-error"`)
  expect(text).toMatch(new RegExp(`id="${field}"[^>]* aria-invalid="true"`))
}

describe('a filter that cannot be read lists nothing and says so', () => {
  test.each([
    ['Parties', `q=${LONG}`, 'q', 'Name must be at most 200 characters.'],
    ['Parties', 'type=x', 'type', 'Type: choose one from the list.'],
    ['Parties', 'suspended=x', 'suspended', 'State: choose one from the list.'],
    ['Parties', 'partnerId=x', undefined, 'must be the ID of an account.'],
    ['Parties', 'memberId=7', undefined, 'must be an ID.'],
    ['Users', 'partyId=Homewell', undefined, 'must be the ID of an account.'],
    ['Apps', 'developerId=northwind', undefined, 'must be an ID.'],
    ['Installations', 'status=gone', 'status', 'State: choose one from the list.'],
    ['Installations', 'partyId=Homewel', 'partyId', 'Homewell Supplies ('],
    ['Installations', 'partyId=Nobody', 'partyId', 'No account has this ID or name.'],
    ['Installations', 'partyId=999999', 'partyId', 'No account has this ID or name.'],
    ['Installations', 'appId=Price', 'appId', 'Price Sync (price-sync)'],
    ['Installations', 'appId=nothing', 'appId', 'No app has this ID or name.'],
    ['Audit', 'from=yesterday', 'from', 'From (UTC) must be a date, such as 2026-11-21.'],
    ['Audit', 'to=9999-99-99', 'to', 'must be a date'],
    ['Audit', 'to=9999-12-31', 'to', 'must be a date'],
    ['Audit', 'from=0999-12-31', 'from', 'must be a date'],
    ['Audit', 'from=2026-11-02&to=2026-11-01', 'to', 'Choose a day that is not before From.'],
    ['Audit', 'actorKind=x', 'actorKind', 'By: choose one from the list.'],
    ['Audit', 'partyId=x', undefined, 'must be the ID of an account.'],
    ['Audit', 'developerId=x', undefined, 'must be an ID.'],
  ])('of the operator: %s?%s', async (list, query, field, words) => {
    await refuses(operator(), `/Operator/${list}?${query}`, field, words)
  })

  test('of a developer', async () => {
    const browser = await signedInDeveloper(market())
    const path = '/Developer/Installations'
    for (const [query, field, words] of [
      ['appId=no-such-app', 'appId', 'You have no app with this ID.'],
      ['appId=catalog-sync', 'appId', 'You have no app with this ID.'],
      [`appId=${LONG}`, 'appId', 'App must be at most 200 characters.'],
      ['partyType=x', 'partyType', 'Installed by: choose one from the list.'],
      ['status=x', 'status', 'State: choose one from the list.'],
    ] as const) {
      await refuses(browser, `${path}?${query}`, field, words)
    }
    const { status, text } = await browser.get(`${path}?appId=price-sync&partyType=&status=`)
    expect([status, rowsOf(text) > 0]).toEqual([200, true])
  })

  test('of an account', async () => {
    const browser = await signedIn(market(), seller())
    await refuses(browser, '/Installed?partyId=77', undefined, 'Choose one of your accounts.')
    await refuses(browser, '/Installed?status=x', undefined, 'choose one from the list.')
    await refuses(
      browser,
      `/Installed?partyId=${buyer().partyId}`,
      undefined,
      'Choose one of your accounts.',
    )
    const userId = (
      await market().deps.db.user.findUniqueOrThrow({ where: { email: seller().email } })
    ).id
    const { id: partyId } = await createParty(market().deps, { name: 'Second', type: 'Buyer' })
    await market().deps.db.membership.create({ data: { userId, partyId } })
    const several = 'Choose one of your accounts.'
    await refuses(browser, '/Installed?partyId=77', 'partyId', several)
    for (const query of ['', '?partyId=', `?partyId=${seller().partyId}`, '?status=']) {
      const { status, text } = await browser.get(`/Installed${query}`)
      expect([query, status, rowsOf(text) > 0]).toEqual([query, 200, true])
    }
  })

  test('of the catalogue', async () => {
    await refuses(operator(), '/Apps?partyType=Everybody', 'partyType', 'Offered to: choose one')
    await refuses(operator(), `/Apps?q=${LONG}`, 'q', 'Search must be at most 200 characters.')
    await refuses(operator(), `/Apps?after=${LONG}`, undefined, 'must be the id of an app.')
    const { status, text } = await operator().get('/Apps?q=&partyType=')
    expect([status, rowsOf(text) > 0]).toEqual([200, true])
  })

  test('is kept in its control', async () => {
    const { text } = await operator().get(
      '/Operator/Installations?partyId=Homewel&appId=Price+Sync',
    )
    expect(text).toMatch(/<input id="partyId"[^>]*\svalue="Homewel"/)
    expect(text).toMatch(/<input id="appId"[^>]*\svalue="Price Sync"/)
  })
})

describe('an installation is found', () => {
  const installations = async (query: string) => {
    const { status, text } = await operator().get(`/Operator/Installations?${query}`)
    expect([query, status]).toEqual([query, 200])
    return [...text.matchAll(/class="row-name" href="([^"]+)"/g)].map(([, href]) => href).sort()
  }

  test('by the name of its app as by the id', async () => {
    const byId = await installations('appId=price-sync')
    expect(byId.length).toBeGreaterThan(0)
    expect(await installations('appId=Price+Sync')).toEqual(byId)
    expect(await installations('appId=%20PRICE+sync%20')).toEqual(byId)
  })

  test('by the whole name of its party as by the id', async () => {
    const byId = await installations(`partyId=${seller().partyId}`)
    expect(byId.length).toBeGreaterThan(0)
    expect(await installations('partyId=keyline+electronics')).toEqual(byId)
  })

  test('by a name of 200 characters, each of which may take two code units', async () => {
    const name = '\u{20bb7}'.repeat(200)
    await createParty(market().deps, { name, type: 'Buyer' })
    expect(await installations(`partyId=${encodeURIComponent(name)}`)).toEqual([])
    const { status, text } = await operator().get(`/Operator/Parties?q=${encodeURIComponent(name)}`)
    expect([status, text.split('<th scope="row">').length - 1]).toEqual([200, 1])
  })

  test('by a link where a part of a name is given, which keeps the other filters', async () => {
    const path = '/Operator/Installations'
    const { text } = await operator().get(`${path}?partyId=keyline&status=active`)
    const href = `?partyId=${seller().partyId}&amp;status=active`
    expect(text).toContain(`href="${href}"><bdi>Keyline Electronics (${seller().partyId})</bdi>`)
    expect((await installations(href.slice(1).replace('&amp;', '&'))).length).toBeGreaterThan(0)
  })

  test('by the id only where several parties have the name', async () => {
    for (const type of ['Buyer', 'Seller'] as const) {
      await createParty(market().deps, { name: 'Cellar Twin', type })
    }
    const path = '/Operator/Installations?partyId=Cellar+Twin'
    await refuses(operator(), path, 'partyId', 'Did you mean ')
  })
})

describe('the audit trail', () => {
  test('offers kinds of actors and objects in words', async () => {
    const { text } = await operator().get('/Operator/Audit')
    expect(text).toContain('<option value="install_request">Install request</option>')
    const offered = [...text.matchAll(/<option[^>]*>([^<]+)<\/option>/g)].map(([, label]) => label)
    expect(offered).toContain('Everyone')
    expect(offered.filter((label = '') => /^[a-z]|_/.test(label))).toEqual([])
  })

  const shownOn = async (query: string) => {
    const { status, text } = await operator().get(`/Operator/Audit?${query}`)
    expect([query, status]).toEqual([query, 200])
    return [...new Set([...text.matchAll(/entry-of-a-day-\d/g)].map(String))]
  }

  test('is filtered by whole days, of which the last one counts to its end', async () => {
    await market().deps.pool.query(
      `INSERT INTO audit_events (at, actor_kind, action, subject_kind, subject_id)
       SELECT at, 'system', 'party.changed', 'party', 'entry-of-a-day-' || n FROM unnest(ARRAY[
         '2090-05-03T23:59:59.999Z', '2090-05-04T00:00:00.000Z', '2090-05-04T23:59:59.999Z',
         '2090-05-05T00:00:00.000Z']::timestamptz[]) WITH ORDINALITY days(at, n) ORDER BY n`,
    )
    const newestFirst = (...days: number[]) => days.map((day) => `entry-of-a-day-${day}`)
    expect(await shownOn('from=2090-05-04&to=2090-05-04')).toEqual(newestFirst(3, 2))
    expect(await shownOn('from=2090-05-04')).toEqual(newestFirst(4, 3, 2))
    expect(await shownOn('subjectKind=party&to=2090-05-03')).toContain('entry-of-a-day-1')
    expect(await shownOn('from=1000-01-01&to=9998-12-31')).toEqual(newestFirst(4, 3, 2, 1))
  })
})

test('a forged cursor of a list is refused', async () => {
  expect((await operator().get('/Operator/Parties?cursor=AAAA')).status).toBe(400)
})

test('hostile and repeated fields of an address are answered', async () => {
  for (const query of [
    'q[]=x&q=y',
    `q=${'x'.repeat(5000)}`,
    'from=0001-01-01',
    'from=1000-01-01&to=9998-12-31',
  ]) {
    for (const list of ['Parties', 'Users', 'Developers', 'Apps', 'Installations', 'Audit']) {
      const address = `/Operator/${list}?${query}`
      expect([address, (await operator().get(address)).status < 500]).toEqual([address, true])
    }
  }
})
