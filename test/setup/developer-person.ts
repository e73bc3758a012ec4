import { randomUUID } from 'node:crypto'
import { SYSTEM } from '../../src/base/values/actor.ts'
import { addDeveloperMember } from '../../src/identity/accounts/members/developer-members-service.ts'
import { createUser } from '../../src/identity/accounts/users-service.ts'
import type { SharedMarketplace } from './app.ts'
import { signedIn } from './web-client.ts'

/** A user who works for developers, signed in with the own email. */
export async function developerPerson(
  market: Pick<SharedMarketplace, 'url' | 'deps'>,
  role: 'owner' | 'member',
  developers: readonly { id: string }[],
) {
  const email = `${randomUUID()}@example.com`
  const user = await createUser(market.deps, { email, name: 'Pat Person' })
  for (const { id } of developers) {
    await addDeveloperMember(market.deps, id, { userId: user.id, role }, SYSTEM)
  }
  return { user, browser: await signedIn(market, user) }
}
