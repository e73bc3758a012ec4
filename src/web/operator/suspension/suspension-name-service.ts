import { readDeveloper } from '../../../accounts/developers-service.ts'
import { readParty } from '../../../accounts/parties-service.ts'
import { readUser } from '../../../accounts/users-service.ts'
import { readAnyApp } from '../../../apps/operator-apps-service.ts'
import type { Deps } from '../../../deps.ts'
import { readAnyInstallation } from '../../../installations/operator/operator-installations-service.ts'
import type { SUSPENDABLE } from '../../../suspension/suspendable-kinds-service.ts'

/**
 * What something that can be suspended is called.
 *
 * @throws AppError not_found
 */
export async function readName(
  deps: Pick<Deps, 'db'>,
  collection: (typeof SUSPENDABLE)[number]['collection'],
  id: string,
): Promise<string> {
  switch (collection) {
    case 'Parties':
      return (await readParty(deps, Number(id))).name
    case 'Users':
      return (await readUser(deps, id)).name
    case 'Developers':
      return (await readDeveloper(deps, id)).name
    case 'Apps':
      return (await readAnyApp(deps, id)).name
    case 'Installations': {
      const { appName, partyName } = await readAnyInstallation(deps, id)
      return `${appName} for ${partyName}`
    }
  }
}
