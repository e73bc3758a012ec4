/**
 * The one of our ETags that `If-None-Match` names, by the weak comparison (RFC 9110, 13.1.2).
 *
 * @param tags the ETags of the resource as it is now; `*` matches the first
 */
export function matchingTag(condition: string, tags: readonly string[]): string | undefined {
  const named = new Set(condition.split(',').map((tag) => tag.trim().replace(/^W\//, '')))
  return named.has('*') ? tags[0] : tags.find((tag) => named.has(tag))
}
