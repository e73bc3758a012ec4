import { nextParameter } from './data/paged.ts'
import { hasCode, isGatewayStatus } from './errors.ts'
import { listEvents, replaceEventConsumer } from './generated/sdk.gen.ts'
import type { Event, ListEventsData } from './generated/types.gen.ts'
import type { Connection } from './transport/connection.ts'

type Query = NonNullable<ListEventsData['query']>

/** Which events to read, and where to begin. */
export type EventOptions = Pick<Query, 'appId' | 'installationId' | 'type' | 'limit'> & {
  /**
   * The marketplace keeps your position under this name. An event counts as done when you ask for
   * the next one; events that are not done come again.
   */
  consumer?: string
  /** Begins after this position, which you keep yourself. Not together with `consumer`. */
  after?: number
  /** `false` ends with the last event that exists. Default: waits for more. */
  follow?: boolean
  signal?: AbortSignal
}

const WAIT_SECONDS = 20
const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 30_000
/** How long a loop that is left waits for its last acknowledgement. */
const LAST_TRY_MS = 5_000

/**
 * Reads the events of a developer, oldest first. Continues when the marketplace was away, and ends
 * with `signal`. A loop that is left tries once, for a few seconds, to acknowledge what it has done.
 *
 * @throws MarketplaceError cursor_expired with `members.oldestPosition`, invalid_cursor, ...
 */
export async function* readEvents(
  connection: Pick<Connection, 'client' | 'wait'>,
  options: EventOptions,
): AsyncGenerator<Event> {
  const { client } = connection
  const { consumer, follow = true, signal, after: start, ...filters } = options
  const acknowledge = async (position: number, until: AbortSignal | undefined) => {
    if (consumer !== undefined) {
      const path = { name: consumer }
      await replaceEventConsumer({ client, path, body: { position }, signal: until ?? null })
    }
    return position
  }
  const acknowledgeOnce = (position: number) =>
    tryOnce(connection, (until) => acknowledge(position, until))
  const read = async (place: number | undefined) => {
    const from =
      place === undefined ? { ...(consumer !== undefined && { consumer }) } : { after: place }
    const query = { ...filters, ...from, ...(follow && { wait: WAIT_SECONDS }) }
    const { data, response } = await listEvents({ client, query, signal: signal ?? null })
    return { events: data, next: Number(nextParameter(response, 'after')) }
  }

  let place = start
  while (!isAborted(signal)) {
    const page = await patiently(connection, signal, () => read(place))
    if (page === undefined) return
    let done: number | undefined
    let state: 'left' | 'failed' | 'whole' = 'left'
    try {
      for (const event of page.events) {
        yield event
        done = event.position
        if (isAborted(signal)) return
      }
      state = 'whole'
    } catch (error) {
      state = 'failed'
      throw error
    } finally {
      // If the caller stops in the middle, the event that it stopped at comes again.
      if (state !== 'whole' && done !== undefined) {
        await acknowledgeOnce(done).catch((refusal: unknown) => {
          if (state === 'left') throw refusal
        })
      }
    }
    // Also without events: those that the filters left out are done.
    if (page.next !== place) {
      const kept = await patiently(connection, signal, () => acknowledge(page.next, signal))
      if (kept === undefined) return await acknowledgeOnce(page.next)
    }
    place = page.next
    if (!follow && page.events.length === 0) return
  }
}

/**
 * Tries once and not for long. That the marketplace is away is no failure: what could not be
 * acknowledged comes again.
 */
async function tryOnce(
  { wait }: Pick<Connection, 'wait'>,
  work: (until: AbortSignal) => Promise<unknown>,
): Promise<void> {
  const late = new AbortController()
  const ended = new AbortController()
  wait(LAST_TRY_MS, ended.signal).then(
    () => late.abort(),
    () => undefined,
  )
  try {
    await work(late.signal)
  } catch (error) {
    if (!late.signal.aborted && !isAway(error)) throw error
  } finally {
    ended.abort()
  }
}

function isAway(error: unknown): boolean {
  if (hasCode(error, 'unexpected_response')) return isGatewayStatus(error.status)
  return hasCode(error, 'unreachable', 'unavailable', 'too_many_requests')
}

function isAborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true
}

/** Retries while the marketplace is away, until it is back or the signal ends the wait. */
async function patiently<Result>(
  { wait }: Pick<Connection, 'wait'>,
  signal: AbortSignal | undefined,
  work: () => Promise<Result>,
): Promise<Result | undefined> {
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    try {
      return await work()
    } catch (error) {
      if (isAborted(signal)) return undefined
      if (!isAway(error)) throw error
    }
    await wait(pause, signal).catch(() => undefined)
  }
}
