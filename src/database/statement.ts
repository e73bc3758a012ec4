import type { Connection, Pool, PoolClient, QueryConfig, Submittable } from 'pg'

/** A column as Postgres writes it in text. */
export type TextRow = readonly (string | null)[]
type Parameters = readonly (string | null)[]
type Done = (error: Error | null | undefined, rows?: TextRow[]) => void

/** What node-postgres keeps of a connection, of which its types say nothing. */
type Prepared = Connection & {
  parsedStatements: Record<string, string | undefined>
  submittedNamedStatements: Record<string, string | undefined>
}

/**
 * Runs a statement of a hot path. Parameters and columns are texts, as they are on the wire: what
 * node-postgres does beyond that (a description of the columns each time, a parser for each value)
 * takes longer than the statement itself.
 *
 * @param statement `name`: prepared once per connection under it; not prepared without one. The
 *   types of the parameters follow from the text: `$1::int`
 * @returns the rows in the order of the columns
 */
export async function queryTexts(
  pool: Pick<Pool | PoolClient, 'query'>,
  statement: { name?: string; text: string },
  parameters: Parameters,
): Promise<TextRow[]> {
  const { promise, resolve, reject } = Promise.withResolvers<TextRow[]>()
  const query = new TextQuery(statement, parameters)
  // The pool hands it to its connection as it is, which the types do not say.
  const run = pool.query as unknown as (query: Submittable, values: undefined, done: Done) => void
  run.call(pool, query, undefined, (error, rows = []) => (error ? reject(error) : resolve(rows)))
  try {
    return await promise
  } catch (error) {
    // It tells where the answer was read; of use is who asked.
    if (error instanceof Error) Error.captureStackTrace(error)
    throw error
  }
}

/** A prepared statement takes memory in every connection: only so many of each family are. */
const PREPARED_MAX = 20
const families = new Map<string, Map<string, string>>()

/**
 * The name to prepare one of a family of statements under, or undefined when the family has so many
 * that this one is not prepared. It is short: Postgres minds only the first 63 bytes of it.
 *
 * @param shape tells the statements of the family apart
 */
export function preparedName(family: string, shape: string): { name: string } | undefined {
  const names = families.get(family) ?? new Map<string, string>()
  families.set(family, names)
  if (!names.has(shape) && names.size < PREPARED_MAX) names.set(shape, `${family}-${names.size}`)
  const name = names.get(shape)
  return name === undefined ? undefined : { name }
}

/** A parameter `$1::type[]`. */
export function arrayText(values: readonly (string | number | null)[]): string {
  return `{${values.map(elementText).join(',')}}`
}

function elementText(value: string | number | null): string {
  if (typeof value !== 'string') return String(value)
  return `"${/["\\]/.test(value) ? value.replaceAll(/["\\]/g, '\\$&') : value}"`
}

/** The part of node-postgres' own Query that the extended protocol needs. */
class TextQuery implements Submittable, QueryConfig {
  readonly name: string
  readonly text: string
  /** Set by the connection. */
  callback: Done | undefined
  private readonly parameters: Parameters
  private readonly rows: TextRow[] = []

  constructor({ name = '', text }: { name?: string; text: string }, parameters: Parameters) {
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
