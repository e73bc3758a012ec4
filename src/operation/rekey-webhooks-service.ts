import { recordAudit } from '../audit/record-audit-service.ts'
import { type Db, inTransaction } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { type SecretBox, SecretBoxError } from '../secrets/secret-box.ts'
import type { Actor } from '../values/actor.ts'
import {
  endpointHeadersContext,
  endpointSecretContext,
} from '../webhooks/endpoints/endpoint-secrets.ts'

const BATCH_ROWS = 200

/** Column of an endpoint -> what its ciphertext is bound to. */
const COLUMNS = {
  secret: endpointSecretContext,
  previousSecret: endpointSecretContext,
  headers: endpointHeadersContext,
} as const
type Column = keyof typeof COLUMNS
type Ciphertexts = Record<Column, Uint8Array | null>
type Renewed = Partial<Record<Column, Uint8Array<ArrayBuffer>>>

/** How many endpoints were encrypted anew, were left for later, or have what no key opens. */
type Pass = { done: number; left: number; unreadable: string[] }

/**
 * Goes once through the webhook endpoints, in the order of their ids: secrets and static headers are
 * encrypted with the current key. Endpoints that somebody else is changing are left for the next
 * pass.
 */
export async function rekeyWebhooks(
  { db, secrets }: Pick<Deps, 'db' | 'secrets'>,
  actor: Actor,
): Promise<Pass> {
  const pass: Pass = { done: 0, left: 0, unreadable: [] }
  let page = await pageOfEndpoints(db, undefined)
  while (page.length > 0) {
    const stale = page.filter((row) => staleColumns(secrets, row).length > 0)
    if (stale.length > 0) {
      const ids = stale.map(({ id }) => id)
      const { done, left, unreadable } = await rekeyBatch({ db, secrets }, actor, ids)
      pass.done += done
      pass.left += left
      pass.unreadable.push(...unreadable)
    }
    page = await pageOfEndpoints(db, page.at(-1)?.id)
  }
  return pass
}

function pageOfEndpoints(db: Db, after: string | undefined) {
  return db.webhookEndpoint.findMany({
    where: after === undefined ? {} : { id: { gt: after } },
    select: { id: true, secret: true, previousSecret: true, headers: true },
    orderBy: { id: 'asc' },
    take: BATCH_ROWS,
  })
}

function rekeyBatch(
  { db, secrets }: Pick<Deps, 'db' | 'secrets'>,
  actor: Actor,
  ids: readonly string[],
): Promise<Pass> {
  return inTransaction(db, async (tx) => {
    const pass: Pass = { done: 0, left: 0, unreadable: [] }
    for (const id of ids) {
      const taken = await tx.$queryRaw<Ciphertexts[]>`
        SELECT secret, previous_secret AS "previousSecret", headers FROM webhook_endpoints
        WHERE id = ${id}::uuid FOR NO KEY UPDATE SKIP LOCKED`
      const [row] = taken
      if (row === undefined) pass.left += await tx.webhookEndpoint.count({ where: { id } })
      else {
        const { renewed, isReadable } = renewedColumns(secrets, id, row)
        if (!isReadable) pass.unreadable.push(`webhook endpoint ${id}`)
        if (Object.keys(renewed).length > 0) {
          await writeColumns(tx, id, renewed)
          pass.done += 1
        }
      }
    }
    if (pass.done > 0) {
      await recordAudit(tx, {
        actor,
        action: 'secrets.rekeyed',
        subject: { kind: 'secrets', id: 'webhooks' },
        after: { count: pass.done },
      })
    }
    return pass
  })
}

function staleColumns(secrets: SecretBox, row: Ciphertexts): Column[] {
  return (Object.keys(COLUMNS) as Column[]).filter((column) => {
    const ciphertext = row[column]
    return ciphertext !== null && !secrets.isCurrent(ciphertext)
  })
}

/** The columns that need another ciphertext; those that no key opens are left as they are. */
function renewedColumns(secrets: SecretBox, id: string, row: Ciphertexts) {
  const renewed: Renewed = {}
  let isReadable = true
  for (const column of staleColumns(secrets, row)) {
    const context = COLUMNS[column](id)
    try {
      const plaintext = secrets.decrypt(row[column] ?? new Uint8Array(), context)
      renewed[column] = new Uint8Array(secrets.encrypt(plaintext, context))
    } catch (error) {
      if (!(error instanceof SecretBoxError)) throw error
      isReadable = false
    }
  }
  return { renewed, isReadable }
}

/** Leaves `updated_at` alone: the values are the same as before. */
async function writeColumns(tx: Db, id: string, renewed: Renewed): Promise<void> {
  const { secret = null, previousSecret = null, headers = null } = renewed
  await tx.$executeRaw`
    UPDATE webhook_endpoints SET secret = coalesce(${secret}, secret),
      previous_secret = coalesce(${previousSecret}, previous_secret),
      headers = coalesce(${headers}, headers)
    WHERE id = ${id}::uuid`
}
