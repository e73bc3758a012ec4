import type { FastifyInstance } from 'fastify'

type Server = { deps: { config: Pick<FastifyInstance['deps']['config'], 'publicUrl'> } }

/** Whether browsers reach this server by https. */
export function isSecure({ deps }: Server): boolean {
  return deps.config.publicUrl.startsWith('https:')
}

/** Names and addresses of the machine itself, where each program has a port. */
const LOOPBACK = /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/**
 * The name of a cookie. Those of an https site are bound to its host (`__Host-`, RFC 6265bis). By http,
 * other programs of a host get and set the same cookies, whatever their ports are (RFC 6265, 8.5): ours
 * have names that no other program uses, and on a developer's machine no other marketplace either.
 */
export function pageCookieName(server: Server, name: string): string {
  if (isSecure(server)) return `__Host-${name}`
  const { hostname, port } = new URL(server.deps.config.publicUrl)
  return LOOPBACK.test(hostname) ? `marketplace_${name}_${port || 80}` : `marketplace_${name}`
}

/** What every cookie of a page has. */
export function pageCookieOptions(server: Server) {
  return { path: '/', httpOnly: true, sameSite: 'lax', secure: isSecure(server) } as const
}
