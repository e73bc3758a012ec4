import { hasCode } from '../errors.ts'
import type { EventOptions } from '../events.ts'
import type { Event } from '../generated/types.gen.ts'

type Log = { events(options: EventOptions): AsyncIterable<Event> }

/** What an inbox does with events, and where it keeps how far it is. */
export type InboxOptions = {
  /** The event log that fills gaps. */
  marketplace: Log
  /** Only events of this app. */
  appId?: string
  /** The position of the last event that was done; undefined or 0: none was. */
  position(): Promise<number | undefined>
  /**
   * Does the work of an event and keeps its position, in one transaction of yours where there is
   * one. An event whose work throws comes again with the next webhook or `catchUp()`.
   */
  handle(event: Event): Promise<void>
  /** Is told when events between were forgotten by the marketplace: compare all installations. */
  onLost?(lost: { after: number; oldestPosition: number }): Promise<void>
}

/** Takes events as they are sent, and does each once and in the order of the log. */
export type Inbox = {
  /**
   * Does an event that was sent, and those before it that were not. One that was done already is
   * left out. Resolves when all of that is done.
   */
  receive(event: Event): Promise<void>
  /** Does all that the log has and that was not done: at a start, and now and then. */
  catchUp(): Promise<void>
}

/**
 * An inbox for webhooks. Events are done one after the other. Those that are sent meanwhile are
 * not kept in memory: the inbox reads them in the log.
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

/** Does the events up to a position: the one that was sent when it is the next, else from the log. */
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
