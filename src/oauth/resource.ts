/**
 * Whether a `resource` (RFC 8707) is the base address of this server, with or without the slash at the
 * end: tokens are for nothing else.
 */
export function isOwnResource(resource: string, publicUrl: string): boolean {
  return resource.replace(/\/$/, '') === publicUrl
}
