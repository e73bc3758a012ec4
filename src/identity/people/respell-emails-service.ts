import { inTransaction } from '../../base/database/transaction.ts'
import { SYSTEM } from '../../base/values/actor.ts'
import { normalEmail } from '../../base/values/email.ts'
import type { Deps } from '../../deps.ts'
import { takeUserByEmail } from '../accounts/users-service.ts'
import { recordAudit } from '../audit/record-audit-service.ts'
import { endLinks, openAt, takeTurnWithLinks } from '../links/link-tokens-service.ts'

type RespellDeps = Pick<Deps, 'db' | 'now'>

/**
 * Gives addresses of users and open links their one spelling, where a former release kept another
 * one: with a domain in letters of its own, or with a dot at its end. Where somebody else has the
 * address in that spelling, both keep theirs, and each signs in with what was written.
 *
 * @returns the ids of users who keep another spelling, for an operator to tell them apart
 */
export async function respellEmails(deps: RespellDeps): Promise<{ twins: string[] }> {
  // Letters of another script take more bytes than they are.
  const found = await deps.db.$queryRaw<{ email: string }[]>`
    WITH kept AS (
      SELECT email FROM users WHERE removed_at IS NULL
      UNION SELECT email FROM link_tokens WHERE used_at IS NULL AND ended_at IS NULL
    )
    SELECT email FROM kept
    WHERE email LIKE '%.'
      OR octet_length(split_part(email, '@', 2)) <> char_length(split_part(email, '@', 2))
    ORDER BY email`
  const twins: string[] = []
  for (const { email } of found) {
    const normal = normalEmail(email)
    const twin = normal === email ? undefined : await respell(deps, email, normal)
    if (twin !== undefined) twins.push(twin)
  }
  return { twins }
}

/** @returns the id of a user who keeps the spelling, because somebody has the normal one */
function respell(
  { db, now }: RespellDeps,
  written: string,
  normal: string,
): Promise<string | undefined> {
  return inTransaction(db, async (tx) => {
    const known = await tx.user.findUnique({ where: { email: written }, select: { id: true } })
    if (known !== null) await takeTurnWithLinks(tx, known.id)
    const open = { email: written, ...openAt(now()) }
    const links = await tx.linkToken.findMany({ where: open, orderBy: { id: 'asc' } })
    const user = await takeUserByEmail(tx, written)
    if (user !== null) {
      if ((await tx.user.count({ where: { email: normal } })) > 0) return user.id
      await tx.user.update({ where: { id: user.id }, data: { email: normal } })
      await recordAudit(tx, {
        actor: SYSTEM,
        action: 'user.changed',
        subject: { kind: 'user', id: user.id },
        before: { email: written },
        after: { email: normal },
      })
    }
    for (const { id, purpose, scope } of links) {
      const same = { purpose, scope, email: normal, usedAt: null, endedAt: null }
      // A change of email names both addresses: who wants it asks again.
      const isKept = purpose !== 'email_change' && (await tx.linkToken.count({ where: same })) === 0
      if (isKept) await tx.linkToken.update({ where: { id }, data: { email: normal } })
      else await endLinks({ db: tx, now }, { id })
    }
    return undefined
  })
}
