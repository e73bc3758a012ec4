import { createMarketplace, type MarketplaceOptions } from '../../client/src/index.ts'
import type { SharedMarketplace } from './app.ts'

/** Credentials of the demo developer that owns an app. */
export function credentialsOf({ demo }: Pick<SharedMarketplace, 'demo'>, appId: string) {
  const developer = demo.developers.find(({ apps }) => apps.includes(appId))
  if (developer === undefined) throw new Error(`the demo has no developer of ${appId}`)
  const { clientId, password } = developer
  return { clientId, password }
}

/** The client package as the developer of an app uses it. */
export function clientOf(
  market: SharedMarketplace,
  appId: string,
  options: Partial<MarketplaceOptions> = {},
) {
  return createMarketplace({ baseUrl: market.url, ...credentialsOf(market, appId), ...options })
}

/** `fetch` that notes the path of each request. */
export function notingFetch() {
  const paths: string[] = []
  return {
    paths,
    countOf: (path: string) => paths.filter((one) => one === path).length,
    fetch: (request: Request) => {
      paths.push(new URL(request.url).pathname)
      return fetch(request)
    },
  }
}
