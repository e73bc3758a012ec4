import type { Deps } from '../../deps.ts'
import { recordAudit } from '../audit/record-audit-service.ts'
import { issueToken } from '../tokens/issue-service.ts'
import type { IssuedToken } from '../tokens/issued-token.ts'
import type { Session } from './user-session-service.ts'

/**
 * Makes an account token for a user who is signed in in a browser. It ends as those that are made
 * with a password do: with the next password, with signing out everywhere, and with the user.
 *
 * @param session as it was read for this request
 * @param address where the request comes from
 */
export async function issueOwnToken(
  deps: Pick<Deps, 'db' | 'keys' | 'config' | 'now' | 'measures'>,
  { user, tokenGeneration: gen }: Session,
  ttlSeconds: number,
  address: string,
): Promise<IssuedToken> {
  const { id: sub, factorAt } = user
  // The time is of a replica whose clock may be ahead of this one's.
  const factorMs = Math.min(factorAt?.getTime() ?? 0, deps.now().getTime())
  const factor = factorAt === null ? {} : { auth_time: Math.floor(factorMs / 1000) }
  const claims = { aud: 'account' as const, sub, client_id: 'account', gen, ...factor }
  const issued = await issueToken(deps, claims, ttlSeconds)
  await recordAudit(deps.db, {
    actor: { kind: 'user', id: sub, address },
    action: 'user.token_made',
    subject: { kind: 'user', id: sub },
    after: { expiresAt: issued.expiresAt },
  })
  return issued
}
