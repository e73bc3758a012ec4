import type { FastifyInstance, RouteOptions } from 'fastify'
import findMyWay from 'find-my-way'

/** The longest path parameter. No id is longer. */
export const PATH_PARAMETER_MAX_LENGTH = 500

/** Who may call a route. Every route has one; a test walks them all. */
export type Audience = 'public' | 'browser' | 'developer' | 'installation' | 'account' | 'operator'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Scripts of any origin may call the route: it looks at no cookie. */
    anyOrigin?: boolean
  }
}

export type Route = {
  method: string
  url: string
  audience: Audience | undefined
  anyOrigin: boolean
}

/** Every route of the application, to be asked by path alone. */
export type RouteTable = {
  /** What an address takes, one entry per method; empty when there is nothing at it. */
  at(path: string): Route[]
  /** All routes in the order of their registration. */
  all(): Route[]
}

/** Collects the routes that are registered after this call. */
export function collectRoutes(app: FastifyInstance): RouteTable {
  const addresses = new Map<string, RouteOptions[]>()
  app.addHook('onRoute', function collectRoute(route) {
    const known = addresses.get(route.url)
    if (known === undefined) addresses.set(route.url, [route])
    else known.push(route)
  })
  // Made when it is first asked, by a request: then every route is there.
  let router: Router | undefined
  return {
    at(path) {
      router ??= routerOf(addresses)
      return ((router.find('GET', path)?.store ?? []) as RouteOptions[]).flatMap(routesOf)
    },
    all: () => [...addresses.values()].flat().flatMap(routesOf),
  }
}

type Router = ReturnType<typeof findMyWay>

function routerOf(addresses: ReadonlyMap<string, RouteOptions[]>): Router {
  const router = findMyWay({
    caseSensitive: false,
    ignoreTrailingSlash: true,
    maxParamLength: PATH_PARAMETER_MAX_LENGTH,
  })
  for (const [url, routes] of addresses) {
    if (!url.includes('*')) router.on('GET', url, () => {}, routes)
  }
  return router
}

/** Read late: the scope that a route stands in adds its audience after it was collected. */
function routesOf({ method, url, config }: RouteOptions): Route[] {
  const { audience, anyOrigin = false } = config ?? {}
  return [method].flat().map((name) => ({ method: name, url, audience, anyOrigin }))
}
