import { SYSTEM } from '../../src/base/values/actor.ts'
import { createConnection } from '../../src/identity/accounts/connections-service.ts'
import { createParty } from '../../src/identity/accounts/parties-service.ts'
import { createUser } from '../../src/identity/accounts/users-service.ts'
import { suspend } from '../../src/marketplace/suspension/suspend-and-resume-service.ts'
import type { SharedMarketplace } from './app.ts'

/**
 * Makes things to look at in the operator console: one of each suspended, a long name, Arabic.
 *
 * @returns what the pages are called in tests -> their addresses
 */
export async function fillOperatorConsole(
  market: SharedMarketplace,
): Promise<Record<string, string>> {
  const paths: Record<string, string> = {}
  const { deps, demo } = market
  const long = await createParty(deps, { name: 'Nospaces'.repeat(25), type: 'Seller' })
  const arabic = await createParty(deps, { name: 'شركة التجارة '.repeat(9).trim(), type: 'Buyer' })
  await createConnection(deps, { buyerId: arabic.id, sellerId: long.id })
  const user = await createUser(deps, {
    email: 'wide@wide.example',
    name: 'W'.repeat(200),
    partyIds: [long.id, arabic.id],
  })
  const developer = await deps.db.developer.findFirstOrThrow({ include: { credentials: true } })
  const stop = { reason: 'Unpaid invoices.' }
  await suspend(deps, 'app', 'stock-watch', stop, SYSTEM)
  await suspend(deps, 'party', String(long.id), stop, SYSTEM)
  await suspend(deps, 'user', user.id, stop, SYSTEM)
  paths['{party}'] = `/Operator/Parties/${long.id}`
  paths['{party}/Suspend'] = `/Operator/Parties/${long.id}/Suspend`
  paths['{party}/Disconnect'] = `/Operator/Parties/${long.id}/Connections/${arabic.id}/Remove`
  paths['{user}'] = `/Operator/Users/${user.id}`
  paths['{user}/Suspend'] = `/Operator/Users/${user.id}/Suspend`
  paths['{user}/Add'] = `/Operator/Users/${user.id}/Memberships?party=e`
  paths['{user}/Add?'] =
    `/Operator/Users/${user.id}/Memberships?partyId=${market.demo.users[0]?.partyId}`
  paths['{party}/Add'] = `/Operator/Parties/${long.id}/Users`
  paths['{party}/Connect'] = `/Operator/Parties/${long.id}/Connections`
  paths['{user}/Remove'] = `/Operator/Users/${user.id}/Memberships/${long.id}/Remove`
  paths['{developer}'] = `/Operator/Developers/${developer.id}`
  paths['{developer}/Suspend'] = `/Operator/Developers/${developer.id}/Suspend`
  paths['{developer}/Remove'] =
    `/Operator/Developers/${developer.id}/Credentials/${developer.credentials[0]?.id}/Remove`
  paths['{operator installation}'] = `/Operator/Installations/${demo.installations[0]?.id}`
  for (const action of ['/Suspend', '/Acceptances']) {
    paths[`{operator installation}${action}`] = `${paths['{operator installation}']}${action}`
  }
  return paths
}
