import type { Deps } from '../../deps.ts'
import { type ReceiverApp, receiverAddress } from '../../marketplace/apps/receiver-address.ts'

/** Other texts are no app's id, and some of them (NUL) no text for Postgres. */
const APP_ID = /^[a-z0-9-]{1,64}$/

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
