import type { Actor } from '../../base/values/actor.ts'
import type { Deps } from '../../deps.ts'
import {
  type SandboxUser,
  takeSandboxUser,
} from '../../identity/accounts/own-developer/sandbox-user-service.ts'
import { isAppId } from './redirect-app-service.ts'

/**
 * The user for whom a developer opens an app in the sandbox: the test user of that sandbox.
 * Undefined when no developer visits, or when the app is another developer's.
 *
 * @throws AppError unprocessable, unavailable
 */
export async function sandboxUserFor(
  deps: Pick<Deps, 'db' | 'passwords'>,
  visitor: { developerId: string; actor: Actor } | undefined,
  appId: string,
): Promise<SandboxUser | undefined> {
  if (visitor === undefined || !isAppId(appId)) return undefined
  const where = { id: appId, developerId: visitor.developerId, deletedAt: null }
  return (await deps.db.app.count({ where })) === 0 ? undefined : takeSandboxUser(deps, visitor)
}
