import { recordAudit } from '../audit/record-audit-service.ts'
import { factorSecretContext } from '../auth/second-factor/totp.ts'
import { type Db, inTransaction } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { SecretBoxError } from '../secrets/secret-box.ts'
import type { Actor } from '../values/actor.ts'

const BATCH_ROWS = 200

/** How many second factors were encrypted anew, were left for later, or have what no key opens. */
type Pass = { done: number; left: number; unreadable: string[] }

/**
 * Goes once through the second factors, in the order of their users: their secrets are encrypted
 * with the current key. Those that somebody else is changing are left for the next pass.
 */
export async function rekeyFactors(
  { db, secrets }: Pick<Deps, 'db' | 'secrets'>,
  actor: Actor,
): Promise<Pass> {
  const pass: Pass = { done: 0, left: 0, unreadable: [] }
  let page = await pageOfFactors(db, undefined)
  while (page.length > 0) {
    const stale = page.filter(({ secret }) => !secrets.isCurrent(secret))
    if (stale.length > 0) {
      const userIds = stale.map(({ userId }) => userId)
      const { done, left, unreadable } = await rekeyBatch({ db, secrets }, actor, userIds)
      pass.done += done
      pass.left += left
      pass.unreadable.push(...unreadable)
    }
    page = await pageOfFactors(db, page.at(-1)?.userId)
  }
  return pass
}

function pageOfFactors(db: Db, after: string | undefined) {
  return db.secondFactor.findMany({
    where: after === undefined ? {} : { userId: { gt: after } },
    select: { userId: true, secret: true },
    orderBy: { userId: 'asc' },
    take: BATCH_ROWS,
  })
}

function rekeyBatch(
  { db, secrets }: Pick<Deps, 'db' | 'secrets'>,
  actor: Actor,
  userIds: readonly string[],
): Promise<Pass> {
  return inTransaction(db, async (tx) => {
    const pass: Pass = { done: 0, left: 0, unreadable: [] }
    for (const userId of userIds) {
      const [row] = await tx.$queryRaw<{ secret: Uint8Array }[]>`
        SELECT secret FROM second_factors
        WHERE user_id = ${userId}::uuid FOR NO KEY UPDATE SKIP LOCKED`
      if (row === undefined) pass.left += await tx.secondFactor.count({ where: { userId } })
      else if (!secrets.isCurrent(row.secret)) {
        const renewed = renewedSecret(secrets, userId, row.secret)
        if (renewed === undefined) pass.unreadable.push(`second factor of ${userId}`)
        else {
          await tx.secondFactor.update({ where: { userId }, data: { secret: renewed } })
          pass.done += 1
        }
      }
    }
    if (pass.done > 0) {
      await recordAudit(tx, {
        actor,
        action: 'secrets.rekeyed',
        subject: { kind: 'secrets', id: 'second-factors' },
        after: { count: pass.done },
      })
    }
    return pass
  })
}

/** @returns undefined when no key opens it */
function renewedSecret(secrets: Deps['secrets'], userId: string, secret: Uint8Array) {
  const context = factorSecretContext(userId)
  try {
    return new Uint8Array(secrets.encrypt(secrets.decrypt(secret, context), context))
  } catch (error) {
    if (!(error instanceof SecretBoxError)) throw error
    return undefined
  }
}
