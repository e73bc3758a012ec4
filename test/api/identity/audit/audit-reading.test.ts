import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SYSTEM } from '../../../../src/base/values/actor.ts'
import { recordAudit } from '../../../../src/identity/audit/record-audit-service.ts'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { accountToken, call, demoInstallation, developerToken } from '../../../setup/client.ts'
import { expectProblem } from '../../../setup/expect-problem.ts'
import {
  auditCount,
  type OperatorCalls,
  operatorBrowser,
  operatorCalls,
} from '../../../setup/operator.ts'
import { demoUser } from '../../../setup/web-client.ts'

let market: TestMarketplace
let operator: OperatorCalls
let operatorId: string
beforeAll(async () => {
  market = await startMarketplace()
  operator = await operatorCalls(market)
  const { email } = market.demo.operator
  operatorId = (await market.deps.db.user.findUniqueOrThrow({ where: { email } })).id
  await operator('POST', 'Apps/price-sync/Suspend', { reason: 'late' })
  await operator('POST', 'Apps/price-sync/Resume')
  const { id } = demoInstallation(market, 'price-sync', 'Seller')
  await operator('POST', `Installations/${id}/Suspend`, { reason: 'late' })
  await operator('POST', `Installations/${id}/Resume`)
})
afterAll(() => market.close())

type Row = Record<string, unknown>
const latest = async (query = ''): Promise<Row[]> => (await operator('GET', `Audit${query}`)).body
const developerAudit = async (index: number, query = '') =>
  call(market, 'GET', `/v1/Developer/Audit${query}`, { token: await developerToken(market, index) })
const accountAudit = async (user: { email: string; password: string }, query = '') =>
  call(market, 'GET', `/v1/Account/Audit${query}`, { token: await accountToken(market, user) })

describe('what the operator sees', () => {
  test('is all of it, newest first, in pages', async () => {
    const all = await latest()
    expect(all).toHaveLength(await auditCount(market))
    const ids = all.map(({ id }) => Number(id))
    expect(ids).toEqual([...ids].sort((a, b) => b - a))
    const seen: unknown[] = []
    let path = 'Audit?limit=7'
    while (path !== '') {
      const { body, headers } = await operator('GET', path)
      seen.push(...body.map(({ id }: Row) => id))
      // What is written meanwhile comes before the first page and moves nothing.
      await recordAudit(market.deps.db, {
        actor: SYSTEM,
        action: 'app.changed',
        subject: { kind: 'test', id: 1 },
      })
      path = /\/v1\/Operator\/([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1] ?? ''
    }
    expect(seen).toEqual(ids)
  })

  test('can be narrowed by each filter, and by all together', async () => {
    const all = await latest()
    const app = all.find((row) => row.action === 'app.created') as Row
    const { id } = app.subject as { id: string }
    const owner = String(app.developerId)
    const expectOnly = async (query: string, fits: (row: Row) => boolean) => {
      const found = await latest(`?${query}`)
      expect(found).toEqual(all.filter(fits))
      expect(found.length).toBeGreaterThan(0)
      expect(found.length).toBeLessThan(all.length)
    }
    const actorKind = (row: Row) => (row.actor as Row).kind
    const subject = (row: Row) => row.subject as Row
    await expectOnly('actorKind=system', (row) => actorKind(row) === 'system')
    await expectOnly('action=app.created', (row) => row.action === 'app.created')
    await expectOnly('subjectKind=app', (row) => subject(row).kind === 'app')
    await expectOnly(`subjectId=${id}`, (row) => subject(row).id === id)
    await expectOnly(`developerId=${owner}`, (row) => row.developerId === owner)
    await expectOnly('partyId=3', (row) => row.partyId === 3)
    const middle = String(all[Math.floor(all.length / 2)]?.at)
    await expectOnly(`since=${middle}`, (row) => String(row.at) >= middle)
    await expectOnly(`until=${middle}`, (row) => String(row.at) < middle)
    const together = `actorKind=system&action=app.created&subjectKind=app&subjectId=${id}&developerId=${owner}`
    expect(await latest(`?${together}`)).toEqual([app])
  })

  test.each([
    'since=yesterday',
    'since=2026-02-30T00:00:00Z',
    'since=0000-01-01T00:00:00Z',
    'until=9999-12-31T23:59:59-23:59',
    'since=0001-01-01T00:00:00%2B14:00',
    'actorKind=god',
    'developerId=x',
    'partyId=0',
    'partyId=2147483648',
    'action=%00',
    'subjectId=a&subjectId=b',
  ])('a bad filter is refused: %s', async (query) => {
    expectProblem(await operator('GET', `Audit?${query}`), 'invalid_request')
  })
})

describe('what the others see', () => {
  const SHAPE = ['action', 'actor', 'after', 'at', 'before', 'id', 'subject']

  test('a developer sees what is its own, without addresses and ids of other people', async () => {
    const [first, second] = [await developerAudit(0), await developerAudit(1)]
    const shown = new Set(first.body.map(({ id }: Row) => id))
    const all = await latest()
    const owner = all.find((row) => (row.subject as Row).id === 'price-sync')?.developerId
    expect(first.body.length).toBe(all.filter((row) => row.developerId === owner).length)
    expect(second.body.length).toBeGreaterThan(0)
    expect(second.body.filter(({ id }: Row) => shown.has(id))).toEqual([])
    for (const row of [...first.body, ...second.body]) {
      expect(Object.keys(row).sort()).toEqual(SHAPE)
      if (!['developer', 'installation'].includes(row.actor.kind)) expect(row.actor.id).toBeNull()
    }
    expect(first.text).not.toContain('127.0.0.1')
    expect(first.text).not.toContain(operatorId)
    expect(first.text).toContain('app.suspended')
  })

  test('a user sees what is of its accounts, and narrows it to one of them only', async () => {
    const [kim, harper] = [demoUser(market, 'Seller'), demoUser(market, 'Seller', 1)]
    const mine = await accountAudit(kim)
    expect(mine.body.length).toBeGreaterThan(0)
    const all = await latest(`?partyId=${kim.partyId}`)
    expect(mine.body.map(({ id }: Row) => id)).toEqual(all.map(({ id }) => id))
    for (const row of mine.body) {
      expect(Object.keys(row).sort()).toEqual(SHAPE)
      if (!['user', 'installation'].includes(row.actor.kind)) expect(row.actor.id).toBeNull()
    }
    expect(mine.text).not.toContain('127.0.0.1')
    expect((await accountAudit(kim, `?partyId=${kim.partyId}`)).body).toEqual(mine.body)
    expect((await accountAudit(kim, `?partyId=${harper.partyId}`)).body).toEqual([])
    expect((await accountAudit(market.demo.operator)).body).toEqual([])
  })

  test('keys of admin settings are for the developer, not for the account', async () => {
    const { id } = demoInstallation(market, 'price-sync', 'Seller')
    const answer = await call(market, 'PATCH', `/v1/Developer/Installations/${id}/AdminSettings`, {
      token: await developerToken(market),
      body: { routing: 'changed/here' },
    })
    expect(answer.status).toBe(200)
    const query = '?action=installation.settings_changed'
    const developers = (await developerAudit(0, query)).body[0]
    const [party] = (await accountAudit(demoUser(market, 'Seller'), query)).body
    expect(developers.after).toEqual({ scope: 'admin', keys: ['routing'] })
    expect(developers.actor).toEqual({ kind: 'developer', id: 'northwind' })
    expect(party).toEqual({
      ...developers,
      actor: { kind: 'developer', id: null },
      after: { scope: 'admin' },
    })
  })

  test('a person of a developer is known to the developer, and is the developer to the account', async () => {
    const { id, partyId } = demoInstallation(market, 'price-sync', 'Seller')
    const { db } = market.deps
    const { developerId } = await db.app.findUniqueOrThrow({ where: { id: 'price-sync' } })
    const action = 'installation.test_token_made'
    const actor = { kind: 'user', id: operatorId, developerId, address: null } as const
    await recordAudit(db, {
      ...{ actor, action, developerId, partyId },
      subject: { kind: 'installation', id },
    })
    const query = `?action=${action}`
    const [own] = (await developerAudit(0, query)).body
    const [party] = (await accountAudit(demoUser(market, 'Seller'), query)).body
    expect(own.actor).toEqual({ kind: 'user', id: operatorId })
    expect(party.actor).toEqual({ kind: 'developer', id: null })
  })

  test('each trail is for its own kind of token, each cursor for its own trail', async () => {
    const developer = await developerToken(market)
    const user = await accountToken(market, demoUser(market, 'Seller'))
    for (const [path, token] of [
      ['/v1/Developer/Audit', user],
      ['/v1/Account/Audit', developer],
    ] as const) {
      expectProblem(await call(market, 'GET', path, { token }), 'wrong_token_kind')
      expectProblem(await call(market, 'GET', path), 'missing_token')
    }
    const link = (await developerAudit(0, '?limit=1')).headers.get('link') ?? ''
    const cursor = /cursor=([^>&]+)/.exec(link)?.[1]
    expect((await developerAudit(0, `?cursor=${cursor}`)).status).toBe(200)
    expectProblem(await developerAudit(1, `?cursor=${cursor}`), 'invalid_cursor')
    expectProblem(await operator('GET', `Audit?cursor=${cursor}`), 'invalid_cursor')
  })
})

describe('a page of large entries ends early, and leads on to all of them in order', () => {
  /** 400 KB four times, one that fills a page alone, and a small one. */
  const SIZES = [400_000, 400_000, 400_000, 1_200_000, 400_000, 10]
  const PAGE_MAX_BYTES = 1.3 * 1024 * 1024
  const ACTION = 'test.large'
  let oldestFirst: number[]
  beforeAll(async () => {
    const { email, partyId } = demoUser(market, 'Seller')
    const { id } = await market.deps.db.user.findUniqueOrThrow({ where: { email } })
    const app = await market.deps.db.app.findUniqueOrThrow({ where: { id: 'price-sync' } })
    const { rows } = await market.deps.pool.query(
      `INSERT INTO audit_events (actor_kind, actor_id, action, subject_kind, subject_id,
         developer_id, party_id, before, after)
       SELECT 'user', $1, $2, 'user', $1, $3, $4, jsonb_build_object('text', repeat('b', size / 2)),
         jsonb_build_object('text', repeat('a', size / 2))
       FROM unnest($5::int[]) AS size RETURNING id`,
      [id, ACTION, app.developerId, partyId, SIZES],
    )
    oldestFirst = rows.map((row) => Number(row.id))
  })

  /** The ids of each page, from the first one on. */
  async function pagesOf(path: string, token: string): Promise<number[][]> {
    const pages: number[][] = []
    for (let next: string | undefined = path; next !== undefined; ) {
      const { status, body, text, headers } = await call(market, 'GET', next, { token })
      expect(status).toBe(200)
      expect(text.length).toBeLessThan(PAGE_MAX_BYTES)
      pages.push(body.map(({ id }: Row) => Number(id)))
      next = /<https?:\/\/[^/]+([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]
    }
    return pages
  }

  test.each([
    ['developer', () => developerToken(market)],
    ['operator', () => accountToken(market, market.demo.operator)],
    ['account', () => accountToken(market, demoUser(market, 'Seller'))],
  ])('for a %s', async (who, tokenOf) => {
    const path = `/v1/${who[0]?.toUpperCase()}${who.slice(1)}/Audit?action=${ACTION}`
    const [a, b, c, whole, e, small] = oldestFirst
    expect(await pagesOf(path, await tokenOf())).toEqual([[small, e], [whole], [c, b], [a]])
    const one = await pagesOf(`${path}&limit=1`, await tokenOf())
    expect(one).toEqual(oldestFirst.toReversed().map((id) => [id]))
  })

  test('on the page of the operator', async () => {
    const browser = await operatorBrowser(market)
    const seen: number[] = []
    for (let path: string | undefined = `/Operator/Audit?action=${ACTION}`; path !== undefined; ) {
      const { text } = await browser.get(path)
      seen.push(...[...text.matchAll(/entry (\d+)/g)].map(([, id]) => Number(id)))
      const [link = ''] = /<a [^>]*rel="next"[^>]*>/.exec(text) ?? []
      path = /href="([^"]+)"/.exec(link)?.[1]?.replaceAll('&amp;', '&')
    }
    expect(seen).toEqual(oldestFirst.toReversed())
  })

  test.each(['ndjson', 'csv'])('in the export as %s', async (format) => {
    const token = await accountToken(market, market.demo.operator)
    const path = `/v1/Operator/Audit/Export?action=${ACTION}&format=${format}`
    const lines = (await call(market, 'GET', path, { token })).text.trimEnd().split(/\r?\n/)
    const rows = format === 'csv' ? lines.slice(1) : lines
    const ids = rows.map((row) =>
      format === 'csv' ? Number.parseInt(row, 10) : JSON.parse(row).id,
    )
    expect(ids).toEqual(oldestFirst.toReversed())
  })

  test("in the export of a person's own data, oldest first", async () => {
    const token = await accountToken(market, demoUser(market, 'Seller'))
    const { body } = await call(market, 'GET', '/v1/Account/Export', { token })
    const all = body.auditTrail.map(({ id }: Row) => Number(id))
    expect(all).toEqual([...new Set(all)].toSorted((a, b) => Number(a) - Number(b)))
    const large = body.auditTrail.filter(({ action }: Row) => action === ACTION)
    expect(large.map(({ id }: Row) => id)).toEqual(oldestFirst)
  })
})
