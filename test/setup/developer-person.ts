import { randomUUID } from 'node:crypto'
import { SYSTEM } from '../../src/base/values/actor.ts'
import { addDeveloperMember } from '../../src/identity/accounts/members/developer-members-service.ts'
import { createUser } from '../../src/identity/accounts/users-service.ts'
import type { SharedMarketplace } from './app.ts'
import { demoDeveloper, signedIn } from './web-client.ts'

/** A user who works for developers, signed in with the own email. */
export async function developerPerson(
  market: Pick<SharedMarketplace, 'url' | 'deps'>,
  role: 'owner' | 'member',
  developers: readonly { id: string }[],
) {
  const user = await newPerson(market, role, developers)
  return { user, browser: await signedIn(market, user) }
}

/** Makes a user an owner of the n-th developer of the demo, too. */
export async function makeOwner(
  market: Pick<SharedMarketplace, 'deps' | 'demo'>,
  { email }: { email: string },
  index = 0,
): Promise<void> {
  const { db } = market.deps
  const { clientId } = demoDeveloper(market, index)
  const { developerId } = await db.developerCredential.findUniqueOrThrow({ where: { clientId } })
  const { id: userId } = await db.user.findUniqueOrThrow({ where: { email } })
  await addDeveloperMember(market.deps, developerId, { userId, role: 'owner' }, SYSTEM)
}

/** An owner of a developer. */
export function newOwner(market: Pick<SharedMarketplace, 'deps'>, developer: { id: string }) {
  return newPerson(market, 'owner', [developer])
}

async function newPerson(
  { deps }: Pick<SharedMarketplace, 'deps'>,
  role: 'owner' | 'member',
  developers: readonly { id: string }[],
) {
  const email = `${randomUUID()}@example.com`
  const user = await createUser(deps, { email, name: 'Pat Person' })
  for (const { id } of developers) {
    await addDeveloperMember(deps, id, { userId: user.id, role }, SYSTEM)
  }
  return user
}
