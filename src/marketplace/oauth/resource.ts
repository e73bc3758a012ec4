import { webUrlProblem } from '../../base/values/web-url.ts'

/**
 * Whether a `resource` (RFC 8707) is the base address of this server: tokens are for nothing else.
 * The case of scheme and host, the default port and the slash at the end make no difference.
 */
export function isOwnResource(resource: string, publicUrl: string): boolean {
  return webUrlProblem(resource) === null && comparable(resource) === comparable(publicUrl)
}

function comparable(url: string): string {
  return new URL(url).href.replace(/\/$/, '')
}
