import type { FastifyRequest, preParsingHookHandler } from 'fastify'
import { type Deadline, withDeadline } from '../base/concurrency/deadline.ts'
import type { Holdings } from '../base/concurrency/holdings.ts'
import { createPlaces } from '../base/concurrency/places.ts'
import { siteOf } from '../base/values/client-network.ts'
import { AppError } from '../errors.ts'
import type { App } from './app-type.ts'
import { isBodyless } from './bodies/body-coding.ts'
import { clientAddress } from './client-address.ts'
import { READS, type RequestEnd } from './observability/request-end.ts'
import { isStranger, stateOf } from './observability/request-state.ts'
import { createLongHoldings, SHORT_BYTES, tooManyBytes } from './rate-limits/long-holdings.ts'
import { consumerOf } from './rate-limits/rate-limit.ts'

/** No answer takes longer than 10 s: at this time a request stops waiting for the database. */
const REQUEST_DEADLINE_MS = 9_000
/**
 * What the requests of known callers may hold: what was read from the database, and the answers made
 * of it until the clients have read them. One caller may have twenty of the longest apps at once,
 * each of which takes several times its length in memory.
 */
const KNOWN_MAX_BYTES = 48 * 1_048_576
/**
 * What the requests of strangers may hold: a few that read public documents byte by byte would keep
 * everybody from long answers for hours.
 */
const STRANGERS_MAX_BYTES = 32 * 1_048_576
/** Of answers longer than this, strangers of one network may have few under way. */
const STRANGERS_LONG_BYTES = 256 * 1024
const STRANGERS_LONG_MAX = 4
const RETRY_AFTER_SECONDS = 1
const strangersPlaces = createPlaces<string>(STRANGERS_LONG_MAX)
/** How long the client has to read a long answer, and the least that it must read in a minute more. */
const READ_MS = 60_000
const PACE_BYTES = 1_048_576
const MINUTE_MS = 60_000

/**
 * Gives each request a deadline for everything it waits for. The time that the client takes to send
 * its body does not count. Bounds what the requests of a caller hold in memory while they wait.
 */
export function limitWaits(app: App, onEnd: (listener: RequestEnd) => void): void {
  const holdingsFor = createLongHoldings({
    knownMaxBytes: KNOWN_MAX_BYTES,
    strangersMaxBytes: STRANGERS_MAX_BYTES,
  })
  app.addHook('onRequest', function startDeadline(request, _reply, done) {
    const deadline = new RequestDeadline(request, holdingsFor)
    stateOf(request).deadline = deadline
    withDeadline(deadline, done)
  })
  onEnd((request) => {
    const { deadline } = stateOf(request)
    if (deadline instanceof RequestDeadline) deadline.letGo()
  })
  app.addHook('onRoute', function awaitBodyOfRoute(route) {
    if (!isBodyless(route)) route.preParsing = [awaitBody, ...[route.preParsing ?? []].flat()]
  })
  app.addHook('preValidation', function resumeDeadline(request, _reply, done) {
    const { deadline, bodyAwaitedAtMs } = stateOf(request)
    // Without a body the request still runs under the deadline of its first hook.
    if (deadline === null || bodyAwaitedAtMs === 0) {
      done()
      return
    }
    deadline.atMs += performance.now() - bodyAwaitedAtMs
    // Once a body was read, Node runs the rest in the context of the connection and not of the
    // request.
    withDeadline(deadline, done)
  })
}

const awaitBody: preParsingHookHandler = (request, _reply, payload, done) => {
  stateOf(request).bodyAwaitedAtMs = performance.now()
  done(null, payload)
}

type HoldingsFor = ReturnType<typeof createLongHoldings>

/** A deadline that finds out whose the request is when somebody asks: the guard may know it by then. */
class RequestDeadline implements Deadline {
  atMs = performance.now() + REQUEST_DEADLINE_MS
  /** Undefined once the request is over. */
  private request: FastifyRequest | undefined
  /** The caller of a request that is over. */
  private lastCaller = ''
  private readonly holdingsFor: HoldingsFor
  private holdings: Holdings<string | symbol> | undefined
  private heldBytes = 0
  /** The caller for whom the bytes are held. */
  private holder = ''
  private patience: NodeJS.Timeout | undefined
  /** Of a stranger whose answer is long. */
  private givePlaceBack: (() => void) | undefined

  constructor(request: FastifyRequest, holdingsFor: HoldingsFor) {
    this.request = request
    this.holdingsFor = holdingsFor
  }

  /** The principal, as the limits of requests count it; before it is known, the client's network. */
  get caller(): string {
    return this.request === undefined ? this.lastCaller : callerOf(this.request)
  }

  get isOver(): boolean {
    return this.request === undefined
  }

  get holdsMuch(): boolean {
    return this.heldBytes > 0
  }

  hold(bytes: number, { isUndone = false, isAnswer = false }): void {
    const { request } = this
    if (request === undefined) return
    if (bytes > Math.max(SHORT_BYTES, this.heldBytes)) this.holdMore(request, bytes, isUndone)
    if (isAnswer && bytes > STRANGERS_LONG_BYTES && isStranger(request)) this.takePlace()
    if (isAnswer && this.heldBytes > 0) this.limitReading(request)
  }

  private holdMore(request: FastifyRequest, bytes: number, isUndone: boolean): void {
    if (this.heldBytes === 0) {
      this.holder = this.caller
      this.holdings = this.holdingsFor(request)
    }
    if (this.holdings?.resize(this.holder, this.heldBytes, bytes)) this.heldBytes = bytes
    else if (isUndone || READS.has(request.method)) {
      throw tooManyBytes('long answers may be under way to one caller', 'arrived')
    }
  }

  private takePlace(): void {
    this.givePlaceBack ??= strangersPlaces.take(this.caller)
    if (this.givePlaceBack !== undefined) return
    throw new AppError('too_many_requests', {
      detail: `At most ${STRANGERS_LONG_MAX} answers of more than 256 KiB may be under way to one network. Wait until one has arrived.`,
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    })
  }

  /** Whoever reads a long answer byte by byte would keep its room from others for hours. */
  private limitReading({ raw: { socket } }: FastifyRequest): void {
    clearTimeout(this.patience)
    const limitMs = READ_MS + (this.heldBytes / PACE_BYTES) * MINUTE_MS
    // A reset also drops what the kernel holds.
    this.patience = setTimeout(() => socket.resetAndDestroy(), limitMs).unref()
  }

  /** Connections remember the deadline of their work: it must not keep a request that is over. */
  letGo(): void {
    this.lastCaller = this.caller
    this.request = undefined
    clearTimeout(this.patience)
    this.patience = undefined
    this.holdings?.resize(this.holder, this.heldBytes, 0)
    this.holdings = undefined
    this.givePlaceBack?.()
    this.givePlaceBack = undefined
  }
}

function callerOf(request: FastifyRequest): string {
  const { principal } = stateOf(request)
  if (principal === null) return `address ${siteOf(clientAddress(request))}`
  const { kind, id } = consumerOf(principal)
  return `${kind} ${id}`
}
