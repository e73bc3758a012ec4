import type { RedirectHandler } from './redirect.ts'

/**
 * The parts of Fastify's request and reply that are used: this package does not depend on Fastify.
 */
type FastifyRequest = { url: string; headers: Record<string, string | string[] | undefined> }
type FastifyReply = {
  code(status: number): FastifyReply
  header(name: string, value: string | string[]): FastifyReply
  send(body: string): FastifyReply
}

/**
 * A handler for Fastify: `app.get('/auth/return', fastifyHandler(handler, 'https://app.example'))`.
 *
 * @param origin the app's origin as browsers see it, for an app behind a proxy
 */
export function fastifyHandler(handler: RedirectHandler, origin: string) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const headers = new Headers()
    if (typeof request.headers.cookie === 'string') headers.set('cookie', request.headers.cookie)
    const response = await handler(new Request(`${origin}${request.url}`, { headers }))
    reply.code(response.status)
    for (const [name, value] of response.headers) {
      if (name !== 'set-cookie') reply.header(name, value)
    }
    reply.header('set-cookie', response.headers.getSetCookie())
    return reply.send(await response.text())
  }
}
