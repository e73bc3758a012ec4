import { randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type SharedMarketplace, sharedMarketplace } from '../../../setup/app.ts'
import { author, draft, newId } from '../../../setup/apps.ts'
import type { Answer } from '../../../setup/client.ts'
import { developerCalls, listedApp, newCustomer } from '../../../setup/customer.ts'
import { expectProblem, pointersOf } from '../../../setup/expect-problem.ts'
import { type InstalledVersionOne, installedVersionOne } from '../../../setup/versions.ts'

let market: SharedMarketplace
let one: InstalledVersionOne
beforeAll(async () => {
  market = await sharedMarketplace()
})
beforeEach(async () => {
  one = await installedVersionOne(market)
})

const idsOf = ({ body }: Answer): string[] => body.map(({ id }: { id: string }) => id)
const values = async () => (await one.calls.read(one.id)).body.adminSettings

describe('one installation', () => {
  test('is the entry of the list, with an ETag that no cache may keep', async () => {
    const answer = await one.calls.read(one.id)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('etag')).toBe('"2"')
    expect(answer.headers.get('cache-control')).toBe('no-store, no-transform')
    const { body } = await one.calls.list(`?appId=${one.app.id}`)
    expect(body).toEqual([answer.body])
  })

  test('has its passwords in clear; with secrets=omit they are left out, and only they', async () => {
    await one.calls.patch(one.id, { adminSecret: 'hidden' })
    const shown = (await one.calls.read(one.id)).body
    expect(shown.userSettings.secret).toBe('s3cret-one')
    expect(shown.adminSettings).toEqual({ adminText: 'routing', adminSecret: 'hidden' })
    const omitted = await one.calls.read(one.id, '?secrets=omit')
    expect(omitted.text).not.toMatch(/s3cret-one|hidden/)
    const { secret: _secret, ...userSettings } = shown.userSettings
    expect(omitted.body).toEqual({
      ...shown,
      userSettings,
      adminSettings: { adminText: 'routing' },
    })
    const list = await one.calls.list(`?secrets=omit&appId=${one.app.id}`)
    expect(list.body).toEqual([omitted.body])
  })

  test('is the own one of each reader, also when reads arrive together', async () => {
    const second = await installedVersionOne(market)
    const stranger = developerCalls(market, (await author(market, 1)).token)
    const ids = [one.id, second.id, randomUUID()]
    const read = async ({ read }: typeof stranger, id: string) => {
      const { status, body } = await read(id)
      return status === 200 ? body.id : body.code
    }
    const answers = await Promise.all([
      ...ids.map((id) => read(one.calls, id)),
      ...ids.map((id) => read(stranger, id)),
    ])
    expect(answers).toEqual([one.id, second.id, ...Array(4).fill('not_found')])
  })

  test.each(['secrets=show', 'secrets=', 'secrets=omit&secrets=omit', 'x=1'])(
    'takes no query %s',
    async (query) => {
      expectProblem(await one.calls.read(one.id, `?${query}`), 'invalid_request')
    },
  )
})

test('the list ends with 1 MiB of settings and passwords, and leads on', async () => {
  const keys = Array.from({ length: 60 }, (_, at) => `key${at}`)
  const typeOf = (at: number) => (at % 2 === 0 ? 'text' : 'password')
  const settings = keys.map((key, at) => [key, { type: typeOf(at), name: key }])
  const userSettings = Object.fromEntries(keys.map((key) => [key, 'v'.repeat(8000)]))
  const definition = draft(newId(), { settings: { free: Object.fromEntries(settings) } })
  const { id: appId } = await listedApp(one.developer, definition)
  const ids: string[] = []
  for (let count = 0; count < 3; count += 1) {
    const customer = await newCustomer(market)
    const { body } = await customer.install({ appId, purchaseOptionId: 'free', userSettings })
    ids.push(body.id)
  }
  const first = await one.calls.list(`?appId=${appId}`)
  expect(idsOf(first)).toEqual(ids.slice(0, 2))
  const link = first.headers.get('link') ?? ''
  const rest = await one.calls.list(new URL(link.slice(1, link.indexOf('>'))).search)
  expect(idsOf(rest)).toEqual(ids.slice(2))
  expect(rest.headers.get('link')).toBeNull()
})

describe('updatedSince', () => {
  const since = (date: string, more = '') =>
    one.calls.list(`?appId=${one.app.id}&updatedSince=${encodeURIComponent(date)}${more}`)

  /** A millisecond after the last change, by the clock that wrote it. */
  const afterLastChange = async () => {
    const { updatedAt } = (await one.calls.read(one.id)).body
    return new Date(Date.parse(updatedAt) + 1).toISOString()
  }

  test('has what changed at or after that time, uninstalled ones as well', async () => {
    const { updatedAt } = (await one.calls.read(one.id)).body
    expect(idsOf(await since(updatedAt))).toEqual([one.id])
    expect(idsOf(await since('0001-01-01T00:00:00Z'))).toEqual([one.id])
    expect(idsOf(await since(`2001-01-01T00:00:00.${'1'.repeat(500)}Z`))).toEqual([one.id])
    const later = await afterLastChange()
    expect(idsOf(await since(later))).toEqual([])
    await one.seller.uninstall(one.id)
    expect(idsOf(await since(later))).toEqual([one.id])
    expect(idsOf(await since(later, '&status=active'))).toEqual([])
    expect(idsOf(await one.calls.list(`?appId=${one.app.id}`))).toEqual([])
  })

  test.each<[string, () => Promise<Answer>]>([
    ['user settings', () => one.seller.patch(one.id, { text: 'new' })],
    ['a password', () => one.seller.patch(one.id, { secret: 'new' })],
    ['a removed setting', () => one.seller.patch(one.id, { note: null })],
    ['admin settings', () => one.calls.patch(one.id, { adminText: 'new' })],
    ['a purchase option', () => one.seller.changeOption(one.id, 'free')],
    ['a suspension', () => one.calls.suspend(one.id)],
    ['an uninstall', () => one.calls.uninstall(one.id)],
  ])('notices %s', async (_, change) => {
    const before = await afterLastChange()
    expect((await change()).status).toBeLessThan(300)
    expect(idsOf(await since(before))).toEqual([one.id])
  })

  test('takes an offset', async () => {
    const { updatedAt } = (await one.calls.read(one.id)).body
    const local = new Date(Date.parse(updatedAt) + 3_600_000).toISOString().replace('Z', '+01:00')
    expect(idsOf(await since(local))).toEqual([one.id])
  })

  test.each(['0001-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z', '2000-02-29T00:00:00Z'])(
    'takes any date there is: %s',
    async (date) => {
      expect((await since(date)).status).toBe(200)
    },
  )

  test.each([
    ...['yesterday', '', '2026', '2026-01-01', '2026-01-01T00:00:00', '1700000000'],
    ...['2026-02-30T00:00:00Z', '2026-13-01T00:00:00Z', '2026-01-01T25:00:00Z'],
    ...['0000-01-01T00:00:00Z', '9999-12-31T23:59:59-14:00', '0001-01-01T00:00:00+14:00'],
    ...['+275760-09-13T00:00:00Z', '-000001-01-01T00:00:00Z', '2026-01-01T00:00:00Z;drop'],
    ...['2026-01-01T00:00:00+99:99'],
  ])('%j is 400 with a pointer', async (date) => {
    const answer = await since(date)
    expectProblem(answer, 'invalid_request')
    expect(pointersOf(answer)).toEqual(['/updatedSince'])
  })
})

describe('a merge patch of the admin settings', () => {
  test('takes natural JSON or text and answers text', async () => {
    const given = { adminNumber: 2.5, adminFlag: true, adminChoice: 5, adminMust: 'must' }
    const answer = await one.calls.patch(one.id, given)
    expect(answer.status).toBe(200)
    const text = { adminNumber: '2.5', adminFlag: 'true', adminChoice: '5', adminMust: 'must' }
    expect(answer.body.adminSettings).toEqual({ adminText: 'routing', ...text })
    expect((await one.calls.patch(one.id, text)).body.adminSettings).toEqual(
      answer.body.adminSettings,
    )
    expect(answer.body.userSettings).toMatchObject({ text: 'jane', secret: 's3cret-one' })
  })

  test('keeps a password encrypted, and an empty one keeps it', async () => {
    await one.calls.patch(one.id, { adminSecret: 'hidden' })
    await one.calls.patch(one.id, { adminSecret: '', adminText: 'x' })
    expect(await values()).toEqual({ adminSecret: 'hidden', adminText: 'x' })
    const row = await market.deps.db.settingValue.findFirstOrThrow({
      where: { installationId: one.id, key: 'adminSecret' },
    })
    expect(row.value).toBeNull()
    expect(Buffer.from(row.secret ?? []).includes('hidden')).toBe(false)
  })

  test('removes with null what is not mandatory; a mandatory one, once set, stays', async () => {
    await one.calls.patch(one.id, { adminMust: 'must' })
    expect((await one.calls.patch(one.id, { adminText: null })).status).toBe(200)
    const answer = await one.calls.patch(one.id, { adminMust: null })
    expect(pointersOf(answer)).toEqual(['/adminMust'])
    expect(await values()).toEqual({ adminMust: 'must' })
  })

  test('refuses all problems at once, user settings among them', async () => {
    const answer = await one.calls.patch(one.id, {
      ...{ text: 'x', secret: 'x', adminNumber: 0.25, adminFlag: 'maybe', adminChoice: 'x' },
      ...{ adminText: 5, adminMust: '', unknown: 1, status: 'active' },
    })
    expectProblem(answer, 'unprocessable')
    expect(pointersOf(answer)).toEqual([
      ...['/adminChoice', '/adminFlag', '/adminMust', '/adminNumber', '/adminText'],
      ...['/secret', '/status', '/text', '/unknown'],
    ])
    expect(await values()).toEqual({ adminText: 'routing' })
  })

  test('with If-Match goes through once', async () => {
    const headers = { 'if-match': (await one.calls.read(one.id)).headers.get('etag') ?? '' }
    const first = await one.calls.patch(one.id, { adminText: 'one' }, headers)
    expect(first.status).toBe(200)
    expect(first.headers.get('etag')).not.toBe(headers['if-match'])
    expectProblem(
      await one.calls.patch(one.id, { adminText: 'two' }, headers),
      'precondition_failed',
    )
  })

  test("with If-Match meets the account's changes as well", async () => {
    const headers = { 'if-match': (await one.calls.read(one.id)).headers.get('etag') ?? '' }
    await one.seller.patch(one.id, { text: 'meanwhile' })
    expectProblem(await one.calls.patch(one.id, { adminText: 'x' }, headers), 'precondition_failed')
  })

  test('goes through while it is suspended', async () => {
    await one.calls.suspend(one.id)
    expect((await one.calls.patch(one.id, { adminText: 'x' })).status).toBe(200)
  })

  test.each(['application/json', 'application/merge-patch+json'])('comes as %s', async (type) => {
    const headers = { 'content-type': type }
    expect((await one.calls.patch(one.id, { adminText: 'x' }, headers)).status).toBe(200)
  })

  test.each([null, [], 'text', 5])('is an object, not %j', async (patch) => {
    expectProblem(await one.calls.patch(one.id, patch), 'invalid_request')
  })
})

test('so does a list of many installations of the usual size', async () => {
  const { id: appId } = await listedApp(one.developer, draft(newId()))
  const { body: live } = await (await newCustomer(market)).install({
    appId,
    purchaseOptionId: 'free',
  })
  const { rows } = await market.deps.pool.query<{ id: string }>(
    `INSERT INTO installations (app_id, developer_id, party_id, party_type, purchase_option_id,
       installed_version, permissions, status, live, uninstalled_at)
     SELECT app_id, developer_id, party_id, party_type, purchase_option_id, installed_version,
       permissions, 'uninstalled', NULL, now() FROM installations, generate_series(1, 400) WHERE id = $1
     RETURNING id`,
    [live.id],
  )
  await market.deps.pool.query(
    `INSERT INTO setting_values (installation_id, scope, key, value, updated_at)
     SELECT id, 'user', 'note', to_jsonb(repeat('v', 3400)), now() FROM unnest($1::uuid[]) AS id`,
    [rows.map(({ id }) => id)],
  )
  const pages: string[][] = []
  let query: string | undefined = `?appId=${appId}&status=uninstalled&limit=1000`
  while (query !== undefined) {
    const page: Answer = await one.calls.list(query)
    expect(page.text.length).toBeLessThan(1_048_576 + 4_096)
    pages.push(idsOf(page))
    const link = page.headers.get('link')
    query = link === null ? undefined : new URL(link.slice(1, link.indexOf('>'))).search
  }
  expect(pages.length).toBe(2)
  expect(pages.flat().sort()).toEqual(rows.map(({ id }) => id).sort())
})
