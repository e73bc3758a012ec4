import type { Marketplace } from '@app-marketplace/client'
import { createWebhook, deleteWebhook, listWebhooks } from '@app-marketplace/client/api'
import type { Store } from './store.ts'

/**
 * Has events sent to an address of the app, unless that was done before. The marketplace shows the
 * secret of an endpoint once, so the app keeps it.
 *
 * @returns the secret that the requests are signed with
 */
export async function subscribeOnce(
  { client }: Marketplace,
  { appId, url, store }: { appId: string; url: string; store: Store },
): Promise<string> {
  const { webhook } = store.read()
  if (webhook?.url === url) return webhook.secret
  const { data: endpoints } = await listWebhooks({ client, path: { appId } })
  for (const { id, url: former } of endpoints) {
    // Its secret is lost.
    if (former === url) await deleteWebhook({ client, path: { appId, endpointId: id } })
  }
  const { data: made } = await createWebhook({ client, path: { appId }, body: { url } })
  store.change((kept) => {
    kept.webhook = { url, secret: made.secret }
  })
  return made.secret
}
