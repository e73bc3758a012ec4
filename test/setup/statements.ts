import pg from 'pg'
import { SESSION_SETTINGS } from '../../src/base/database/session-settings.ts'
import { currentDeadline, NO_DEADLINE } from '../../src/base/fair-share/deadline.ts'

type Statement = { text: string; values: unknown[] }

/**
 * A statement as it was sent, to be explained with the same values. `ofRequest`: a request has sent
 * it, and not what the process does beside, such as the queue of jobs that looks after its tables.
 */
export type Sent = Statement & { ofRequest: boolean }

/** Notes every statement that the pool sends, whoever sends it: Prisma, or SQL by hand. */
export function noteStatements(pool: pg.Pool): { take(): Sent[] } {
  let sent: Sent[] = []
  const known = new WeakSet<object>()
  pool.on('acquire', (client) => {
    if (known.has(client)) return
    known.add(client)
    const query = client.query.bind(client) as (...args: unknown[]) => unknown
    client.query = ((...args: unknown[]) => {
      const { atMs } = currentDeadline() ?? NO_DEADLINE
      sent.push({ ...statementIn(args), ofRequest: atMs < NO_DEADLINE.atMs })
      return query(...args)
    }) as typeof client.query
  })
  return {
    take() {
      const taken = sent
      sent = []
      return taken
    },
  }
}

/** Values stand beside the text, in its object, or in the object of `queryTexts`. */
function statementIn([query, beside]: unknown[]): Statement {
  if (typeof query === 'string') return { text: query, values: listIn(beside) }
  const { text, values, parameters } = query as Record<string, unknown>
  return { text: String(text), values: [beside, values, parameters].map(listIn).find(some) ?? [] }
}

const listIn = (values: unknown): unknown[] => (Array.isArray(values) ? values : [])
const some = (values: unknown[]) => values.length > 0

/** A connection of its own that plans as those of the server do. */
export async function openExplainer(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  await client.query(SESSION_SETTINGS)
  return client
}

/**
 * A statement that runs as it does after five times, when Postgres goes on with one plan for all
 * values.
 *
 * @param pool of one connection
 */
export async function withOnePlan(
  pool: pg.Pool,
  name: string,
  { text, values }: Statement,
): Promise<Statement> {
  await pool.query(`SET plan_cache_mode = force_generic_plan; PREPARE "${name}" AS ${text}`)
  return { text: `EXECUTE "${name}" (${values.map((value) => `'${value}'`)})`, values: [] }
}

type Plan = {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  'Rows Removed by Join Filter'?: number
  Plans?: Plan[]
}

/**
 * What a statement reads of some tables that it should not: all of one, or more than so many of
 * its rows. Rows of an index alone, which are counted and not fetched, have a bound of their own.
 *
 * @returns one line per fault
 */
export async function readTooMuch(
  client: Pick<pg.Client | pg.Pool, 'query'>,
  { text, values }: Statement,
  tables: ReadonlySet<string>,
  { rows, indexRows }: { rows: number; indexRows: number },
): Promise<string[]> {
  const answer = await client.query(`EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${text}`, values)
  const faults: string[] = []
  const walk = (node: Plan) => {
    const { 'Node Type': type, Plans: below = [] } = node
    const table = node['Relation Name'] ?? ''
    const read = rowsOf(node)
    const isScan = tables.has(table)
    const name = `${type} of ${table || node['Index Name'] || 'the rows below'}`
    if (isScan && type === 'Seq Scan') faults.push(`${name}, ${read} rows`)
    const bound = type === 'Index Only Scan' ? indexRows : rows
    if ((isScan || type === 'Bitmap Index Scan') && read > bound)
      faults.push(`${name}, ${read} rows`)
    const sorted = below.map(rowsOf).reduce((sum, one) => sum + one, 0)
    if (type === 'Sort' && sorted > rows) faults.push(`Sort of ${sorted} rows`)
    below.forEach(walk)
  }
  walk(answer.rows[0]['QUERY PLAN'][0].Plan)
  return faults
}

function rowsOf(node: Plan): number {
  const removed =
    (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)
  return Math.round((node['Actual Rows'] + removed) * node['Actual Loops'])
}
