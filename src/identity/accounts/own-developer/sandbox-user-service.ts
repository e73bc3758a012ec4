import { randomBytes } from 'node:crypto'
import type { Prisma } from '../../../base/database/generated/client.ts'
import { type Db, inTransaction } from '../../../base/database/transaction.ts'
import type { Actor } from '../../../base/values/actor.ts'
import { BY_CREATION } from '../../../base/values/keyset.ts'
import type { Deps } from '../../../deps.ts'
import { AppError, ignoring } from '../../../errors.ts'
import { NO_PASSWORD_HASH } from '../../auth/passwords.ts'
import { createMembership } from '../members/memberships-service.ts'
import { storeUser } from '../users-service.ts'

/** The person for whom a developer opens its apps in its sandbox. */
export type SandboxUser = {
  user: { id: string; name: string; email: string; operator: boolean; factorAt: null }
  tokenGeneration: number
  /** The sandbox. */
  partyId: number
}

type Sandbox = { developerId: string; partyId: number }
type Found = Prisma.UserGetPayload<{ include: ReturnType<typeof includeOf> }>

const NAME = 'test-user'

/** Whom nobody can be: `.invalid` is no domain (RFC 2606), so no mail arrives there. */
function domainOf({ developerId }: Sandbox): string {
  return `@${developerId}.invalid`
}

/**
 * The test user of a developer's sandbox. It is made the first time, and nobody can sign in as it.
 * People whom the operator has made members of the sandbox are never acted for, and neither is
 * somebody who has got the address of the test user in another way.
 *
 * @throws AppError unprocessable when the operator has suspended the test user
 */
export async function takeSandboxUser(
  deps: Pick<Deps, 'db'>,
  { developerId, actor }: { developerId: string; actor: Actor },
): Promise<SandboxUser> {
  const { db } = deps
  const { sandboxPartyId: partyId } = await db.developer.findUniqueOrThrow({
    where: { id: developerId },
    select: { sandboxPartyId: true },
  })
  const sandbox = { developerId, partyId }
  const found = (await findTestUser(db, sandbox)) ?? (await makeTestUser(db, sandbox, actor))
  const { memberships, id, name, email, operator, tokenGeneration } = found
  if (memberships.length === 0) {
    await ignoring('already_exists', createMembership(deps, { userId: id, partyId }, actor))
  }
  return { user: { id, name, email, operator, factorAt: null }, tokenGeneration, partyId }
}

/** @throws AppError unprocessable when somebody with its address is suspended */
async function findTestUser(db: Db, sandbox: Sandbox): Promise<Found | undefined> {
  const { partyId } = sandbox
  const include = includeOf(sandbox)
  const email = NAME + domainOf(sandbox)
  const first = await db.user.findUnique({ where: { email }, include })
  const others =
    first === null || isOwn(first)
      ? []
      : await db.user.findMany({
          where: { email: { endsWith: domainOf(sandbox) }, memberships: { some: { partyId } } },
          include,
          orderBy: BY_CREATION,
        })
  const all = first === null ? others : [first, ...others]
  if (all.some(({ suspendedAt }) => suspendedAt !== null)) {
    throw new AppError('unprocessable', {
      detail: 'The operator has suspended the test user of your sandbox.',
    })
  }
  return all.find(isOwn)
}

function includeOf({ partyId }: Sandbox) {
  return { memberships: { where: { partyId } }, identities: true }
}

/** Whether nobody can sign in as a user. */
function isOwn({ passwordHash, identities }: Found): boolean {
  return passwordHash === NO_PASSWORD_HASH && identities.length === 0
}

/** Those who ask at the same moment get one user. */
async function makeTestUser(db: Db, sandbox: Sandbox, actor: Actor): Promise<Found> {
  const { developerId, partyId } = sandbox
  return inTransaction(db, async (tx) => {
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtext(${`test user ${developerId}`}))`
    const found = await findTestUser(tx, sandbox)
    if (found !== undefined) return found
    const taken = await tx.user.count({ where: { email: NAME + domainOf(sandbox) } })
    const local = taken === 0 ? NAME : `${NAME}-${randomBytes(8).toString('hex')}`
    const { id } = await storeUser(
      tx,
      {
        email: local + domainOf(sandbox),
        name: 'Test user',
        partyIds: [partyId],
        passwordHash: NO_PASSWORD_HASH,
      },
      actor,
    )
    return tx.user.findUniqueOrThrow({ where: { id }, include: includeOf(sandbox) })
  })
}
