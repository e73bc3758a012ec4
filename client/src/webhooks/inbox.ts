import { hasCode } from '../errors.ts'
import type { EventOptions } from '../events.ts'
import type { Event } from '../generated/types.gen.ts'

/** How many events an inbox remembers to have done. */
const REMEMBERED_MAX = 1000

type Log = { events(options: EventOptions): AsyncIterable<Event> }

type Lost = { after: number; oldestPosition: number }

/** How an inbox handles events, and where it keeps its position. */
export type InboxOptions = {
  /** The event log, from which gaps are filled. */
  marketplace: Log
  /** Only events of this app. */
  appId?: string
  /** Reads the position of the last event that was done; undefined or 0 when there was none. */
  position(): Promise<number | undefined>
  /**
   * Does the work of an event and keeps its position, also a lower one, in one transaction if you
   * have one. An event whose work throws comes again with the next webhook or `catchUp()`.
   */
  handle(event: Event): Promise<void>
  /**
   * Called when the marketplace no longer has some of the events after `after`: compare all
   * installations. An `oldestPosition` that is not above `after` means that the log ends before
   * `after`, because the marketplace's data were replaced or restored from a backup. Either way keep
   * `oldestPosition - 1` as the position: the events from `oldestPosition` come next.
   */
  onLost?(lost: Lost): Promise<void>
}

/** Takes webhook events, and does each event once, in the order of the log. */
export type Inbox = {
  /**
   * Does an event that arrived, and earlier events that did not arrive. Skips an event that is done
   * already: after a restart it asks the marketplace first whether the log still has the position.
   * Resolves when all of that is done.
   */
  receive(event: Event): Promise<void>
  /** Does every event of the log that is not done. Call it at a start and from time to time. */
  catchUp(): Promise<void>
}

/**
 * Makes an inbox for webhooks. It does one event after another. It does not keep events that arrive
 * meanwhile in memory, but reads them from the log.
 */
export function createInbox(options: InboxOptions): Inbox {
  const done = new Set<string>()
  const work: Work = {
    options,
    isDone: (event) => event !== undefined && done.has(event.id),
    async handle(event) {
      await options.handle(event)
      done.add(event.id)
      for (const oldest of done) {
        if (done.size <= REMEMBERED_MAX) break
        done.delete(oldest)
      }
    },
  }
  let running: Promise<void> | undefined
  let next: Promise<void> | undefined
  let nextUntil = 0

  const schedule = (until: number, event?: Event): Promise<void> => {
    if (running === undefined) {
      running = doUntil(work, until, event).finally(() => {
        running = undefined
      })
      return running
    }
    nextUntil = Math.max(nextUntil, until)
    next ??= running
      .catch(() => undefined)
      .then(() => {
        const wanted = nextUntil
        next = undefined
        nextUntil = 0
        return schedule(wanted)
      })
    return next
  }
  return {
    receive: (event) => schedule(event.position, event),
    catchUp: () => schedule(Number.POSITIVE_INFINITY),
  }
}

type Work = Pick<InboxOptions, 'handle'> & {
  options: InboxOptions
  /** Whether this inbox has done an event, as far as it remembers. */
  isDone(event: Event | undefined): boolean
}

/**
 * Does the events up to a position. Uses the event that arrived if it is the next one, otherwise
 * the log.
 */
async function doUntil(work: Work, until: number, sent?: Event): Promise<void> {
  const done = (await work.options.position()) ?? 0
  if (sent?.position === done + 1) return work.handle(sent)
  // An event below the position is an old one, or one of a new log that ends before the position.
  if (until > done || !work.isDone(sent)) await fill(work, done, until)
}

async function fill({ options, handle }: Work, done: number, until: number): Promise<void> {
  const { start, events, first } = await openLog(options, done, until)
  try {
    if (start !== done) await options.onLost?.({ after: done, oldestPosition: start + 1 })
    for (let next = first; !next.done && next.value.position <= until; next = await events.next()) {
      await handle(next.value)
    }
  } finally {
    await events.return?.()
  }
}

/** The log after a position, or after the nearest one that it has, and its first event. */
async function openLog({ marketplace, appId }: InboxOptions, done: number, until: number) {
  for (let start = done; ; ) {
    const query = {
      after: start,
      follow: false,
      ...(appId !== undefined && { appId }),
      // Nothing is to be done unless the log has lost its position.
      ...(until <= start && { limit: 1 }),
    }
    const events = marketplace.events(query)[Symbol.asyncIterator]()
    try {
      return { start, events, first: await events.next() }
    } catch (error) {
      if (hasCode(error, 'cursor_expired')) start = Number(error.members.oldestPosition) - 1
      else if (hasCode(error, 'invalid_cursor') && start > 0) start = 0
      else throw error
    }
  }
}
