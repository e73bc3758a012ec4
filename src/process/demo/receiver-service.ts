import { SYSTEM } from '../../base/values/actor.ts'
import type { Deps } from '../../deps.ts'
import { ignoring } from '../../errors.ts'
import { replaceApp } from '../../marketplace/apps/publish-service.ts'
import { findApp } from '../../marketplace/apps/read-apps-service.ts'
import { receiverAddress } from '../../marketplace/apps/receiver-address.ts'
import type { Demo } from './demo-file.ts'

/**
 * Corrects the return addresses of demo apps after a change of PUBLIC_URL. An address that the
 * developer has set itself stays.
 *
 * @param demo with the former `baseUrl`
 */
export async function moveReceiver(
  deps: Pick<Deps, 'db' | 'config'>,
  demo: Pick<Demo, 'baseUrl' | 'developers'>,
): Promise<void> {
  for (const appId of demo.developers.flatMap(({ apps }) => apps)) {
    const app = await ignoring('not_found', findApp(deps.db, appId, {}))
    const isReceiver = app?.definition.authReturnUrl === receiverAddress(demo.baseUrl, appId)
    if (app === undefined || !isReceiver) continue
    const author = { developerId: app.developerId, actor: SYSTEM }
    const authReturnUrl = receiverAddress(deps.config.publicUrl, appId)
    const definition = { ...app.definition, authReturnUrl }
    // If the app is changed at this moment, that change counts.
    await ignoring('precondition_failed', replaceApp(deps, author, definition, [app.revision]))
  }
}
