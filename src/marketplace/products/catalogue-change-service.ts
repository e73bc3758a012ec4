import type { ClientBase, PoolClient } from 'pg'
import { inSqlTransaction } from '../../base/database/transaction.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'

/** How long deletions stay in the change feed. */
export const TOMBSTONE_DAYS = 30
const DAY_MS = 86_400_000

/** How long a writer waits for the earlier writers of its party. */
const TURN_WAIT_MS = 5_000
const RETRY_AFTER_SECONDS = 5

/** A change of a party's catalogue in progress: the transaction, and the revision that it makes. */
export type CatalogueChange = {
  client: PoolClient
  partyId: number
  /** The revision that every changed row gets; as text, because it may exceed 2^53. */
  revision: string
  now: Date
}

/** Thrown when a change found nothing to change, to undo the transaction. */
const UNCHANGED = Symbol('unchanged')

/**
 * Changes a party's products in one transaction, in which the party's other writers wait: revisions
 * are therefore in the order of the commits, and a page kept under an old revision is never used
 * again.
 *
 * @param work returns whether it changed anything; if not, the revision stays
 */
export async function changeCatalogue<T>(
  { pool, now }: Pick<Deps, 'pool' | 'now'>,
  partyId: number,
  work: (change: CatalogueChange) => Promise<{ changed: boolean; result: T }>,
): Promise<T> {
  let unchanged: { result: T } | undefined
  const endTurn = await takeTurn(pool, partyId)
  try {
    return await inSqlTransaction(pool, async (client) => {
      const change = await beginChange(client, partyId, now())
      const { changed, result } = await work(change)
      if (changed) return result
      unchanged = { result }
      throw UNCHANGED
    })
  } catch (error) {
    if (error === UNCHANGED && unchanged !== undefined) return unchanged.result
    throw error
  } finally {
    endTurn()
  }
}

/** The last writer in line for each party in this process, by the pool that it uses. */
const lines = new WeakMap<object, Map<number, Promise<void>>>()

/**
 * Waits for the party's earlier writers in this process. Writers also wait for each other in the
 * database, but each holds a connection there, and behind a large import they would soon hold all
 * of them.
 *
 * @returns a function to be called at the end, which lets the next writer go on
 * @throws AppError unavailable when it takes too long
 */
async function takeTurn(pool: object, partyId: number): Promise<() => void> {
  const line = lines.get(pool) ?? new Map<number, Promise<void>>()
  lines.set(pool, line)
  const turn = line.get(partyId) ?? Promise.resolve()
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  const last = turn.then(() => ended)
  line.set(partyId, last)
  const leave = () => {
    if (line.get(partyId) === last) line.delete(partyId)
  }
  last.then(leave, leave)
  const patience = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    patience.reject(
      new AppError('unavailable', {
        detail: 'Another change of these products, such as an import, is taking long.',
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      }),
    )
  }, TURN_WAIT_MS)
  try {
    await Promise.race([turn, patience.promise])
    return end
  } catch (error) {
    end()
    throw error
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Makes the party's other writers wait until the end of the caller's transaction. The party's row
 * stays free: an import that takes minutes must not keep operators from suspending the party, nor
 * its members from being changed.
 */
async function lockCatalogue(client: PoolClient, partyId: number): Promise<void> {
  await client.query({
    name: 'lock-catalogue',
    text: "SELECT pg_advisory_xact_lock(hashtext('catalogue of a party'), $1)",
    values: [partyId],
  })
}

/** Begins a short change, which raises the revision at once. */
function beginChange(client: PoolClient, partyId: number, now: Date): Promise<CatalogueChange> {
  return begin(client, partyId, now, {
    name: 'raise-catalogue-revision',
    text: `UPDATE parties SET catalogue_revision = catalogue_revision + 1
           WHERE id = $1 RETURNING catalogue_revision::text AS revision`,
  })
}

/** Begins a change that may take long; `raiseRevision` ends it. */
export function beginLongChange(
  client: PoolClient,
  partyId: number,
  now: Date,
): Promise<CatalogueChange> {
  return begin(client, partyId, now, {
    name: 'next-catalogue-revision',
    text: 'SELECT (catalogue_revision + 1)::text AS revision FROM parties WHERE id = $1',
  })
}

async function begin(
  client: PoolClient,
  partyId: number,
  now: Date,
  nextRevision: { name: string; text: string },
): Promise<CatalogueChange> {
  await lockCatalogue(client, partyId)
  const { rows } = await client.query<{ revision: string }>({ ...nextRevision, values: [partyId] })
  const [row] = rows
  if (row === undefined) throw new AppError('not_found')
  return { client, partyId, revision: row.revision, now }
}

/** Raises the revision at the end of a long change. */
export async function raiseRevision({ client, partyId, revision }: CatalogueChange): Promise<void> {
  await client.query('UPDATE parties SET catalogue_revision = $2 WHERE id = $1', [
    partyId,
    revision,
  ])
}

/** Forgets old deletions, and notes from which revision on the change feed is complete. */
export async function forgetOldDeletions({ client, partyId, now }: CatalogueChange): Promise<void> {
  const until = new Date(now.getTime() - TOMBSTONE_DAYS * DAY_MS)
  await client.query(
    `WITH gone AS (
       DELETE FROM product_deletions WHERE party_id = $1 AND deleted_at < $2 RETURNING revision)
     UPDATE parties SET feed_from_revision = latest.revision
     FROM (SELECT max(revision) AS revision FROM gone) AS latest
     WHERE id = $1 AND latest.revision > feed_from_revision`,
    [partyId, until],
  )
}

/** The developer whose app makes the change: it may read the audit entry. */
export async function developerOfInstallation(
  client: Pick<ClientBase, 'query'>,
  installationId: string | null,
): Promise<string | undefined> {
  if (installationId === null) return undefined
  const { rows } = await client.query<{ id: string }>(
    'SELECT developer_id AS id FROM installations WHERE id = $1',
    [installationId],
  )
  return rows[0]?.id
}
