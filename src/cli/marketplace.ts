import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { type Config, loadConfig } from '../config.ts'
import type { Deps } from '../deps.ts'
import { OperatorError } from '../errors.ts'
import { createLogger } from '../log/logger.ts'
import { joinDatabaseUrl, openRuntime } from '../start/runtime.ts'
import type { Page, PageRequest } from '../values/page-of-list.ts'

/** The command line is wrong; the message says how to call the command. */
export class UsageError extends OperatorError {}

/**
 * Runs a command on the marketplace that the environment names: the database of DATABASE_URL, or
 * the embedded one, started for the command or joined when a server runs on it.
 */
export async function withMarketplace<T>(
  work: (deps: Deps, config: Config) => Promise<T>,
): Promise<T> {
  const config = loadConfig()
  // Standard output is for the command's result only.
  const log = createLogger({ logLevel: 'silent' })
  const runtime = await openRuntime(config, log, await joinDatabaseUrl(config))
  try {
    return await work(runtime.deps, config)
  } finally {
    await runtime.close()
  }
}

/** A positive whole number of the command line. */
export function integer(text: string, option: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text.trim())) {
    throw new UsageError(`${option} takes whole numbers, not "${text}".`)
  }
  return Number(text)
}

/** An id in the form of a UUID. */
export function uuid(text: string, option: string): string {
  if (!z.uuid().safeParse(text).success) {
    throw new UsageError(`${option} takes an id such as ${randomUUID()}, not "${text}".`)
  }
  return text
}

/** A moment of the command line, as ISO 8601 in UTC. */
export function moment(text: string, option: string): string {
  const time = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(time)) {
    throw new UsageError(`${option} takes a moment such as 2026-11-21T09:30:00Z, not "${text}".`)
  }
  return new Date(time).toISOString()
}

const PAGE_ENTRIES = 1000

/** A whole list, read page by page. */
export async function everyEntry<Entry>(
  load: (page: PageRequest) => Promise<Page<Entry>>,
): Promise<Entry[]> {
  const entries: Entry[] = []
  let page = await load({ after: undefined, limit: PAGE_ENTRIES })
  entries.push(...page.entries)
  while (page.next !== undefined) {
    page = await load({ after: page.next, limit: PAGE_ENTRIES })
    entries.push(...page.entries)
  }
  return entries
}
