import type { FastifyRequest } from 'fastify'
import type { Deadline } from '../../base/fair-share/deadline.ts'
import { READS, type RequestEnd } from '../observability/request-end.ts'
import { stateOf } from '../observability/request-state.ts'
import { callerOf, createRoom, type HeldBytes, SHORT_BYTES, tooManyBytes } from './held-bytes.ts'

/** No answer takes longer than 10 s: at this time a request stops waiting for the database. */
const REQUEST_DEADLINE_MS = 9_000
/**
 * What was read from the database, and the answers made of it until the clients have read them. One
 * caller may have twenty of the longest apps at once, each of which takes several times its length in
 * memory.
 */
const ROOM = { known: 48, strangers: 32 }
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
    if (isAnswer) this.limitReading(request, bytes)
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
  }
}
