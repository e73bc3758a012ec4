import { connect, type Socket } from 'node:net'
import { constants } from 'node:os'
import pg, { type ClientBase, type PoolClient } from 'pg'
import { currentDeadline, type Deadline, NO_DEADLINE } from '../fair-share/deadline.ts'
import { createFairQueue } from '../fair-share/fair-queue.ts'
import { registeredTracer } from '../traces/trace.ts'
import { SESSION_SETTINGS } from './session-settings.ts'
import { traceStatements } from './trace-statements.ts'

const CANCEL_REQUEST_BYTES = 16
const CANCEL_REQUEST_CODE = 80_877_102
const PATIENCE_MS = 1_000

const CONNECTION_TIMEOUT_MS = 5_000
/** For the settings of a new connection, after it is made: together less than a request waits. */
const SET_UP_MS = 3_000
/** The time limit of a statement whose work sets none. Postgres itself gives up earlier. */
const QUERY_TIMEOUT_MS = 8_000
/** After this time without traffic, TCP asks whether the other side is still there. */
const KEEP_ALIVE_MS = 10_000
/** One of so many connections stays free for other callers than the one that has all the others. */
const CONNECTIONS_FOR_A_FREE_ONE = 4

type Callback = (
  error: Error | undefined,
  client: PoolClient | undefined,
  done: (release?: Error | boolean) => void,
) => void

/** The parts of a node-postgres connection that its types leave out. */
type Connected = PoolClient & Cancellable & { connection: { stream: Socket } }

/** The limits of one connection. */
type Watch = {
  /** The deadline of the work that holds the connection; undefined when it has none. */
  deadline: Deadline | undefined
  /** Whether a statement is under way. */
  isBusy: boolean
  /** Whether some work holds the connection. */
  isTaken: boolean
  /** Whose work that is. */
  caller: Deadline['caller']
}

/** Work that wants a connection. */
type Waiter = {
  callback: Callback
  deadline: Deadline | undefined
  caller: Deadline['caller']
  timer: NodeJS.Timeout | undefined
  hasGivenUp: boolean
}

const SHUTTING_DOWN = 'the server is shutting down'

/**
 * A pool in which no caller waits longer than the deadline of its work (`withDeadline`), neither
 * for a connection nor for a statement. The pool destroys a connection whose statement takes
 * longer, because its state is unknown; Postgres rolls the transaction back. A statement without a
 * limit of its work gets `QUERY_TIMEOUT_MS`.
 *
 * When all connections are taken, callers take turns: one that asks for hundreds of them makes mostly
 * itself wait. All work without a caller counts as one caller. A caller never has all connections of
 * a pool of four or more, even when nobody else wants one: its transactions may wait for each other
 * for seconds.
 */
export class PatientPool extends pg.Pool {
  private readonly watches = new Map<Connected, Watch>()
  private readonly queue = createFairQueue<Deadline['caller'], Waiter>()
  /** Connections that some work holds or has asked the pool of node-postgres for. */
  private taken = 0
  /** How many of them each caller has. */
  private readonly takenBy = new Map<string | symbol, number>()
  private isInterrupted = false

  constructor(options: pg.PoolConfig) {
    super({
      ...options,
      connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
      onConnect: setUp,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    })
    const tracer = registeredTracer()
    this.on('connect', (client) => {
      this.watches.set(client as Connected, watch(client as Connected))
      if (tracer !== undefined) traceStatements(client, tracer)
    })
    this.on('release', (_error, client) => {
      const limits = this.watches.get(client as Connected)
      if (!limits?.isTaken) return
      limits.isTaken = false
      this.giveBack(limits.caller)
    })
    this.on('remove', (client) => this.watches.delete(client as Connected))
  }

  // @ts-expect-error the types of node-postgres call its accessor a property
  override get waitingCount(): number {
    return this.queue.size()
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

  private connectInTime(callback: Callback): void {
    if (this.isInterrupted) {
      refuse(callback, SHUTTING_DOWN)
      return
    }
    const deadline = currentDeadline()
    const caller = deadline?.caller
    const mustWait = this.queue.size() > 0 || this.isExhausted() || !this.mayHave(caller)
    const waiter: Waiter = { callback, deadline, caller, timer: undefined, hasGivenUp: false }
    const waitMs = (deadline ?? NO_DEADLINE).atMs - performance.now()
    // The pool of node-postgres has the same limit for what is asked of it.
    if (mustWait || waitMs < CONNECTION_TIMEOUT_MS) {
      const limitMs = Math.max(0, Math.min(waitMs, CONNECTION_TIMEOUT_MS))
      waiter.timer = setTimeout(() => this.giveUp(waiter, 'no connection in time'), limitMs)
    }
    if (!mustWait) this.take(waiter)
    else {
      this.queue.add(caller, waiter)
      // Those who wait already may have all that they may.
      if (!this.isExhausted()) process.nextTick(this.serve)
    }
  }

  private take(waiter: Waiter): void {
    const { caller } = waiter
    this.taken += 1
    if (caller !== undefined) this.takenBy.set(caller, (this.takenBy.get(caller) ?? 0) + 1)
    super.connect((error, client, done) => {
      const limits = client && this.watches.get(client as Connected)
      if (limits) {
        limits.isTaken = true
        limits.caller = caller
      } else this.giveBack(caller)
      clearTimeout(waiter.timer)
      if (waiter.hasGivenUp) {
        client?.release()
      } else if (this.isInterrupted && client !== undefined) {
        client.release()
        refuse(waiter.callback, SHUTTING_DOWN)
      } else {
        // The waiter's own, even when another caller's work has released the connection.
        if (limits) limits.deadline = waiter.deadline
        waiter.callback(error, client, done)
      }
    })
  }

  private giveUp(waiter: Waiter, why: string): void {
    clearTimeout(waiter.timer)
    waiter.hasGivenUp = true
    this.queue.leave(waiter.caller, waiter)
    refuse(waiter.callback, why)
  }

  private isExhausted(): boolean {
    return this.taken >= this.options.max
  }

  /** The work of the process itself may have all of them. */
  private readonly mayHave = (caller: Deadline['caller']): boolean => {
    if (caller === undefined) return true
    const { max } = this.options
    return (this.takenBy.get(caller) ?? 0) < max - Math.floor(max / CONNECTIONS_FOR_A_FREE_ONE)
  }

  private giveBack(caller: Deadline['caller']): void {
    this.taken -= 1
    if (caller !== undefined) {
      const left = (this.takenBy.get(caller) ?? 1) - 1
      if (left > 0) this.takenBy.set(caller, left)
      else this.takenBy.delete(caller)
    }
    // Once the pool of node-postgres has done what follows a release or a failure.
    if (this.queue.size() > 0) process.nextTick(this.serve)
  }

  private readonly serve = (): void => {
    while (!this.isExhausted()) {
      const waiter = this.queue.next(this.mayHave)
      if (waiter === undefined) return
      this.take(waiter)
    }
  }

  /**
   * Ends all work for good: cancels running statements and hands out no more connections. What Postgres
   * answers to a cancellation is not read: a write that waited for a synchronous standby would count as
   * done then, though the standby does not have it.
   */
  interrupt(): void {
    this.isInterrupted = true
    for (let one = this.queue.next(); one !== undefined; one = this.queue.next()) {
      this.giveUp(one, SHUTTING_DOWN)
    }
    for (const [client, { isBusy }] of this.watches) {
      if (isBusy) destroy(client, SHUTTING_DOWN)
    }
  }
}

/** The first statement of a connection, before anybody gets it. */
async function setUp(client: ClientBase): Promise<void> {
  const giveUp = () => destroy(client as Connected, 'no answer in time')
  const timer = setTimeout(giveUp, SET_UP_MS)
  try {
    await client.query(SESSION_SETTINGS)
  } finally {
    clearTimeout(timer)
  }
}

/** Destroys a connection whose statement takes too long. One timer serves many statements. */
function watch(client: Connected): Watch {
  const limits: Watch = { deadline: undefined, isBusy: false, isTaken: false, caller: undefined }
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

function refuse(callback: Callback, why: string): void {
  callback(timeoutError(why), undefined, () => {})
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

/** The parts of a node-postgres connection that its types leave out. */
type Cancellable = { host: string; port: number; processID: number; secretKey: number }

/**
 * Asks Postgres to cancel the statement of a connection (PostgreSQL, "Canceling Requests in
 * Progress"). The request goes over a connection of its own, without TLS, and gets no answer.
 */
function cancelStatement({ host, port, processID, secretKey }: Cancellable): void {
  const request = Buffer.alloc(CANCEL_REQUEST_BYTES)
  request.writeInt32BE(CANCEL_REQUEST_BYTES, 0)
  request.writeInt32BE(CANCEL_REQUEST_CODE, 4)
  request.writeInt32BE(processID, 8)
  request.writeInt32BE(secretKey, 12)
  const socket = host.startsWith('/')
    ? connect(`${host}/.s.PGSQL.${port}`)
    : connect({ host, port })
  socket.on('error', () => {}).setTimeout(PATIENCE_MS, () => socket.destroy())
  socket.end(request)
}
