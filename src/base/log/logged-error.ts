/** What the log says of a failure. */
export type LoggedError = {
  type: string
  message: string
  code?: string
  /** Where in the database, never what was to be written there. */
  constraint?: string
  table?: string
  column?: string
  stack?: string[]
  causes?: LoggedError[]
}

type Link = Record<string, unknown> & { meta?: { driverAdapterError?: unknown } }

const CAUSES_DEPTH_MAX = 5
const CAUSES_MAX = 5
const MESSAGE_MAX_LENGTH = 300
const FRAMES_MAX = 20
const WITHHELD = '(withheld: it may hold data)'

/** A text of Postgres that quotes names, and nothing else. */
const NAMES_ONLY = /^[^":=]*("[\w.]{1,63}"[^":=]*)*$/
/** A text of Postgres about one of its files, with what the system says: `... "base/1/2": ...` */
const OWN_FILE =
  /^could not [a-z0-9. ]+"(base|global|pg_|\/PostgreSQL)[\w./-]*"[a-z0-9 ]*: [A-Za-z/ ]+$/

/** Codes of Postgres (SQLSTATE), of Prisma and of Node. */
const CODE = /^[A-Z0-9_]{3,50}$/
const SQLSTATE = /^(?=.*\d)(?!P[1-9]\d{3})[0-9A-Z]{5}$/
/**
 * Classes of Postgres' failures whose message names tables, columns and constraints only:
 * connection, integrity, transaction state, login, conflicts, SQL, resources, shutdown, system. Of the
 * others some quote values (22: `invalid input syntax for type uuid: "..."`) or say what a trigger
 * made them say (P0).
 */
const TELLING_SQLSTATE = /^(08|23|25|28|40|42|53|55|57|58)/
const NAME = /^[\w.$ ]{1,63}$/

/**
 * Reduces a failure to what an operator needs to find its cause. Whatever could carry data of a
 * request stays out: Postgres' detail, Prisma's arguments, texts that quote their input, and every
 * property that is not named here.
 */
export function loggedError(error: unknown): LoggedError {
  return describe(error, sqlStateOf(error), 0)
}

function describe(error: unknown, sqlState: string | undefined, depth: number): LoggedError {
  if (typeof error !== 'object' || error === null) return { type: typeof error, message: WITHHELD }
  const link = error as Link
  const { constraint, table, column } = link
  const code = codeOf(link)
  const frames = framesOf(link)
  const causes = depth < CAUSES_DEPTH_MAX ? causesOf(link) : []
  return {
    type: typeOf(link),
    message: messageOf(link, sqlState),
    ...(code !== undefined && { code }),
    ...named('constraint', constraint),
    ...named('table', table),
    ...named('column', column),
    ...(frames.length > 0 && { stack: frames }),
    ...(causes.length > 0 && {
      causes: causes.map((cause) => describe(cause, sqlState ?? sqlStateOf(cause), depth + 1)),
    }),
  }
}

function messageOf(link: Link, sqlState: string | undefined): string {
  const { name, code, message, originalMessage, syscall, address, hostname } = link
  const text = typeof message === 'string' ? message : originalMessage
  if (typeof text !== 'string') return ''
  const line = text.replaceAll(/\s+/g, ' ').trim().slice(0, MESSAGE_MAX_LENGTH)
  // Node adds the address, which is that of the database or of Redis.
  if (address !== undefined || hostname !== undefined) return `${syscall} ${code}`
  // V8 shows what it could not parse, Prisma what it could not use.
  if (name === 'SyntaxError' || /^P[1-9]\d{3}$/.test(String(code))) return WITHHELD
  if (sqlState === undefined || name === 'AppError') return beforeQuotes(line)
  const isTelling = ownSqlState(link) !== undefined && TELLING_SQLSTATE.test(sqlState)
  return isTelling && (NAMES_ONLY.test(line) || OWN_FILE.test(line)) ? line : WITHHELD
}

/** What libraries quote is most often what they were given. */
function beforeQuotes(text: string): string {
  const quote = text.search(/["'`“‘]/)
  return quote === -1 ? text : `${text.slice(0, quote)}…`
}

/** The last lines of a stack; the first ones repeat the message. */
function framesOf({ stack }: Link): string[] {
  if (typeof stack !== 'string') return []
  const lines = stack.split('\n')
  const above = lines.findLastIndex((line) => !/^ {4}at \S/.test(line))
  return lines.slice(above + 1, above + 1 + FRAMES_MAX).map((line) => line.trim())
}

/** Causes, the parts of an aggregate, and what Prisma's adapter had from the driver. */
function causesOf({ cause, errors, meta }: Link): unknown[] {
  const parts = Array.isArray(errors) ? errors.slice(0, CAUSES_MAX) : []
  return [meta?.driverAdapterError, cause, ...parts].filter(
    (one) => typeof one === 'object' && one !== null,
  )
}

function sqlStateOf(error: unknown, depth = 0): string | undefined {
  if (typeof error !== 'object' || error === null || depth > CAUSES_DEPTH_MAX) return undefined
  const own = ownSqlState(error as Link)
  if (own !== undefined) return own
  for (const cause of causesOf(error as Link)) {
    const found = sqlStateOf(cause, depth + 1)
    if (found !== undefined) return found
  }
  return undefined
}

function ownSqlState({ code, originalCode }: Link): string | undefined {
  const own = [originalCode, code].find((one) => typeof one === 'string' && SQLSTATE.test(one))
  return own as string | undefined
}

function codeOf({ code, originalCode }: Link): string | undefined {
  const known = [code, originalCode].find((one) => typeof one === 'string' && CODE.test(one))
  return known as string | undefined
}

function typeOf({ name, kind }: Link): string {
  const type = [name, kind].find((one) => typeof one === 'string' && NAME.test(one))
  return (type as string | undefined) ?? 'Error'
}

function named(key: 'constraint' | 'table' | 'column', value: unknown): Partial<LoggedError> {
  const name = typeof value === 'object' && value !== null ? (value as Link).index : value
  return typeof name === 'string' && NAME.test(name) ? { [key]: name } : {}
}

type LogCall = (this: unknown, ...parameters: unknown[]) => void

/**
 * Logs an error under a text of ours: pino would take the error's own message for a line that has
 * none, and libraries hand it over.
 */
export function withoutOwnMessage(this: unknown, parameters: unknown[], log: LogCall): void {
  const [first, text, ...rest] = parameters
  const error = first instanceof Error ? first : (first as { err?: unknown } | undefined)?.err
  if (!(error instanceof Error)) {
    log.apply(this, parameters)
    return
  }
  const fields = first instanceof Error ? { err: first } : first
  const isOwn = text !== undefined && text !== error.message
  log.apply(this, [fields, isOwn ? text : 'failure', ...rest])
}

/**
 * Escapes what JSON leaves as it is and terminals or viewers of logs obey: C1 controls, line and
 * paragraph separators, marks that turn the direction of text.
 */
export function escapeControls(line: string): string {
  return line.replaceAll(
    /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
