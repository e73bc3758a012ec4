import type { Socket } from 'node:net'
import { constants } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import pg, { type PoolClient } from 'pg'
import { currentDeadline, type Deadline, deadlineIn, NO_DEADLINE } from '../concurrency/deadline.ts'
import { registeredTracer } from '../traces/trace.ts'
import { type Cancellable, cancelStatement } from './cancel.ts'
import { traceStatements } from './trace-statements.ts'

const CONNECTION_TIMEOUT_MS = 5_000
/** The time limit of a statement whose work sets none. Postgres itself gives up earlier. */
const QUERY_TIMEOUT_MS = 8_000
/** After this time without traffic, TCP asks whether the other side is still there. */
const KEEP_ALIVE_MS = 10_000
/** How long Postgres has to cancel a statement before the pool closes the connection. */
const CANCEL_MS = 500
const CANCEL_LOOK_MS = 10

type Callback = (
  error: Error | undefined,
  client: PoolClient | undefined,
  done: (release?: Error | boolean) => void,
) => void

/** The parts of a node-postgres connection that its types leave out. */
type Connected = PoolClient & Cancellable & { connection: { stream: Socket } }

/** The limits of one connection. */
type Watch = {
  /** Of the work that holds the connection; undefined when it has none. */
  deadline: Deadline | undefined
  /** Whether a statement is under way. */
  isBusy: boolean
}

/**
 * A pool in which no caller waits longer than the deadline of its work (`withDeadline`), neither
 * for a connection nor for a statement. The pool destroys a connection whose statement takes
 * longer, because its state is unknown; Postgres rolls the transaction back. A statement without a
 * limit of its work gets `QUERY_TIMEOUT_MS`.
 */
export class PatientPool extends pg.Pool {
  private readonly watches = new Map<Connected, Watch>()
  private isInterrupted = false

  constructor(options: pg.PoolConfig) {
    super({
      ...options,
      connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    })
    const tracer = registeredTracer()
    this.on('connect', (client) => {
      this.watches.set(client as Connected, watch(client as Connected))
      if (tracer !== undefined) traceStatements(client, tracer)
    })
    this.on('remove', (client) => this.watches.delete(client as Connected))
  }

  override connect(): Promise<PoolClient>
  override connect(callback: Callback): void
  override connect(callback?: Callback): Promise<PoolClient> | undefined {
    if (callback !== undefined) {
      this.connectInTime(callback)
      return undefined
    }
    const { promise, resolve, reject } = Promise.withResolvers<PoolClient>()
    this.connectInTime((error, client) => (client ? resolve(client) : reject(error)))
    return promise
  }

  /** The deadline is the caller's, even when another caller's work releases the connection. */
  private connectInTime(callback: Callback): void {
    const deadline = currentDeadline()
    const fail = (why: string) => callback(timeoutError(why), undefined, () => {})
    if (this.isInterrupted) {
      fail('the server is shutting down')
      return
    }
    let hasGivenUp = false
    let timer: NodeJS.Timeout | undefined
    const waitMs = (deadline ?? NO_DEADLINE).atMs - performance.now()
    if (waitMs < CONNECTION_TIMEOUT_MS) {
      timer = setTimeout(
        () => {
          hasGivenUp = true
          fail('no connection in time')
        },
        Math.max(0, waitMs),
      )
    }
    super.connect((error, client, done) => {
      clearTimeout(timer)
      if (hasGivenUp) {
        client?.release()
      } else if (this.isInterrupted && client !== undefined) {
        client.release()
        fail('the server is shutting down')
      } else {
        const limits = client && this.watches.get(client as Connected)
        if (limits) limits.deadline = deadline
        callback(error, client, done)
      }
    })
  }

  /**
   * Ends all work for good: cancels running statements and hands out no more connections. Resolves
   * when no statement is running.
   */
  async interrupt(): Promise<void> {
    this.isInterrupted = true
    const busy = () =>
      [...this.watches].filter(([, { isBusy }]) => isBusy).map(([client]) => client)
    for (const client of busy()) cancelStatement(client)
    const { atMs } = deadlineIn(CANCEL_MS)
    while (busy().length > 0 && performance.now() < atMs) {
      await sleep(CANCEL_LOOK_MS)
    }
    for (const client of busy()) destroy(client, 'the server is shutting down')
  }
}

/** Destroys a connection whose statement takes too long. One timer serves many statements. */
function watch(client: Connected): Watch {
  const limits: Watch = { deadline: undefined, isBusy: false }
  let expiresAtMs = NO_DEADLINE.atMs
  let timer: NodeJS.Timeout | undefined
  let firesAtMs = NO_DEADLINE.atMs

  const arm = () => {
    clearTimeout(timer)
    firesAtMs = expiresAtMs
    timer = setTimeout(look, Math.max(0, expiresAtMs - performance.now())).unref()
  }
  const look = () => {
    firesAtMs = NO_DEADLINE.atMs
    if (!limits.isBusy || expiresAtMs === NO_DEADLINE.atMs) return
    if (expiresAtMs > performance.now()) arm()
    else destroy(client, 'no answer in time')
  }
  const { query } = client
  client.query = ((...parameters: unknown[]) => {
    limits.isBusy = true
    expiresAtMs = expiryOf(limits.deadline)
    // The statement is not sent when the deadline has passed, for example at the end of a
    // transaction.
    if (expiresAtMs <= performance.now()) destroy(client, 'no time is left')
    else if (firesAtMs > expiresAtMs) arm()
    return Reflect.apply(query, client, parameters)
  }) as typeof client.query
  client.on('drain', () => {
    limits.isBusy = false
  })
  // When a connection breaks, its running statement fails. Without a running statement there is no
  // listener, and Node ends the process on an 'error' event without a listener.
  client.on('error', () => {})
  return limits
}

function expiryOf(deadline: Deadline | undefined): number {
  const limitMs = performance.now() + (deadline?.statementMs ?? QUERY_TIMEOUT_MS)
  return Math.min(limitMs, deadline?.atMs ?? NO_DEADLINE.atMs)
}

/**
 * Closes a connection and cancels its statement. Without the cancellation, Postgres would run the
 * statement and hold its locks until it next sends something.
 */
function destroy(client: Connected, why: string): void {
  cancelStatement(client)
  client.connection.stream.destroy(timeoutError(why))
}

/**
 * Has the operating system's timeout code, so that Prisma and `failures.ts` treat it as a timeout.
 */
function timeoutError(why: string): Error {
  return Object.assign(new Error(`the database: ${why}`), {
    code: 'ETIMEDOUT',
    errno: -constants.errno.ETIMEDOUT,
    syscall: 'read',
  })
}
