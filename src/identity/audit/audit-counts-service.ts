import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { type MinuteWrites, writeEveryMinute } from '../../base/concurrency/every-minute.ts'
import { createOutageLog } from '../../base/log/outage-log.ts'
import type { Actor } from '../../base/values/actor.ts'
import type { AuditAction } from './audit-actions.ts'

const HOUR_MS = 3_600_000
/** Different entries that one process holds; what comes beyond them is not counted. */
const HELD_MAX = 10_000
const ROWS_PER_STATEMENT = 1_000

/** Something that happens often: the trail has one entry of it for each hour, with a count. */
type CountedEntry = {
  actor: Actor
  action: AuditAction
  subject: { kind: string; id: string }
  developerId?: string | undefined
  partyId?: number | undefined
  /** Whether each address has an entry of its own. */
  perAddress?: boolean
}

/**
 * Counts what happens often, and writes the counts to the audit trail once a minute. Counts whose write
 * was committed but not answered, as when a primary is lost, are written twice.
 */
export type AuditCounts = MinuteWrites<Pick<Pool, 'query'>> & {
  /** Counts one more. Costs no query. */
  add(entry: CountedEntry): void
}

type Held = CountedEntry & { key: string; hourMs: number; at: Date; lastAt: Date; count: number }

/** The counts of a process. */
export function createAuditCounts(
  pool: Pick<Pool, 'query'>,
  log: Pick<Logger, 'warn' | 'info'>,
  now: () => Date,
): AuditCounts {
  const outage = createOutageLog(log, {
    away: 'counts of the audit trail were not written; they are kept',
    back: 'counts of the audit trail are written again',
  })
  let held = new Map<string, Held>()
  const hold = (entry: Held) => {
    const id = `${entry.hourMs}:${entry.key}`
    const known = held.get(id)
    if (known !== undefined) {
      known.count += entry.count
      if (entry.lastAt > known.lastAt) known.lastAt = entry.lastAt
    } else if (held.size < HELD_MAX) held.set(id, entry)
  }
  const writeAll = async (to: Pick<Pool, 'query'>) => {
    const entries = [...held.values()].sort((a, b) => (a.key < b.key ? -1 : 1))
    held = new Map()
    for (let first = 0; first < entries.length; first += ROWS_PER_STATEMENT) {
      const rows = entries.slice(first, first + ROWS_PER_STATEMENT)
      try {
        await to.query(UPSERT, [JSON.stringify(rows.map(rowOf))])
        outage.succeeded()
      } catch (error) {
        outage.failed(error)
        for (const row of rows) hold(row)
      }
    }
  }
  return {
    ...writeEveryMinute(pool, writeAll),
    add(entry) {
      const at = now()
      const { actor, action, subject, perAddress = false } = entry
      const from = perAddress ? actor.address : ''
      const key = `${action}:${actor.kind}:${actor.id ?? ''}:${subject.kind}:${subject.id}:${from}`
      const hourMs = Math.floor(at.getTime() / HOUR_MS) * HOUR_MS
      const known = held.get(`${hourMs}:${key}`)
      if (known === undefined) hold({ ...entry, key, hourMs, at, lastAt: at, count: 1 })
      else {
        known.count += 1
        known.lastAt = at
      }
    },
  }
}

const UPSERT = `
  INSERT INTO audit_counts AS c (hour, key, at, last_at, count, actor_kind, actor_id,
    actor_developer_id, address, action, subject_kind, subject_id, developer_id, party_id)
  SELECT hour, key, at, last_at, count, actor_kind, actor_id, actor_developer_id, address, action,
    subject_kind, subject_id, developer_id, party_id
  FROM json_to_recordset($1) AS r (hour timestamptz, key text, at timestamptz,
    last_at timestamptz, count bigint, actor_kind text, actor_id text,
    actor_developer_id uuid, address text, action text,
    subject_kind text, subject_id text, developer_id uuid, party_id int)
  ON CONFLICT (hour, key) DO UPDATE SET
    count = c.count + excluded.count, last_at = greatest(c.last_at, excluded.last_at)`

function rowOf({ key, hourMs, at, lastAt, count, ...entry }: Held) {
  const { actor, action, subject, developerId, partyId } = entry
  return {
    hour: new Date(hourMs),
    key,
    at,
    last_at: lastAt,
    count,
    actor_kind: actor.kind,
    actor_id: actor.id,
    actor_developer_id: actor.developerId ?? null,
    address: actor.address,
    action,
    subject_kind: subject.kind,
    subject_id: subject.id,
    developer_id: developerId ?? null,
    party_id: partyId ?? null,
  }
}
