import type { FastifyInstance } from 'fastify'

type Server = Pick<FastifyInstance, 'deps'>

/** Whether browsers reach this server by https. */
export function isSecure({ deps }: Server): boolean {
  return deps.config.publicUrl.startsWith('https:')
}

/** Cookies of an https site are bound to its host (`__Host-`, RFC 6265bis). */
export function pageCookieName(server: Server, name: string): string {
  return isSecure(server) ? `__Host-${name}` : name
}

/** What every cookie of a page has. */
export function pageCookieOptions(server: Server) {
  return { path: '/', httpOnly: true, sameSite: 'lax', secure: isSecure(server) } as const
}
