import type { Deps } from '../../deps.ts'
import { formTargetsOf } from '../../http/send-page.ts'
import { findListedApp } from '../redirect/redirect-app-service.ts'
import { appIdOfPath } from '../shared/sign-in/next-path.ts'

/**
 * What a page needs whose form ends at a path that leads on to an app
 * (`/Apps/Authenticate/{appId}`): public facts only, because the visitor need not be signed in.
 *
 * @param path a result of `safeNextPath`
 * @returns the name of the app if it is listed, and where the form may lead beside our own pages
 */
export async function wayToApp(
  deps: Pick<Deps, 'db'>,
  path: string,
): Promise<{ appName: string | undefined; formTargets: string[] }> {
  const appId = appIdOfPath(path)
  if (appId === undefined) return { appName: undefined, formTargets: [] }
  const app = await findListedApp(deps, appId)
  return { appName: app?.name, formTargets: formTargetsOf(app?.authReturnUrl) }
}
