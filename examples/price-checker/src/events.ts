import { type Event, hasCode, type Marketplace } from '@app-marketplace/client'
import { createInbox, type Inbox } from '@app-marketplace/client/webhooks'
import type { Store } from './store.ts'

/** Follows installs, settings and uninstalls of the app; each event takes effect once. */
export function followEvents(marketplace: Marketplace, appId: string, store: Store): Inbox {
  return createInbox({
    marketplace,
    appId,
    position: async () => store.read().position,
    async handle(event) {
      const limit = await limitAfter(marketplace, event)
      store.change((kept) => {
        kept.position = event.position
        if (limit === undefined || !('installationId' in event.data)) return
        const { installationId } = event.data
        if (limit === null) delete kept.limits[installationId]
        else kept.limits[installationId] = limit
      })
    },
    async onLost({ oldestPosition }) {
      const limits: Record<string, number> = {}
      for await (const { id, userSettings } of marketplace.installations({ appId })) {
        const limit = Number(userSettings.limit)
        if (Number.isFinite(limit)) limits[id] = limit
      }
      store.change((kept) => {
        kept.position = oldestPosition - 1
        kept.limits = limits
      })
    },
  })
}

/**
 * The installation's limit now; null when it is gone, undefined when the event does not change it.
 */
async function limitAfter(
  marketplace: Marketplace,
  event: Event,
): Promise<number | null | undefined> {
  switch (event.type) {
    case 'installation.created':
    case 'installation.settings_changed':
    case 'installation.option_changed':
    case 'installation.upgraded':
    case 'installation.resumed':
      try {
        const { userSettings } = await marketplace
          .installation(event.data.installationId)
          .installation()
        const limit = Number(userSettings?.limit)
        return Number.isFinite(limit) ? limit : undefined
      } catch (error) {
        // It was uninstalled or suspended meanwhile: a later event tells that.
        if (hasCode(error, 'installation_not_accessible', 'installation_suspended'))
          return undefined
        throw error
      }
    case 'installation.deleted':
      return null
    default:
      return undefined
  }
}
