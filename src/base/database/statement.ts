import { createHash } from 'node:crypto'
import type { Connection, Pool, PoolClient, QueryConfig, Submittable } from 'pg'

/** A row with each column as Postgres writes it in text. */
export type TextRow = readonly (string | null)[]
/**
 * A statement with a `name` is prepared once per connection. The types of the parameters are in the
 * text: `$1::int`.
 */
export type Statement = { name?: string; text: string }
type Parameters = readonly (string | null)[]
type Done = (error: Error | null | undefined, rows?: TextRow[]) => void

/** The parts of a node-postgres connection that its types leave out. */
type Prepared = Connection & {
  parsedStatements: Record<string, string | undefined>
  submittedNamedStatements: Record<string, string | undefined>
}

/**
 * Runs a statement of a hot path. Parameters and columns are texts, as on the wire. The further
 * work of node-postgres (it asks for the columns each time and parses each value) takes longer than
 * the statement.
 *
 * @returns the rows, each in the order of the columns
 */
export async function queryTexts(
  pool: Pick<Pool | PoolClient, 'query'>,
  statement: Statement,
  parameters: Parameters,
): Promise<TextRow[]> {
  const { promise, resolve, reject } = Promise.withResolvers<TextRow[]>()
  const query = new TextQuery(statement, parameters)
  // The pool passes the object to its connection unchanged; its types do not say so.
  const run = pool.query as unknown as (query: Submittable, values: undefined, done: Done) => void
  run.call(pool, query, undefined, (error, rows = []) => (error ? reject(error) : resolve(rows)))
  try {
    return await promise
  } catch (error) {
    // The stack shows where the response was read; the caller's stack is more useful.
    if (error instanceof Error) Error.captureStackTrace(error)
    throw error
  }
}

const USUAL_LIMITS = new Set([1, 5, 10, 20, 25, 30, 50, 100, 200, 250, 500, 1000])

/**
 * Whether pages often have this length. Clients choose the length, which is part of the text of a
 * statement, and a prepared statement takes memory in every connection.
 */
export function isUsualLimit(limit: number): boolean {
  return USUAL_LIMITS.has(limit)
}

const DIGEST_LENGTH = 16
const families = new Map<string, Map<string, Statement>>()

/**
 * The statement of a family for pages of this length. Statements of usual lengths are kept and
 * prepared; any other is built each time and not prepared.
 *
 * @param shape tells the statements of one length from each other; a family has few shapes
 * @param textOf makes the text of the statement
 */
export function pageStatement(
  { family, limit, shape = '' }: { family: string; limit: number; shape?: string },
  textOf: () => string,
): Statement {
  if (!isUsualLimit(limit)) return { text: textOf() }
  const statements = families.get(family) ?? new Map<string, Statement>()
  families.set(family, statements)
  const key = `${limit}${shape}`
  const known = statements.get(key)
  if (known !== undefined) return known
  const text = textOf()
  // The name comes from the text, so that it means the same to every server: a pooler in transaction
  // mode gives them each other's statements. Postgres uses only the first 63 bytes of a name.
  const digest = createHash('sha256').update(text).digest('base64url').slice(0, DIGEST_LENGTH)
  const statement = { name: `${family}-${digest}`, text }
  statements.set(key, statement)
  return statement
}

/** A parameter `$1::type[]`. */
export function arrayText(values: readonly (string | number | null)[]): string {
  return `{${values.map(elementText).join(',')}}`
}

/** A parameter `$1::bytea`, or an element of `$1::bytea[]`. */
export function bytesText(bytes: Uint8Array): string {
  return `\\x${Buffer.from(bytes).toString('hex')}`
}

function elementText(value: string | number | null): string {
  if (typeof value !== 'string') return String(value)
  return `"${/["\\]/.test(value) ? value.replaceAll(/["\\]/g, '\\$&') : value}"`
}

/** The part of node-postgres' `Query` that the extended protocol needs. */
class TextQuery implements Submittable, QueryConfig {
  readonly name: string
  readonly text: string
  /** Set by the connection. */
  callback: Done | undefined
  private readonly parameters: Parameters
  private readonly rows: TextRow[] = []

  constructor({ name = '', text }: Statement, parameters: Parameters) {
    this.name = name
    this.text = text
    this.parameters = parameters
  }

  submit(connection: Connection): void {
    const { name, text } = this
    const { parsedStatements, submittedNamedStatements, stream } = connection as Prepared
    const isKnown = (parsedStatements[name] ?? submittedNamedStatements[name]) !== undefined
    stream.cork()
    try {
      if (name === '' || !isKnown) connection.parse({ name, text, types: [] }, true)
      if (name !== '') submittedNamedStatements[name] = text
      connection.bind({ statement: name, values: [...this.parameters] }, true)
      connection.execute({}, true)
      connection.sync()
    } finally {
      stream.uncork()
    }
  }

  handleDataRow({ fields }: { fields: TextRow }): void {
    this.rows.push(fields)
  }

  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    this.callback?.(null, this.rows)
  }

  handleError(error: Error): void {
    this.callback?.(error)
  }
}
