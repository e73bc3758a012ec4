import { hasCode } from '../errors.ts'
import { listOwnApps, readOwnApp } from '../generated/sdk.gen.ts'
import type { App } from '../generated/types.gen.ts'
import type { Marketplace } from '../marketplace.ts'
import { UsageError } from './usage-error.ts'

/** So many ids help somebody who has mistyped one. */
const NAMED_MAX = 20

/**
 * The developer's app with an id.
 *
 * @throws UsageError that names the developer's apps
 */
export async function requireOwnApp(client: Marketplace['client'], appId: string): Promise<App> {
  try {
    return (await readOwnApp({ client, path: { appId } })).data
  } catch (error) {
    if (!hasCode(error, 'not_found')) throw error
    const { data } = await listOwnApps({ client, query: { limit: NAMED_MAX } })
    const own = data.map(({ id }) => id).join(', ')
    throw new UsageError(
      `You have no app ${appId}. ${own === '' ? 'Create one: app push FILE' : `Your apps: ${own}.`}`,
    )
  }
}
