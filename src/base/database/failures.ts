import { AppError } from '../../errors.ts'

/**
 * SQLSTATE classes and codes that mean "Postgres is not available right now". 25006: a server that
 * was the primary a moment ago takes no more writes. 25P03 and 25P04: a transaction took too long. 26000
 * and 42P05: a pooler that has changed to transaction mode gives statements to other sessions. 53 and
 * 58: the disk is full or fails.
 */
const UNAVAILABLE_SQLSTATE = /^(08...|25006|25P0[34]|26000|42P05|53...|57P0.|57014|55P03|58...)$/
const UNAVAILABLE_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
  // Prisma: not reachable, timed out, closed, no connection in time, transaction not started or lost
  'P1001',
  'P1002',
  'P1008',
  'P1017',
  'P2024',
  'P2028',
])
/** Names that Prisma's adapter gives to connection failures. Raw statements report nothing else. */
const UNAVAILABLE_KINDS = new Set([
  'ConnectionClosed',
  'DatabaseNotReachable',
  'SocketTimeout',
  'TooManyConnections',
])
const UNAVAILABLE_MESSAGES = [
  'is not currently accepting connections',
  'timeout exceeded when trying to connect',
  'Connection terminated',
  'Client has encountered a connection error',
  'Cannot use a pool after calling end',
]

/**
 * Whether a failure means that the database is away, overloaded or restarting, so that the same
 * request can succeed later. Looks through Prisma's and node-postgres' errors and their causes.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  return chainOf(error).some(
    ({ code, originalCode, kind, message, path }) =>
      UNAVAILABLE_KINDS.has(String(kind)) ||
      // The error of a file names its path, the one of a socket its address.
      (path === undefined &&
        [code, originalCode].some(
          (value) =>
            typeof value === 'string' &&
            (UNAVAILABLE_CODES.has(value) || UNAVAILABLE_SQLSTATE.test(value)),
        )) ||
      (typeof message === 'string' && UNAVAILABLE_MESSAGES.some((one) => message.includes(one))),
  )
}

/** What the database or the network said of a failure, in one line without a full stop. */
export function reasonOf(error: unknown): string {
  // The address was tried in both families: the message of the whole is empty.
  const [first] = error instanceof AggregateError ? error.errors : [error]
  // Prisma's own message is about the call.
  const { message } = first?.meta?.driverAdapterError ?? first ?? {}
  const line = typeof message === 'string' ? message.trim().split('\n').at(-1)?.trim() : ''
  return (line || String(first)).replace(/\.$/, '')
}

/** Serialization failures and deadlocks, in the codes of Postgres and of Prisma. */
const CONFLICT_CODES = new Set(['40001', '40P01', 'P2034'])

/**
 * Whether Postgres rolled a transaction back because it collided with another one. Neither is
 * wrong, so the caller can try again.
 */
function isTransactionConflict(error: unknown): boolean {
  return chainOf(error).some(({ code, originalCode }) =>
    [code, originalCode].some((value) => CONFLICT_CODES.has(String(value))),
  )
}

/** Somebody else held a row for longer than a statement waits. */
const LOCK_NOT_AVAILABLE = '55P03'
/** A statement took longer than it may. */
const STATEMENT_CANCELED = '57014'

function hasSqlState(error: unknown, sqlState: string): boolean {
  return chainOf(error).some(({ code, originalCode }) => [code, originalCode].includes(sqlState))
}

const DATABASE_RETRY_AFTER_SECONDS = 2
const CONFLICT_RETRY_AFTER_SECONDS = 1

/**
 * The AppError for a failure after which the client can send the same request again; undefined for
 * other failures.
 */
export function passingFailure(error: unknown): AppError | undefined {
  const refusal = chainOf(error).find((link) => link instanceof AppError)
  if (refusal?.options.retryAfterSeconds !== undefined) return refusal
  if (hasSqlState(error, LOCK_NOT_AVAILABLE)) {
    return new AppError('unavailable', {
      detail:
        'Another change, such as an import, is taking long. Nothing was changed: send the ' +
        'request again.',
      retryAfterSeconds: DATABASE_RETRY_AFTER_SECONDS,
    })
  }
  if (hasSqlState(error, STATEMENT_CANCELED)) {
    return new AppError('unavailable', {
      detail: 'The database took too long to answer. Send the request again.',
      retryAfterSeconds: DATABASE_RETRY_AFTER_SECONDS,
    })
  }
  if (isDatabaseUnavailable(error)) {
    return new AppError('unavailable', {
      detail: 'The database cannot be reached right now.',
      retryAfterSeconds: DATABASE_RETRY_AFTER_SECONDS,
    })
  }
  if (isTransactionConflict(error)) {
    return new AppError('unavailable', {
      detail:
        'Another change happened at the same time. Nothing was changed: send the request again.',
      retryAfterSeconds: CONFLICT_RETRY_AFTER_SECONDS,
    })
  }
  return undefined
}

/**
 * The name of the constraint or index that a write violated; undefined for other failures.
 *
 * With adapter-pg the name is in the driver's cause; with node-postgres it is on the error itself.
 */
export function violatedConstraint(error: unknown): string | undefined {
  for (const link of chainOf(error)) {
    const { constraint } = link
    if (typeof constraint === 'string') return constraint
    if (typeof constraint === 'object' && constraint !== null) {
      const { index, fields } = constraint as { index?: unknown; fields?: unknown }
      if (typeof index === 'string') return index
      if (Array.isArray(fields)) return fields.join(',')
    }
  }
  return undefined
}

/** Whether a write was refused because another row has the same key, in Postgres' and Prisma's codes. */
export function isDuplicate(error: unknown): boolean {
  return hasSqlState(error, '23505') || hasSqlState(error, 'P2002')
}

/** Whether a write was refused because a row that it refers to is gone. */
export function isMissingReference(error: unknown): boolean {
  return hasSqlState(error, '23503') || hasSqlState(error, 'P2003')
}

/** Whether one of our triggers refused a write with this message. */
export function isRefusedByTrigger(error: unknown, message: string): boolean {
  return chainOf(error).some(
    (link) =>
      [link.code, link.originalCode].includes('23514') &&
      typeof link.message === 'string' &&
      link.message.includes(message),
  )
}

type Link = Record<'code' | 'originalCode' | 'kind' | 'message' | 'constraint' | 'path', unknown>

/** The error, its causes and the driver's cause inside Prisma's `meta`, outermost first. */
function chainOf(error: unknown): Link[] {
  const links: Link[] = []
  let next: unknown = error
  while (typeof next === 'object' && next !== null && links.length < 8) {
    const link = next as Link & { cause?: unknown; meta?: { driverAdapterError?: unknown } }
    links.push(link)
    next = link.meta?.driverAdapterError ?? link.cause
  }
  return links
}
