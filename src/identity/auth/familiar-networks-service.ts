import { createHash } from 'node:crypto'
import { batchedLookUp } from '../../base/database/batched-look-up.ts'
import type { Db } from '../../base/database/transaction.ts'
import { siteOf } from '../../base/values/client-network.ts'
import type { Deps } from '../../deps.ts'
import type { LoginAttempt } from './failed-sign-in-limits-service.ts'

/** How long a network stays familiar after the last sign-in. */
const KEPT_DAYS = 42
/** Networks of one user or client id; of more, those that were used last are kept. */
const NETWORKS_MAX = 20

/** Calls at once share a statement, so that a flood of sign-ins costs the database few of them. */
const findFamiliar = batchedLookUp<boolean>(
  {
    name: 'familiar-network',
    text: `
    SELECT EXISTS (
      SELECT 1 FROM familiar_networks f
      WHERE f.who = asked.who AND f.network = asked.network
        AND f.last_used_at > now() - make_interval(days => ${KEPT_DAYS}))
    FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS asked (who, network, n)
    ORDER BY asked.n`,
  },
  { read: ([text]) => text === 't' },
)

/**
 * Whether somebody has signed in with this id from this network within the last weeks. It decides
 * whose password is checked first, no more.
 *
 * @returns the key of id and network, or undefined when it is not familiar
 */
export async function familiarKey(
  { pool }: Pick<Deps, 'pool'>,
  attempt: LoginAttempt,
): Promise<string | undefined> {
  const [who, network] = keysOf(attempt)
  return (await findFamiliar(pool, who, network)) ? network : undefined
}

/** Notes the network of a sign-in that succeeded. It writes at most once a day. */
export async function rememberNetwork(
  { pool }: Pick<Deps, 'pool'>,
  attempt: LoginAttempt,
): Promise<void> {
  const [who, network] = keysOf(attempt)
  const { rowCount } = await pool.query({
    name: 'familiar-network-used',
    text: `
      INSERT INTO familiar_networks AS f (who, network, last_used_at) VALUES ($1, $2, now())
      ON CONFLICT (who, network) DO UPDATE SET last_used_at = now()
        WHERE f.last_used_at < now() - make_interval(days => 1)`,
    values: [who, network],
  })
  if (rowCount === 0) return
  await pool.query({
    name: 'familiar-network-forget',
    text: `
      DELETE FROM familiar_networks WHERE (who, network) IN (
        SELECT who, network FROM familiar_networks
        WHERE last_used_at < now() - make_interval(days => ${KEPT_DAYS})
          OR (who = $1 AND network IN (
            SELECT network FROM familiar_networks WHERE who = $1
            ORDER BY last_used_at DESC OFFSET ${NETWORKS_MAX}))
        FOR UPDATE SKIP LOCKED)`,
    values: [who],
  })
}

/** Forgets the networks of a user who is removed. */
export async function forgetNetworks(tx: Db, { email }: { email: string }): Promise<void> {
  await tx.familiarNetwork.deleteMany({ where: { who: hashOf('user', email) } })
}

/** Hashes: the table tells nobody who uses which networks. */
function keysOf({ kind, id, address }: LoginAttempt): [who: string, network: string] {
  return [hashOf(kind, id), hashOf(kind, id, siteOf(address))]
}

function hashOf(...parts: string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url')
}
