import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { SYSTEM } from '../../../src/base/values/actor.ts'
import { ignoring } from '../../../src/errors.ts'
import { createDeveloper } from '../../../src/identity/accounts/developers-service.ts'
import { addDeveloperMember } from '../../../src/identity/accounts/members/developer-members-service.ts'
import { createParty } from '../../../src/identity/accounts/parties-service.ts'
import { createUser } from '../../../src/identity/accounts/users-service.ts'
import { author, everything } from '../../setup/apps.ts'
import { fullDraft, GOOD_SETTINGS, listedApp, newCustomer } from '../../setup/customer.ts'
import { operatorConsole, operatorWithCode } from '../../setup/operator.ts'
import { hiddenFields, signedIn, webClient } from '../../setup/web-client.ts'

const { market, operator, db, seller, buyer, userIdOf, aDeveloper } = operatorConsole()

const INVITATION = randomUUID()

/** Every address of the console, with ids of things that there are. */
async function addresses(method: 'GET' | 'POST'): Promise<string[]> {
  const developer = await aDeveloper()
  const userId = await userIdOf(seller().email)
  const member = { userId, role: 'member' as const }
  await ignoring('already_exists', addDeveloperMember(market().deps, developer.id, member, SYSTEM))
  const terms = await db().acceptance.findFirstOrThrow({ where: { kind: 'terms' } })
  const ids: Record<string, string> = {
    Users: userId,
    Developers: developer.id,
    Parties: String(seller().partyId),
    Apps: 'price-sync',
    Invitations: INVITATION,
    Installations: terms.installationId,
  }
  return market()
    .app.routes.all()
    .filter((route) => route.method === method && route.url.startsWith('/Operator'))
    .map(({ url }) =>
      url
        .replace(':id', ids[url.split('/')[2] ?? ''] ?? '')
        .replace(':userId', userId)
        .replace(':sha256', terms.sha256)
        .replace(':partyId', String(seller().partyId))
        .replace(':otherId', String(buyer().partyId))
        .replace(':credentialId', developer.credentials[0]?.id ?? ''),
    )
}

describe('the operator console', () => {
  test('gives the ID of every record to be copied', async () => {
    const developer = await aDeveloper()
    const ids = {
      Users: await userIdOf(seller().email),
      Developers: developer.id,
      Parties: seller().partyId,
      Apps: 'price-sync',
      Installations: market().demo.installations[0]?.id,
    }
    for (const [list, id] of Object.entries(ids)) {
      const { text } = await operator().get(`/Operator/${list}/${id}`)
      expect(text).toMatch(new RegExp(`ID</dt><dd><bdi><code data-copy>${id}</code>`))
    }
    const { text } = await operator().get(`/Operator/Developers/${developer.id}`)
    expect(text).toContain(`<code data-copy>${developer.credentials[0]?.clientId}</code>`)
  })

  test('is there for operators: every address answers, none is stored', async () => {
    const paths = await addresses('GET')
    expect(paths.length).toBeGreaterThan(30)
    for (const path of paths) {
      const { status, headers } = await operator().get(path)
      expect([path, [200, 303].includes(status)]).toEqual([path, true])
      expect(headers.get('cache-control')).toContain('no-store')
    }
  })

  test('is nowhere for other users, who change nothing', async () => {
    const user = await signedIn(market(), seller())
    const { _csrf = '' } = hiddenFields((await user.get('/')).text)
    const before = await everything(market())
    for (const path of await addresses('GET')) {
      const { status, text } = await user.get(path)
      expect([path, status]).toEqual([path, 404])
      expect(text).toContain('Page not found')
    }
    const sent = {
      _csrf,
      name: 'New',
      operator: 'true',
      type: 'Buyer',
      reason: 'x',
      email: buyer().email,
      party: '3',
    }
    for (const path of await addresses('POST')) {
      expect([path, (await user.post(path, sent)).status]).toEqual([path, 404])
    }
    expect(await everything(market())).toEqual(before)
    expect((await user.get('/')).text).not.toContain('href="/Operator"')
  })

  test('sends who is not signed in to the sign-in, and from there back', async () => {
    const visitor = webClient(market())
    for (const path of await addresses('GET')) {
      const { status, location } = await visitor.get(path)
      expect([status, location]).toEqual([303, `/login?next=${encodeURIComponent(path)}`])
    }
    const next = '/Operator/Apps?q=price'
    expect((await visitor.login(market().demo.operator, next)).location).toBe(next)
    expect((await visitor.get(next)).text).toContain('Price Sync')
  })

  test('shows a page at every address that takes a form, for a sign-in to lead back to', async () => {
    const shown = new Set(await addresses('GET'))
    expect((await addresses('POST')).filter((path) => !shown.has(path))).toEqual([])
  })

  test('ends with the operator flag, at the next request', async () => {
    const id = await userIdOf(market().demo.operator.email)
    await db().user.update({ where: { id }, data: { operator: false } })
    expect((await operator().get('/Operator')).status).toBe(404)
    await db().user.update({ where: { id }, data: { operator: true } })
    expect((await operator().get('/Operator')).status).toBe(200)
  })

  test('knows nothing of ids that there are not', async () => {
    for (const path of [
      ...['Users', 'Developers', 'Installations'].map((what) => `${what}/${randomUUID()}`),
      ...['Users/x', 'Parties/0', 'Parties/999999', 'Parties/99999999999', 'Apps/no-such-app'],
      ...['Apps/no-such-app/Suspend', 'Parties/999999/Suspend', 'Apps/%00', 'Nothing'],
    ]) {
      expect([path, (await operator().get(`/Operator/${path}`)).status]).toEqual([path, 404])
    }
    const careful = await (await operatorWithCode(market())).browser()
    for (const path of [
      ...['Apps/no-such-app/Suspend', 'Apps/no-such-app/Resume', 'Parties/999999/Suspend'],
      ...['Parties/999999/Users', 'Parties/999999/Connections', `Users/${randomUUID()}/Password`],
      `Developers/${randomUUID()}/Credentials`,
    ]) {
      const sent = { reason: 'x', email: buyer().email, party: String(buyer().partyId) }
      expect([path, (await careful.send(`/Operator/${path}`, sent)).status]).toEqual([path, 404])
    }
  })
})

test('the page of an installation leads to its app, until that is deleted', async () => {
  const developer = await author(market())
  const { id: appId } = await listedApp(developer, fullDraft())
  const customer = await newCustomer(market())
  const install = { appId, purchaseOptionId: 'full', userSettings: GOOD_SETTINGS }
  const { body: installation } = await customer.install(install)
  const path = `/Operator/Installations/${installation.id}`
  const link = `href="/Operator/Apps/${appId}"`
  expect((await operator().get(path)).text).toContain(link)
  await customer.uninstall(installation.id)
  expect((await developer.remove(appId)).status).toBe(204)
  const { status, text } = await operator().get(path)
  expect(status).toBe(200)
  expect(text).toContain('(deleted)')
  expect(text).not.toContain(link)
})

describe('a list of the console', () => {
  test('has pages that lead to every entry once', async () => {
    const ids: number[] = []
    for (let index = 0; index < 90; index++) {
      ids.push((await createParty(market().deps, { name: `Paged ${index}`, type: 'Buyer' })).id)
    }
    const seen: number[] = []
    let path: string | undefined = '/Operator/Parties?q=Paged&type=Buyer'
    for (let pages = 0; path !== undefined && pages < 9; pages++) {
      const { text } = await operator().get(path)
      const found = text.matchAll(/class="row-name" href="\/Operator\/Parties\/(\d+)"/g)
      seen.push(...[...found].map(([, id]) => Number(id)))
      path = /rel="next" href="([^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&')
    }
    expect(seen).toEqual(ids)
  })

  test('filters by type and by suspension', async () => {
    const { id } = await createParty(market().deps, { name: 'Stopped One', type: 'Seller' })
    await operator().send(`/Operator/Parties/${id}/Suspend`, { reason: 'Unpaid.' })
    const suspended = (await operator().get('/Operator/Parties?suspended=true')).text
    expect(suspended).toContain('Stopped One')
    expect(suspended).not.toContain('Keyline')
    expect((await operator().get('/Operator/Parties?q=stopped&type=Buyer')).text).toContain(
      'No results',
    )
    expect((await operator().get('/Operator')).text).toContain('1 suspended')
  })

  test('agrees with the overview, which counts no removed user, and nothing closed as suspended', async () => {
    const { deps } = market()
    const gone = await createUser(deps, { name: 'Gone', email: 'gone@example.com' })
    const party = await createParty(deps, { name: 'Closed One', type: 'Seller' })
    const developer = await createDeveloper(deps, { name: 'Closed Two' })
    const counts = async () => {
      const { text } = await operator().get('/Operator')
      const cards = text.matchAll(/<strong>(\d+)<\/strong> (\w+)<\/a>(?:<[^>]+>)([^<]+)/g)
      return Object.fromEntries([...cards].map(([, all, what, stopped]) => [what, [all, stopped]]))
    }
    const before = await counts()
    expect((await operator().send(`/Operator/Users/${gone.id}/Remove`)).status).toBe(303)
    expect((await operator().send(`/Operator/Parties/${party.id}/Close`)).status).toBe(303)
    expect((await operator().send(`/Operator/Developers/${developer.id}/Close`)).status).toBe(303)
    const [users, suspended] = before.Users ?? []
    expect(await counts()).toEqual({ ...before, Users: [String(Number(users) - 1), suspended] })
    for (const [list, name] of [
      ['Parties', 'Closed One'],
      ['Developers', 'Closed Two'],
    ]) {
      const shown = async (state: string) =>
        (await operator().get(`/Operator/${list}?q=Closed&suspended=${state}`)).text.includes(
          `>${name}<`,
        )
      const found = [await shown('true'), await shown('false'), await shown('closed')]
      expect(found).toEqual([false, false, true])
    }
  })
})
