import { hasCode } from '../errors.ts'
import type { EventOptions } from '../events.ts'
import type { Event } from '../generated/types.gen.ts'

type Log = { events(options: EventOptions): AsyncIterable<Event> }

/** How an inbox handles events, and where it keeps its position. */
export type InboxOptions = {
  /** The event log, from which gaps are filled. */
  marketplace: Log
  /** Only events of this app. */
  appId?: string
  /** Reads the position of the last event that was done; undefined or 0 when there was none. */
  position(): Promise<number | undefined>
  /**
   * Does the work of an event and keeps its position, in one transaction if you have one. An event
   * whose work throws comes again with the next webhook or `catchUp()`.
   */
  handle(event: Event): Promise<void>
  /** Called when the marketplace no longer has some of the events: compare all installations. */
  onLost?(lost: { after: number; oldestPosition: number }): Promise<void>
}

/** Takes webhook events, and does each event once, in the order of the log. */
export type Inbox = {
  /**
   * Does an event that arrived, and earlier events that did not arrive. Skips an event that is done
   * already. Resolves when all of that is done.
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
  let running: Promise<void> | undefined
  let next: Promise<void> | undefined
  let nextUntil = 0

  const schedule = (until: number, event?: Event): Promise<void> => {
    if (running === undefined) {
      running = doUntil(options, until, event).finally(() => {
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

/**
 * Does the events up to a position. Uses the event that arrived if it is the next one, otherwise
 * the log.
 */
async function doUntil(options: InboxOptions, until: number, sent?: Event): Promise<void> {
  const done = (await options.position()) ?? 0
  if (until <= done) return
  if (sent?.position === done + 1) await options.handle(sent)
  else await fill(options, done, until)
}

async function fill(options: InboxOptions, done: number, until: number): Promise<void> {
  const { marketplace, appId, handle, onLost } = options
  const after = async (start: number) => {
    const query = { after: start, follow: false, ...(appId !== undefined && { appId }) }
    for await (const event of marketplace.events(query)) {
      if (event.position > until) return
      await handle(event)
    }
  }
  try {
    await after(done)
  } catch (error) {
    if (!hasCode(error, 'cursor_expired')) throw error
    const oldestPosition = Number(error.members.oldestPosition)
    await onLost?.({ after: done, oldestPosition })
    await after(oldestPosition - 1)
  }
}
