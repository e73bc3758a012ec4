import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exportAudit } from '../../../../src/identity/audit/audit-export-service.ts'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { accountToken, call } from '../../../setup/client.ts'
import { expectProblem } from '../../../setup/expect-problem.ts'
import { type OperatorCalls, operatorCalls } from '../../../setup/operator.ts'
import { untilWaiting } from '../../../setup/turns.ts'
import { demoUser, signedIn } from '../../../setup/web-client.ts'

let market: TestMarketplace
let operator: OperatorCalls
let token: string
beforeAll(async () => {
  market = await startMarketplace()
  operator = await operatorCalls(market)
  token = await accountToken(market, market.demo.operator)
})
afterAll(() => market.close())

/** Has something read the audit trail, whose connection is broken when it does. */
async function whileAway<T>(read: () => Promise<T>): Promise<T> {
  const holder = new pg.Client({ connectionString: market.databaseUrl })
  await holder.connect()
  try {
    await holder.query('BEGIN; LOCK TABLE audit_events')
    const answer = read()
    await untilWaiting(market, 1)
    await holder.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    )
    return await answer
  } finally {
    await holder.end()
  }
}

type Entry = { id: number; action: string; subject: { id: string } }
const search = async (q: string, more = ''): Promise<Entry[]> =>
  (await operator('GET', `Audit?q=${encodeURIComponent(q)}${more}`)).body
const actionsOf = (entries: Entry[]) => [...new Set(entries.map(({ action }) => action))]

describe('the search in the audit trail', () => {
  test('finds what is about a person, by name and by email', async () => {
    const body = { email: 'sought@example.com', name: 'Zelda Sought', partyIds: [] }
    const { body: made } = await operator('POST', 'Users', body)
    for (const q of ['zelda', 'Sought@Example.com', made.id]) {
      expect((await search(q)).map(({ subject }) => subject.id)).toContain(made.id)
    }
    expect(await search('zelda', '&action=user.suspended')).toEqual([])
  })

  test('finds what concerns a party and an app by their names', async () => {
    const { partyName } = demoUser(market, 'Seller')
    expect(actionsOf(await search(partyName))).toContain('party.created')
    const { body } = await call(market, 'GET', '/v1/Apps')
    expect(actionsOf(await search(body[0].name))).toContain('app.created')
  })

  test('finds actions by their words', async () => {
    expect(actionsOf(await search('created the party'))).toEqual(['party.created'])
    expect(actionsOf(await search('party.created'))).toEqual(['party.created'])
  })

  test('lists each entry once, page by page', async () => {
    const all = (await search('created')).map(({ id }) => id)
    expect(new Set(all).size).toBe(all.length)
    const paged: number[] = []
    let path = 'Audit?q=created&limit=3'
    while (path !== '') {
      const { body, headers } = await operator('GET', path)
      paged.push(...body.map((one: Entry) => one.id))
      path = /Operator\/([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1] ?? ''
    }
    expect(paged).toEqual(all)
  })

  test('finds nothing of what nobody is called, and refuses what is no text', async () => {
    expect(await search("%_'; DROP TABLE users")).toEqual([])
    expectProblem(await operator('GET', 'Audit?q='), 'invalid_request')
    expectProblem(await operator('GET', 'Audit?q=%00'), 'invalid_request')
    expectProblem(await operator('GET', `Audit?q=${'x'.repeat(201)}`), 'invalid_request')
  })
})

describe('the export of the audit trail', () => {
  const file = (query: string) =>
    call(market, 'GET', `/v1/Operator/Audit/Export?${query}`, { token })

  test('has every entry, one a line', async () => {
    const answer = await file('format=ndjson')
    expect(answer.headers.get('content-type')).toBe('application/x-ndjson')
    expect(answer.headers.get('content-disposition')).toContain('audit-trail.ndjson')
    const lines = answer.text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines).toEqual((await operator('GET', 'Audit')).body)
  })

  test('is whole when it has more entries than one part', async () => {
    await market.deps.pool.query(
      `INSERT INTO audit_events (actor_kind, action, subject_kind, subject_id)
       SELECT 'system', 'test.made', 'test', n::text FROM generate_series(1, 1200) n`,
    )
    const { text } = await file('action=test.made')
    expect(text.trimEnd().split('\n')).toHaveLength(1200)
  })

  test.each(['csv', 'ndjson'])(
    'as %s is 503 and no file when the database goes away before its first entries',
    async (format) => {
      const answer = await whileAway(() => file(`format=${format}`))
      expectProblem(answer, 'unavailable')
      expect(answer.headers.get('retry-after')).not.toBeNull()
      expect(answer.headers.get('content-disposition')).toBeNull()
    },
  )

  test('is cut off when the database goes away after its first entries', async () => {
    await market.deps.pool.query(
      `INSERT INTO audit_events (actor_kind, action, subject_kind, subject_id)
       SELECT 'system', 'test.long', 'test', n::text FROM generate_series(1, 5000) n`,
    )
    const entries = await exportAudit(
      market.deps,
      { action: 'test.long' },
      'ndjson',
      async () => {},
    )
    const parts: AsyncIterator<string> = entries[Symbol.asyncIterator]()
    expect((await parts.next()).value).toContain('test.long')
    const rest = async () => {
      while (!(await parts.next()).done);
      return 'whole'
    }
    expect(await whileAway(() => rest().catch(() => 'cut off'))).toBe('cut off')
  })

  test('is a table in which no cell is a formula', async () => {
    const hostile = ['=1+1', '+1', '-1', '@SUM(A1)', '\tx', 'a,b', 'a"b', 'a\nb']
    for (const subject of hostile) {
      await market.deps.pool.query(
        `INSERT INTO audit_events (actor_kind, action, subject_kind, subject_id)
         VALUES ('system', 'test.hostile', 'test', $1)`,
        [subject],
      )
    }
    const { text, headers } = await file('format=csv&action=test.hostile')
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8')
    const [head, ...rows] = text.trimEnd().split('\r\n')
    expect(head).toBe(
      'id,at,actorKind,actorId,address,action,subjectKind,subjectId,developerId,partyId,before,after',
    )
    const cells = rows.reverse().map((row) => row.split(',test,')[1]?.replace(/,,,,$/, ''))
    const tame = ["'=1+1", "'+1", "'-1", "'@SUM(A1)", "'\tx", '"a,b"', '"a""b"', '"a\nb"']
    expect(cells).toEqual(tame)
  })

  test('takes the filters of the list, and refuses others', async () => {
    expectProblem(await file('format=xml'), 'invalid_request')
    expectProblem(await file('cursor=x'), 'invalid_request')
    const { text } = await file(`q=${encodeURIComponent('created the party')}`)
    expect(text).toContain('party.created')
    expect(text).not.toContain('user.created')
  })
})

test('the page has the search, and files of what it shows', async () => {
  const browser = await signedIn(market, market.demo.operator)
  const page = (await browser.get('/Operator/Audit?q=created+the+party')).text
  expect(page).toContain('created the party')
  const [, href = ''] = /href="(\/Operator\/Audit\/Export[^"]+csv[^"]*)"/.exec(page) ?? []
  const answer = await browser.get(href.replaceAll('&amp;', '&'))
  expect(answer.headers.get('content-disposition')).toContain('audit-trail.csv')
  expect(answer.text).toContain('party.created')
  expect(answer.text).not.toContain('user.created')
})
