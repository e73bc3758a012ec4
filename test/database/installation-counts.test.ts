import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { COUNTED_IN_LIST_MAX, COUNTED_MAX } from '../../src/base/values/page-of-list.ts'
import { readInstallsByDay } from '../../src/marketplace/apps/installs-by-day-service.ts'
import { startMarketplace, type TestMarketplace } from '../setup/app.ts'
import { type Author, author, draft, newId } from '../setup/apps.ts'
import { operatorBrowser, operatorCalls } from '../setup/operator.ts'
import { noteStatements, openExplainer, readTooMuch, type Sent } from '../setup/statements.ts'
import { signedInDeveloper } from '../setup/web-client.ts'

/** More than are counted. */
const INSTALLED = COUNTED_MAX + 500
/** Rows that one statement writes: no statement takes longer than the server lets it. */
const AT_ONCE = 4_000
const TABLES = new Set(['installations'])

let market: TestMarketplace
let developer: Author
let explainer: pg.Client
let statements: ReturnType<typeof noteStatements>
/** An app whose first version everybody has, and whose second one nobody. */
let id: string
beforeAll(async () => {
  market = await startMarketplace()
  statements = noteStatements(market.deps.pool)
  developer = await author(market)
  explainer = await openExplainer(market.databaseUrl)
  id = newId()
  for (const make of [developer.create, developer.put]) {
    const version = make === developer.create ? '1' : '2'
    const { status, text } = await make(draft(id, { version }))
    if (status >= 300) throw new Error(text)
  }
  for (let done = 0; done < INSTALLED; done += AT_ONCE) {
    await explainer.query(
      `WITH made AS (
         INSERT INTO parties (name, type)
         SELECT 'Party ' || n, 'Seller' FROM generate_series(1, $2::int) n RETURNING id, type)
       INSERT INTO installations (app_id, developer_id, party_id, party_type, purchase_option_id,
         installed_version, permissions)
       SELECT a.id, a.developer_id, p.id, p.type, 'free', '1', '{products:read}'
       FROM made p, apps a WHERE a.id = $1`,
      [id, Math.min(AT_ONCE, INSTALLED - done)],
    )
  }
  await explainer.query('VACUUM ANALYZE installations')
})
afterAll(async () => {
  await explainer?.end()
  await market?.close()
})

/** What a request reads of the installations beyond so many entries of an index. */
async function readTooManyOf(path: string, indexRows: number): Promise<string[]> {
  statements.take()
  const { status } = await developer.send('GET', path)
  expect(status).toBe(200)
  const sent = statements.take().filter(({ text }) => text.includes('installed_version ='))
  expect(sent).toHaveLength(1)
  const faults = sent.map((one) => readTooMuch(explainer, one, TABLES, { rows: 100, indexRows }))
  return (await Promise.all(faults)).flat()
}

describe('the installations of an app', () => {
  test('are counted less far in a list of apps than in the record of one', async () => {
    const operator = await operatorCalls(market)
    const { body: listed } = await operator('GET', `Apps?q=${id}`)
    expect(listed.map((one: { installations: number }) => one.installations)).toEqual([
      COUNTED_IN_LIST_MAX,
    ])
    const { body } = await operator('GET', `Apps/${id}`)
    expect(body.installations).toBe(COUNTED_MAX)
  })

  test('are shown on the pages as more than what is counted', async () => {
    const pages = [await operatorBrowser(market), await signedInDeveloper(market)]
    const lists = [`/Operator/Apps?q=${id}`, '/Developer']
    const records = [`/Operator/Apps/${id}`, `/Developer/Apps/${id}`]
    const shown = ['>1,000+</td>', 'more than 1,000 installations']
    for (const [n, browser] of pages.entries()) {
      expect((await browser.get(lists[n] ?? '')).text).toContain(shown[n])
      expect((await browser.get(records[n] ?? '')).text).toContain('more than 10,000')
    }
  })
})

describe('the installations of a version', () => {
  test('are counted up to a bound', async () => {
    const { body } = await developer.versions(id)
    const counts = body.map((one: { installations: number }) => one.installations)
    expect(counts).toEqual([0, COUNTED_MAX])
    expect(await readTooManyOf(`/${id}/Versions`, COUNTED_MAX)).toEqual([])
  })

  test('are not read for another version, or another page of versions', async () => {
    expect(await readTooManyOf(`/${id}/Versions/2`, 100)).toEqual([])
    expect(await readTooManyOf(`/${id}/Versions?limit=1`, 100)).toEqual([])
  })
})

test('installs and uninstalls by day read only those of the last days', async () => {
  const later = new Date(market.deps.now().getTime() + 60 * 86_400_000)
  const { rows } = await explainer.query(
    `UPDATE installations SET status = 'uninstalled', live = NULL,
       uninstalled_at = CASE WHEN party_id % 1000 = 0 THEN $2::timestamptz ELSE now() END
     WHERE app_id = $1 RETURNING developer_id AS "developerId", party_id % 1000 = 0 AS "isRecent"`,
    [id, later],
  )
  await explainer.query('VACUUM ANALYZE installations')
  statements.take()
  const deps = { db: market.deps.db, now: () => later }
  const days = await readInstallsByDay(deps, rows[0].developerId, id)
  const recent = rows.filter(({ isRecent }) => isRecent).length
  expect(recent).toBeGreaterThan(5)
  expect(days.at(-1)).toMatchObject({ installs: 0, uninstalls: recent })
  const [sent] = statements.take()
  const bounds = { rows: 100, indexRows: 100 }
  expect(await readTooMuch(explainer, sent as Sent, TABLES, bounds)).toEqual([])
})
