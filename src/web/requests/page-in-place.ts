import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { z } from 'zod'
import type { App } from '../../http/app-type.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** What shows the page at each address of this scope. */
    pagesByAddress: ReadonlyMap<string, RouteOptions>
  }
}

/** Remembers what shows each page of a scope, for the forms that are sent to its address. */
export function rememberPages(app: App): void {
  const pages = new Map<string, RouteOptions>()
  app.decorate('pagesByAddress', pages)
  app.addHook('onRoute', function rememberPage(route) {
    if (route.method === 'GET') pages.set(route.url, route)
  })
}

/**
 * Answers a form with the page at its address, as `GET` would, but for what the request says of it.
 *
 * @param query of the page; by default that of the form's own address
 */
export async function showPage(
  request: FastifyRequest,
  reply: FastifyReply,
  query: unknown = request.query,
): Promise<FastifyReply> {
  const { url = '' } = request.routeOptions
  const page = request.server.pagesByAddress.get(url)
  if (page === undefined) throw new Error(`no page shows the form at ${url}`)
  const { querystring } = (page.schema ?? {}) as { querystring?: z.ZodType }
  if (querystring !== undefined) {
    const { data, error } = querystring.safeParse(query)
    request.query = error === undefined ? data : querystring.parse({})
  }
  await page.handler.call(request.server, request, reply)
  return reply
}
