import { recordAudit } from '../audit/record-audit-service.ts'
import { type Db, inTransaction } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { requestPasswordsContext } from '../installations/requests/request-passwords.ts'
import { SecretBoxError } from '../secrets/secret-box.ts'
import type { Actor } from '../values/actor.ts'

const BATCH_ROWS = 200

/** How many requests were encrypted anew, were left for later, or have what no key opens. */
type Pass = { done: number; left: number; unreadable: string[] }

/**
 * Goes once through the install requests that wait, in the order of their ids: their passwords are
 * encrypted with the current key. Those that somebody else is deciding are left for the next pass.
 */
export async function rekeyRequests(
  { db, secrets }: Pick<Deps, 'db' | 'secrets'>,
  actor: Actor,
): Promise<Pass> {
  const pass: Pass = { done: 0, left: 0, unreadable: [] }
  let page = await pageOfRequests(db, undefined)
  while (page.length > 0) {
    const stale = page.filter(({ passwords }) => passwords && !secrets.isCurrent(passwords))
    if (stale.length > 0) {
      const ids = stale.map(({ id }) => id)
      const { done, left, unreadable } = await rekeyBatch({ db, secrets }, actor, ids)
      pass.done += done
      pass.left += left
      pass.unreadable.push(...unreadable)
    }
    page = await pageOfRequests(db, page.at(-1)?.id)
  }
  return pass
}

function pageOfRequests(db: Db, after: string | undefined) {
  return db.installRequest.findMany({
    where: { passwords: { not: null }, ...(after === undefined ? {} : { id: { gt: after } }) },
    select: { id: true, passwords: true },
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
      const [row] = await tx.$queryRaw<{ passwords: Uint8Array | null }[]>`
        SELECT passwords FROM install_requests
        WHERE id = ${id}::uuid FOR NO KEY UPDATE SKIP LOCKED`
      if (row === undefined) {
        pass.left += await tx.installRequest.count({ where: { id, passwords: { not: null } } })
      } else if (row.passwords !== null && !secrets.isCurrent(row.passwords)) {
        const passwords = renewed(secrets, id, row.passwords)
        if (passwords === undefined) pass.unreadable.push(`passwords of the install request ${id}`)
        else {
          await tx.installRequest.update({ where: { id }, data: { passwords } })
          pass.done += 1
        }
      }
    }
    if (pass.done > 0) {
      await recordAudit(tx, {
        actor,
        action: 'secrets.rekeyed',
        subject: { kind: 'secrets', id: 'install-requests' },
        after: { count: pass.done },
      })
    }
    return pass
  })
}

/** @returns undefined when no key opens it */
function renewed(secrets: Deps['secrets'], id: string, passwords: Uint8Array) {
  const context = requestPasswordsContext(id)
  try {
    return new Uint8Array(secrets.encrypt(secrets.decrypt(passwords, context), context))
  } catch (error) {
    if (!(error instanceof SecretBoxError)) throw error
    return undefined
  }
}
