import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { type Author, author, draft, everything, newId } from '../../../setup/apps.ts'
import { call } from '../../../setup/client.ts'
import { type Customer, newCustomer, newMember, sandboxUser } from '../../../setup/customer.ts'
import { expectProblem, pointersOf } from '../../../setup/expect-problem.ts'

let market: TestMarketplace
let developer: Author
let other: Author
/** One that is named or has a link, and a stranger. */
let guest: Customer
let stranger: Customer
let id: string
beforeAll(async () => {
  market = await startMarketplace()
  developer = await author(market)
  other = await author(market, 1)
  guest = await newCustomer(market)
  stranger = await newCustomer(market)
})
afterAll(() => market.close())
beforeEach(async () => {
  id = newId()
  expect((await developer.create(draft(id))).body.visibility).toBe('draft')
})

const setVisibility = (body: object, headers = {}) =>
  developer.send('PUT', `/${id}/Visibility`, body, headers)
const show = async (body: object) => {
  const answer = await setVisibility(body)
  expect(answer.status).toBe(200)
  return answer.body
}
const makeLink = async (body: object = {}) => {
  const answer = await developer.send('POST', `/${id}/InstallLinks`, body)
  expect(answer.status).toBe(201)
  return answer.body
}
const use = (link: string, customer = guest, partyId = customer.party.id) =>
  call(market, 'POST', '/v1/Account/InstallLinks', {
    token: customer.token,
    body: { link, partyId },
  })
const install = async ({ token, party, install }: Customer) => {
  const { body } = await call(market, 'GET', `/v1/Account/Apps/${id}`, { token })
  const termsDocument = body.termsDocument && { sha256: body.termsDocument.sha256 }
  return install({
    ...{ appId: id, partyId: party.id, purchaseOptionId: 'free' },
    ...(termsDocument && { termsDocument }),
  })
}

/** The statuses of whatever shows an app to somebody, anonymous without a token. */
async function seenBy(customer?: { token: string }) {
  const open = [
    `/v1/Apps/${id}`,
    `/v1/Apps/${id}/PurchaseOptions/free/Quote`,
    `/v1/Apps/${id}/TermsDocument`,
  ]
  await developer.putTerms(id, '# Terms', 'text/markdown')
  const statuses = await Promise.all(
    open.map(async (path) => (await call(market, 'GET', path)).status),
  )
  const { body } = await call(market, 'GET', `/v1/Apps?q=${id}`)
  if (customer === undefined) return { open: statuses, found: body.length }
  const own = await call(market, 'GET', `/v1/Account/Apps/${id}`, { token: customer.token })
  return { open: statuses, found: body.length, own: own.status }
}

const HIDDEN = [404, 404, 404]
const SHOWN = [200, 200, 200]

describe('visibility', () => {
  test('a draft is found only in the sandbox of its developer', async () => {
    expect(await seenBy(stranger)).toEqual({ open: HIDDEN, found: 0, own: 404 })
    expect((await seenBy(await sandboxUser(market))).own).toBe(200)
    expectProblem(await install(stranger), 'unprocessable')
  })

  test('a private app is found by the accounts that are named, and by nobody else', async () => {
    const shown = await show({ visibility: 'private', partyIds: [guest.party.id] })
    expect(shown).toEqual({ visibility: 'private', listed: false, partyIds: [guest.party.id] })
    expect(await seenBy(guest)).toEqual({ open: HIDDEN, found: 0, own: 200 })
    expect((await seenBy(stranger)).own).toBe(404)
    expectProblem(await install(stranger), 'unprocessable')
    expect((await install(guest)).status).toBe(201)
  })

  test('an account does not find what another account of the same user finds', async () => {
    const both = await newCustomer(market, 'Seller', [guest.party.id])
    await show({ visibility: 'private', partyIds: [guest.party.id] })
    expect((await seenBy(both)).own).toBe(200)
    expectProblem(await install(both), 'unprocessable')
  })

  test('an unlisted app is found by its address, and in no list', async () => {
    await show({ visibility: 'unlisted' })
    expect(await seenBy(stranger)).toEqual({ open: SHOWN, found: 0, own: 200 })
    expect((await install(stranger)).status).toBe(201)
  })

  test('a listed app is found by everybody; `listed` says the same as before', async () => {
    expect(await show({ visibility: 'listed' })).toMatchObject({ listed: true })
    expect(await seenBy()).toEqual({ open: SHOWN, found: 1 })
    expect((await developer.read(id)).body).toMatchObject({ listed: true, visibility: 'listed' })
  })

  test('narrowing keeps installations', async () => {
    await show({ visibility: 'listed' })
    const { body } = await install(stranger)
    for (const visibility of ['unlisted', 'private', 'draft']) await show({ visibility })
    expect((await stranger.read(body.id)).body.status).toBe('active')
    expect((await seenBy(stranger)).own).toBe(404)
  })

  test('other names take the place of the former ones; without them these stay', async () => {
    await show({ visibility: 'private', partyIds: [guest.party.id] })
    expect((await show({ visibility: 'private' })).partyIds).toEqual([guest.party.id])
    const { partyIds } = await show({ visibility: 'private', partyIds: [stranger.party.id] })
    expect(partyIds).toEqual([stranger.party.id])
    expect((await seenBy(guest)).own).toBe(404)
    expect((await show({ visibility: 'private', partyIds: [] })).partyIds).toEqual([])
  })

  test('accounts that there are not are refused, each at its place', async () => {
    const before = await everything(market)
    const answer = await setVisibility({
      visibility: 'private',
      partyIds: [guest.party.id, 999_999],
    })
    expectProblem(answer, 'unprocessable')
    expect(pointersOf(answer)).toEqual(['/partyIds/1'])
    expect(await everything(market)).toEqual(before)
  })

  test('an incomplete app stays a draft', async () => {
    await developer.put(draft(id, { description: '', permissions: [], version: '2' }))
    for (const visibility of ['private', 'unlisted', 'listed']) {
      const answer = await setVisibility({ visibility })
      expectProblem(answer, 'unprocessable')
      expect(pointersOf(answer)).toEqual(['/description', '/permissions'])
    }
    await show({ visibility: 'draft' })
  })

  test('fewer can find an app whatever it lacks by now', async () => {
    await show({ visibility: 'listed' })
    await market.deps.db.app.update({ where: { id }, data: { description: '' } })
    expectProblem(await developer.list(id), 'unprocessable')
    expect((await developer.unlist(id)).body.visibility).toBe('unlisted')
    await show({ visibility: 'private' })
    expectProblem(await setVisibility({ visibility: 'unlisted' }), 'unprocessable')
    await show({ visibility: 'draft' })
  })

  test('Unlist leaves an app alone that is not listed', async () => {
    expect((await developer.unlist(id)).body.visibility).toBe('draft')
    await show({ visibility: 'private' })
    expect((await developer.unlist(id)).body.visibility).toBe('private')
  })

  test('If-Match guards it, and repeating it changes nothing', async () => {
    const { headers } = await developer.read(id)
    const etag = headers.get('etag') ?? ''
    const first = await setVisibility({ visibility: 'unlisted' }, { 'if-match': etag })
    expect(first.status).toBe(200)
    expectProblem(
      await setVisibility({ visibility: 'listed' }, { 'if-match': etag }),
      'precondition_failed',
    )
    const before = await everything(market)
    await show({ visibility: 'unlisted' })
    expect(await everything(market)).toEqual(before)
  })

  test.each([
    [{ visibility: 'public' }, '/visibility'],
    [{ visibility: 'private', partyIds: ['1'] }, '/partyIds/0'],
    [{ visibility: 'private', partyIds: [2 ** 31] }, '/partyIds/0'],
    [{ visibility: 'private', partyIds: null }, '/partyIds'],
    [{}, '/visibility'],
  ])('%o is refused at %s', async (body, pointer) => {
    const answer = await setVisibility(body)
    expect([400, 422]).toContain(answer.status)
    expect(pointersOf(answer)).toEqual([pointer])
  })

  test("another developer's app is not found", async () => {
    const path = `/${id}/Visibility`
    expectProblem(await other.send('GET', path), 'not_found')
    expectProblem(await other.send('PUT', path, { visibility: 'listed' }), 'not_found')
    for (const method of ['GET', 'POST']) {
      const body = method === 'POST' ? {} : undefined
      expectProblem(await other.send(method, `/${id}/InstallLinks`, body), 'not_found')
    }
  })

  test('what the release before writes in `listed` counts, and it finds `listed` as it was', async () => {
    const { pool } = market.deps
    const read = async () => {
      const sql = 'SELECT visibility, listed FROM apps WHERE id = $1'
      const { rows } = await pool.query(sql, [id])
      return [rows[0].visibility, rows[0].listed]
    }
    await pool.query('UPDATE apps SET listed = true WHERE id = $1', [id])
    expect(await read()).toEqual(['listed', true])
    await pool.query('UPDATE apps SET listed = false WHERE id = $1', [id])
    expect(await read()).toEqual(['draft', false])
    await pool.query("UPDATE apps SET visibility = 'listed' WHERE id = $1", [id])
    expect(await read()).toEqual(['listed', true])
    await pool.query("UPDATE apps SET visibility = 'private' WHERE id = $1", [id])
    expect(await read()).toEqual(['private', false])
  })
})

describe('an install link', () => {
  beforeEach(() => show({ visibility: 'private' }))

  test('lets an account find and install the app, and is shown once', async () => {
    const link = await makeLink()
    expect(link).toMatchObject({ uses: null, used: 0, partyId: null, expiresAt: null })
    expect(link.url).toMatch(/\/install-link\?token=amkt_install_/)
    const used = await use(link.url)
    expect([used.status, used.body.id]).toEqual([200, id])
    expect((await seenBy(guest)).own).toBe(200)
    expect((await install(guest)).status).toBe(201)
    expect((await seenBy(stranger)).own).toBe(404)
    const { body } = await developer.send('GET', `/${id}/InstallLinks`)
    expect(body).toEqual([{ ...link, url: undefined, used: 1 }].map(({ url: _, ...one }) => one))
  })

  test('counts each account once, and ends after its uses', async () => {
    const { url } = await makeLink({ uses: 1 })
    for (let time = 0; time < 2; time++) expect((await use(url)).status).toBe(200)
    expectProblem(await use(url, stranger), 'invalid_link')
    expect((await seenBy(stranger)).own).toBe(404)
  })

  test('of many accounts that use the last use at once, one gets it', async () => {
    const { url } = await makeLink({ uses: 1 })
    const many = await Promise.all(Array.from({ length: 6 }, () => newCustomer(market)))
    const answers = await Promise.all(many.map((one) => use(url, one)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 410, 410, 410, 410, 410])
    const { body } = await developer.send('GET', `/${id}/InstallLinks`)
    expect(body[0].used).toBe(1)
  })

  test('is for one account, where one is named', async () => {
    const { url } = await makeLink({ partyId: guest.party.id })
    expectProblem(await use(url, stranger), 'invalid_link')
    expect((await use(url)).status).toBe(200)
  })

  test('ends at its time', async () => {
    const expiresAt = new Date(market.deps.now().getTime() + 60_000).toISOString()
    const { url } = await makeLink({ expiresAt })
    market.advance(61)
    try {
      expectProblem(await use(url), 'invalid_link')
    } finally {
      market.advance(-61)
    }
  })

  test('deleted, takes the app from those who used it, and leaves their installations', async () => {
    const link = await makeLink()
    await use(link.url)
    const installation = await install(guest)
    expect((await developer.send('DELETE', `/${id}/InstallLinks/${link.id}`)).status).toBe(204)
    expectProblem(await use(link.url, stranger), 'invalid_link')
    expect((await seenBy(guest)).own).toBe(404)
    expect((await guest.read(installation.body.id)).body.status).toBe('active')
    expectProblem(await developer.send('DELETE', `/${id}/InstallLinks/${link.id}`), 'not_found')
  })

  test('of an account that is named then, deleted, takes nothing', async () => {
    const link = await makeLink()
    await use(link.url)
    await show({ visibility: 'private', partyIds: [guest.party.id] })
    await developer.send('DELETE', `/${id}/InstallLinks/${link.id}`)
    expect((await seenBy(guest)).own).toBe(200)
  })

  test('works for members, for own accounts only, and leads to no draft', async () => {
    const { url } = await makeLink()
    expectProblem(await use(url, stranger, guest.party.id), 'not_found')
    const { email, password } = await newMember(market, guest.party.id)
    const signedIn = await call(market, 'POST', '/v1/Account/Auth', { body: { email, password } })
    const member = { ...guest, token: signedIn.body.token }
    expect((await use(url, member)).status).toBe(200)
    await show({ visibility: 'draft' })
    expectProblem(await use(url, stranger), 'invalid_link')
  })

  test('of which nobody knows the token is like none', async () => {
    const { url } = await makeLink()
    const token = new URL(url).searchParams.get('token') ?? ''
    for (const wrong of [`${token}x`, token.toUpperCase(), 'amkt_install_', 'nothing', '\0']) {
      const answer = await use(wrong)
      expect([400, 410]).toContain(answer.status)
    }
    expect((await use(token)).status).toBe(200)
  })

  test('that was found in public and reported ends', async () => {
    const { url } = await makeLink()
    await call(market, 'POST', '/v1/Secrets/Report', { body: { secret: url } })
    expectProblem(await use(url), 'invalid_link')
  })

  test('for an account that there is not or a moment that has passed is refused', async () => {
    const past = '2020-01-01T00:00:00Z'
    const answer = await developer.send('POST', `/${id}/InstallLinks`, {
      partyId: 999_999,
      expiresAt: past,
    })
    expectProblem(answer, 'unprocessable')
    expect(pointersOf(answer)).toEqual(['/expiresAt', '/partyId'])
    for (const body of [{ uses: 0 }, { uses: 1.5 }, { uses: '1' }, { more: 1 }]) {
      const refused = await developer.send('POST', `/${id}/InstallLinks`, body)
      expect([400, 422]).toContain(refused.status)
    }
  })

  test('goes with its app', async () => {
    const { url } = await makeLink()
    await use(url)
    expect((await developer.remove(id)).status).toBe(204)
    expectProblem(await use(url, stranger), 'invalid_link')
  })
})
