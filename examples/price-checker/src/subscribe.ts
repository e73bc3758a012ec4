import type { Marketplace } from '@app-marketplace/client'
import { createWebhook, deleteWebhook, listWebhooks } from '@app-marketplace/client/api'
import type { Store } from './store.ts'

/**
 * Has events sent to an address of the app, if that was not done before. The marketplace shows the
 * secret of an endpoint only once, so the app keeps it.
 *
 * @returns the secret that signs the requests
 */
export async function subscribeOnce(
  { client }: Marketplace,
  { appId, url, store }: { appId: string; url: string; store: Store },
): Promise<string> {
  const { webhook } = store.read()
  const { data: endpoints } = await listWebhooks({ client, path: { appId } })
  if (webhook?.url === url && endpoints.some(({ id }) => id === webhook.id)) return webhook.secret
  for (const { id, url: former } of endpoints) {
    // The app has lost the secret of this endpoint.
    if (former === url) await deleteWebhook({ client, path: { appId, endpointId: id } })
  }
  const { data: made } = await createWebhook({ client, path: { appId }, body: { url } })
  store.change((kept) => {
    kept.webhook = { id: made.id, url, secret: made.secret }
  })
  return made.secret
}
