import { createLatencies, type Latencies, observe, REQUEST_BOUNDS } from './latencies.ts'

/** Any other method is counted as `other`, so that clients cannot make series. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
/** The route of requests to an address where there is nothing. */
const NO_ROUTE = 'none'
const NOWHERE = {}
const CLASSES = ['1xx', '2xx', '3xx', '4xx', '5xx'] as const
const MS_PER_SECOND = 1000

/** The requests of one route and method. */
export type RouteMeasure = {
  /** The template, such as `/v1/Products/:id`. */
  route: string
  method: string
  /** Requests by the first digit of their status. */
  classes: number[]
  latency: Latencies
}

export type RequestMeasures = {
  /**
   * Counts a request that is over.
   *
   * @param key the same object for all requests of a route
   * @param route its template, undefined where there is nothing
   */
  count(
    key: object,
    route: string | undefined,
    method: string,
    status: number,
    durationMs: number,
  ): void
  all(): RouteMeasure[]
}

/** The classes of status with the count of each that was answered. */
export function classCounts({ classes }: Pick<RouteMeasure, 'classes'>): [string, number][] {
  return CLASSES.flatMap((name, index) => {
    const count = classes[index] ?? 0
    return count === 0 ? [] : [[name, count] as [string, number]]
  })
}

/** Counts requests by route template, method and class of status. */
export function createRequestMeasures(): RequestMeasures {
  const byRoute = new Map<object, Map<string, RouteMeasure>>()

  const begin = (key: object, route: string | undefined, method: string): RouteMeasure => {
    const methods = byRoute.get(key) ?? new Map<string, RouteMeasure>()
    byRoute.set(key, methods)
    const measure = {
      route: route ?? NO_ROUTE,
      method,
      classes: [0, 0, 0, 0, 0],
      latency: createLatencies(REQUEST_BOUNDS),
    }
    methods.set(method, measure)
    return measure
  }
  return {
    count(keyOfRoute, route, given, status, durationMs) {
      const key = route === undefined ? NOWHERE : keyOfRoute
      const method = METHODS.has(given) ? given : 'other'
      const measure = byRoute.get(key)?.get(method) ?? begin(key, route, method)
      const index = Math.floor(status / 100) - 1
      measure.classes[index] = (measure.classes[index] ?? 0) + 1
      observe(measure.latency, durationMs / MS_PER_SECOND)
    },
    all: () => [...byRoute.values()].flatMap((methods) => [...methods.values()]),
  }
}
