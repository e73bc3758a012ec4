import type { FastifyRequest } from 'fastify'
import { createBound } from '../../base/fair-share/bound.ts'
import type { Deadline } from '../../base/fair-share/deadline.ts'
import { AppError } from '../../errors.ts'
import { READS, type RequestEnd } from '../observability/request-end.ts'
import { isStranger, stateOf } from '../observability/request-state.ts'
import { callerOf, createRoom, type HeldBytes, SHORT_BYTES, tooManyBytes } from './held-bytes.ts'

/** No answer takes longer than 10 s: at this time a request stops waiting for the database. */
const REQUEST_DEADLINE_MS = 9_000
/**
 * What was read from the database, and the answers made of it until the clients have read them. One
 * caller may have twenty of the longest apps at once, each of which takes several times its length in
 * memory.
 */
const ROOM = { known: 48, strangers: 32 }
/** Of answers longer than this, strangers of one network may have few under way. */
const STRANGERS_LONG_BYTES = 256 * 1024
const STRANGERS_LONG_MAX = 4
const RETRY_AFTER_SECONDS = 1
const strangersLong = createBound<string>({ each: STRANGERS_LONG_MAX })
/** How long the client has to read a long answer, and the least that it must read in a minute more. */
const READ_MS = 60_000
const PACE_BYTES = 1_048_576
const MINUTE_MS = 60_000

/** Begins the time of a request. */
export type StartDeadline = (request: FastifyRequest) => Deadline

/**
 * Gives each request a deadline for everything it waits for, and bounds what the requests of a caller
 * hold in memory while they wait.
 */
export function limitWaits(onEnd: (listener: RequestEnd) => void): StartDeadline {
  const roomOf = createRoom(ROOM)
  onEnd((request) => {
    const { deadline } = stateOf(request)
    if (deadline instanceof RequestDeadline) deadline.letGo()
  })
  return (request) => new RequestDeadline(request, roomOf)
}

type RoomOf = ReturnType<typeof createRoom>

/** A deadline that finds out whose the request is when somebody asks: the guard may know it by then. */
class RequestDeadline implements Deadline {
  atMs = performance.now() + REQUEST_DEADLINE_MS
  /** Undefined once the request is over. */
  private request: FastifyRequest | undefined
  /** The caller of a request that is over. */
  private lastCaller = ''
  private readonly roomOf: RoomOf
  private held: HeldBytes | undefined
  private patience: NodeJS.Timeout | undefined
  /** Of a stranger whose answer is long. */
  private giveBack: (() => void) | undefined

  constructor(request: FastifyRequest, roomOf: RoomOf) {
    this.request = request
    this.roomOf = roomOf
  }

  /** The principal, as the limits of requests count it; before it is known, the client's network. */
  get caller(): string {
    return this.request === undefined ? this.lastCaller : callerOf(this.request)
  }

  get isOver(): boolean {
    return this.request === undefined
  }

  get holdsMuch(): boolean {
    return this.held !== undefined && this.held.bytes > 0
  }

  hold(bytes: number, { isUndone = false, isAnswer = false }): void {
    const { request } = this
    if (request === undefined || bytes <= SHORT_BYTES) return
    this.held ??= this.roomOf(request)
    const mayBeRefused = isUndone || READS.has(request.method)
    if (!this.held.hold(bytes) && mayBeRefused) {
      throw tooManyBytes('long answers may be under way to one caller', 'arrived')
    }
    if (!isAnswer) return
    if (bytes > STRANGERS_LONG_BYTES && isStranger(request)) this.takePlace()
    this.limitReading(request, bytes)
  }

  private takePlace(): void {
    this.giveBack ??= strangersLong.take(this.caller)
    if (this.giveBack !== undefined) return
    throw new AppError('too_many_requests', {
      detail: `At most ${STRANGERS_LONG_MAX} answers of more than 256 KiB may be under way to one network. Wait until one has arrived.`,
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    })
  }

  /** Whoever reads a long answer byte by byte would keep its room from others for hours. */
  private limitReading({ raw: { socket } }: FastifyRequest, bytes: number): void {
    clearTimeout(this.patience)
    const limitMs = READ_MS + (bytes / PACE_BYTES) * MINUTE_MS
    // A reset also drops what the kernel holds.
    this.patience = setTimeout(() => socket.resetAndDestroy(), limitMs).unref()
  }

  /** Connections remember the deadline of their work: it must not keep a request that is over. */
  letGo(): void {
    this.lastCaller = this.caller
    this.request = undefined
    clearTimeout(this.patience)
    this.patience = undefined
    this.held?.release()
    this.held = undefined
    this.giveBack?.()
    this.giveBack = undefined
  }
}
