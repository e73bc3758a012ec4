import { SYSTEM } from '../../base/values/actor.ts'
import type { Deps } from '../../deps.ts'
import { ignoring } from '../../errors.ts'
import { replaceApp } from '../../marketplace/apps/publish-service.ts'
import { findApp } from '../../marketplace/apps/read-apps-service.ts'
import { type ReceiverApp, receiverAddress } from '../../marketplace/apps/receiver-address.ts'
import type { Demo } from './demo-file.ts'

/** Other texts are no app's id, and some of them (NUL) no text for Postgres. */
const APP_ID = /^[a-z0-9-]{1,64}$/

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

/**
 * An app whose return address is the demo receiver. Its client id is no secret: the receiver sends
 * it with every browser, as the front end of any app does.
 *
 * @param appId in lower case
 */
export async function readReceiverApp(
  { db, config }: Pick<Deps, 'db' | 'config'>,
  appId: string,
): Promise<ReceiverApp | undefined> {
  if (!APP_ID.test(appId)) return undefined
  const returnUrl = receiverAddress(config.publicUrl, appId)
  const app = await db.app.findFirst({
    where: { id: appId, authReturnUrl: returnUrl, deletedAt: null },
    select: {
      tokenDelivery: true,
      developer: {
        select: {
          credentials: { where: { removedAt: null }, orderBy: { createdAt: 'asc' }, take: 1 },
        },
      },
    },
  })
  const credential = app?.developer.credentials[0]
  if (!app || credential === undefined) return undefined
  const takesCodesOnly = app.tokenDelivery === 'code'
  return { clientId: credential.clientId, returnUrl, takesCodesOnly }
}
