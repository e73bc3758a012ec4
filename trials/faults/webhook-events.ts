import { setTimeout as sleep } from 'node:timers/promises'
import { inTransaction } from '../../src/base/database/transaction.ts'
import type { Deps } from '../../src/deps.ts'
import { recordInstallationEvent } from '../../src/marketplace/events/record-event-service.ts'
import type { Ledger } from './webhook-ledger.ts'

/** Events that were written: `installation:sequence` -> when the transaction was committed. */
export type Written = Map<string, number>

/** A patient writer goes on with the next event when one could not be written. */
type Load = { count: number; perSecond: number; isPatient?: boolean }

/**
 * Writes events with the product's own function, each in a transaction of its own, at a steady rate;
 * installations take turns. Slower than asked when the database is.
 *
 * @returns when each was committed, and the rate that was reached
 */
export async function writeEvents(
  deps: Deps,
  installationIds: readonly string[],
  { count, perSecond, isPatient = false }: Load,
): Promise<{ committed: Written; perSecond: number }> {
  const committed: Written = new Map()
  const beganAtMs = performance.now()
  const write = async (installationId: string, first: number) => {
    for (let n = first; n < count; n += installationIds.length) {
      const waitMs = beganAtMs + (n / perSecond) * 1000 - performance.now()
      if (waitMs > 0) await sleep(waitMs)
      try {
        const sequence = await writeOne(deps, installationId)
        committed.set(`${installationId}:${sequence}`, performance.now())
      } catch (error) {
        if (!isPatient) throw error
      }
    }
  }
  await Promise.all(installationIds.map(write))
  return { committed, perSecond: (count / (performance.now() - beganAtMs)) * 1000 }
}

function writeOne({ db }: Deps, installationId: string): Promise<number> {
  return inTransaction(db, async (tx) => {
    await recordInstallationEvent(tx, 'installation.settings_changed', installationId, {
      scope: 'admin',
      keys: ['margin'],
    })
    const rows = await tx.$queryRaw<{ event_sequence: number }[]>`
      SELECT event_sequence FROM installations WHERE id = ${installationId}::uuid`
    return rows[0]?.event_sequence ?? 0
  })
}

/** What a receiver got of what was written, and how long that took from the commit. */
export function compare(committed: Written, { arrivals }: Pick<Ledger, 'arrivals'>) {
  const delays: number[] = []
  const missing = new Set(committed.keys())
  let doubled = 0
  for (const { times, atMs, sequence, installationId } of arrivals.values()) {
    const key = `${installationId}:${sequence}`
    const committedAtMs = committed.get(key)
    if (committedAtMs === undefined) continue
    missing.delete(key)
    delays.push(Math.max(0, atMs - committedAtMs))
    if (times > 1) doubled += 1
  }
  delays.sort((a, b) => a - b)
  const at = (share: number) =>
    delays[Math.min(delays.length - 1, Math.floor(delays.length * share))] ?? Infinity
  return { lost: missing.size, doubled, p50: at(0.5), p99: at(0.99), longest: at(1) }
}

/** How many numbers are skipped or given twice in the log of a developer and its installations. */
export async function gapsOf({ pool }: Deps, developerId: string): Promise<number> {
  const { rows } = await pool.query<{ gaps: number }>(
    `SELECT (
       SELECT count(*) FROM (
         SELECT position - lag(position, 1, 0) OVER (ORDER BY position) AS step
         FROM events WHERE developer_id = $1) AS positions WHERE step IS DISTINCT FROM 1
     )::int + (
       SELECT count(*) FROM (
         SELECT sequence - lag(sequence, 1, 0) OVER (
           PARTITION BY installation_id ORDER BY position) AS step
         FROM events WHERE developer_id = $1 AND installation_id IS NOT NULL) AS sequences
       WHERE step IS DISTINCT FROM 1
     )::int AS gaps`,
    [developerId],
  )
  return rows[0]?.gaps ?? -1
}

/** Waits until a state is reached, for so long; says whether it was. */
export async function within(ms: number, isReached: () => boolean | Promise<boolean>) {
  const untilMs = performance.now() + ms
  while (!(await isReached())) {
    if (performance.now() > untilMs) return false
    await sleep(100)
  }
  return true
}
