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
  const published = await findOwnApp(client, appId)
  if (published !== undefined) return published.app
  const { data } = await listOwnApps({ client, query: { limit: NAMED_MAX } })
  const own = data.map(({ id }) => id).join(', ')
  throw new UsageError(
    `You have no app ${appId}. ${own === '' ? 'Create one: app push FILE' : `Your apps: ${own}.`}`,
  )
}

/** The developer's app with an id, and its revision; undefined when there is none. */
export async function findOwnApp(
  client: Marketplace['client'],
  appId: unknown,
): Promise<{ app: App; etag: string } | undefined> {
  // The id becomes a part of an address, where '' and '..' would name another record. Capitals are
  // the server's to judge, which looks the app up without them.
  if (typeof appId !== 'string' || !/^[a-z0-9-]+$/i.test(appId)) return undefined
  try {
    const { data, response } = await readOwnApp({ client, path: { appId } })
    return { app: data, etag: response.headers.get('etag') ?? '*' }
  } catch (error) {
    if (!hasCode(error, 'not_found')) throw error
    return undefined
  }
}
