import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { createLogger } from '../../base/log/logger.ts'
import type { Page, PageRequest } from '../../base/values/page-of-list.ts'
import { MomentText } from '../../base/values/shapes.ts'
import { type Config, loadConfig } from '../../config.ts'
import type { Deps } from '../../deps.ts'
import { OperatorError } from '../../errors.ts'
import { joinDatabaseUrl, openRuntime } from '../start/runtime.ts'

/** The command line is wrong; the message tells how to call the command. */
export class UsageError extends OperatorError {}

/**
 * Runs a command on the marketplace that the environment configures: the database of DATABASE_URL,
 * or the embedded one. The command starts the embedded database, or joins it when a server runs.
 */
export async function withMarketplace<T>(
  work: (deps: Deps, config: Config) => Promise<T>,
): Promise<T> {
  const config = loadConfig()
  // Standard output holds only the command's result.
  const log = createLogger({ logLevel: 'silent' })
  const runtime = await openRuntime(config, log, await joinDatabaseUrl(config))
  try {
    return await work(runtime.deps, config)
  } finally {
    await runtime.close()
  }
}

/** Reads a positive whole number from the command line. */
export function wholeNumber(text: string, option: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text.trim())) {
    throw new UsageError(`${option} takes whole numbers from 1, not "${text}".`)
  }
  return Number(text)
}

/** Reads an id in UUID form from the command line. */
export function uuid(text: string, option: string): string {
  if (!z.uuid().safeParse(text).success) {
    throw new UsageError(`${option} takes an id such as ${randomUUID()}, not "${text}".`)
  }
  return text
}

/** Reads a time from the command line: ISO 8601 in UTC. */
export function moment(text: string, option: string): string {
  const time = MomentText.safeParse(/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00Z` : text)
  if (!time.success) {
    throw new UsageError(`${option} takes a moment such as 2026-11-21T09:30:00Z, not "${text}".`)
  }
  return new Date(time.data).toISOString()
}

const PAGE_ENTRIES = 1000

type Load<Entry> = (page: PageRequest) => Promise<Page<Entry>>

/** The pages of a list, or its first entries: a page may have fewer than asked for. */
export async function* pagesOf<Entry>(
  load: Load<Entry>,
  limit = Number.POSITIVE_INFINITY,
): AsyncGenerator<Page<Entry>> {
  let left = limit
  let after: Page<Entry>['next']
  do {
    const page = await load({ after, limit: Math.min(PAGE_ENTRIES, left) })
    yield page
    left -= page.entries.length
    after = page.next
  } while (after !== undefined && left > 0)
}

/**
 * Reads a list, page by page.
 *
 * @param limit from `--limit`: how many entries at most; all of them when it is not given
 */
export async function everyEntry<Entry>(load: Load<Entry>, limit?: string): Promise<Entry[]> {
  const most = limit === undefined ? undefined : wholeNumber(limit, '--limit')
  return (await Array.fromAsync(pagesOf(load, most))).flatMap(({ entries }) => entries)
}
