import type { Deps } from '../../deps.ts'
import { AppError, unless } from '../../errors.ts'
import type { Actor } from '../../values/actor.ts'
import { createMembership } from '../members/memberships-service.ts'
import { createUser } from '../users-service.ts'

/** The person for whom a developer opens its apps in its sandbox. */
export type SandboxUser = {
  user: { id: string; name: string; email: string; operator: boolean; factorAt: null }
  tokenGeneration: number
  /** The sandbox. */
  partyId: number
}

/** Whom nobody can be: `.invalid` is no domain (RFC 2606), so no mail arrives there. */
function sandboxEmail(developerId: string): string {
  return `test-user@${developerId}.invalid`
}

/**
 * The test user of a developer's sandbox. It is made the first time, with a password that nobody
 * knows. People whom the operator has made members of the sandbox are never acted for.
 *
 * @throws AppError unprocessable when the operator has suspended the test user; unavailable when
 *   too many passwords are hashed at once
 */
export async function takeSandboxUser(
  deps: Pick<Deps, 'db' | 'passwords'>,
  { developerId, actor }: { developerId: string; actor: Actor },
): Promise<SandboxUser> {
  const { db } = deps
  const { sandboxPartyId: partyId } = await db.developer.findUniqueOrThrow({
    where: { id: developerId },
    select: { sandboxPartyId: true },
  })
  const where = { email: sandboxEmail(developerId) }
  const include = { memberships: { where: { partyId } } }
  if ((await db.user.count({ where })) === 0) {
    const input = { ...where, name: 'Test user', partyIds: [partyId] }
    // Somebody who asks at the same moment may be faster.
    await unless('already_exists', createUser(deps, input, actor))
  }
  const { memberships, tokenGeneration, suspendedAt, ...user } = await db.user.findUniqueOrThrow({
    where,
    include,
  })
  if (suspendedAt !== null) {
    throw new AppError('unprocessable', {
      detail: 'The operator has suspended the test user of your sandbox.',
    })
  }
  if (memberships.length === 0) {
    await unless('already_exists', createMembership(deps, { userId: user.id, partyId }, actor))
  }
  const { id, name, email, operator } = user
  return { user: { id, name, email, operator, factorAt: null }, tokenGeneration, partyId }
}
