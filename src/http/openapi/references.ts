/**
 * A copy of a value in which references are replaced by what they point to, with what stands beside
 * them.
 *
 * @param root where references lead into
 * @param prefixes which ones are replaced, such as `#/$defs/`
 */
export function withoutReferences<T>(value: T, root: unknown, prefixes: readonly string[]): T {
  const follow = (one: unknown): unknown => {
    if (Array.isArray(one)) return one.map(follow)
    if (typeof one !== 'object' || one === null) return one
    const { $ref, ...own } = one as { $ref?: unknown }
    const rest = Object.fromEntries(Object.entries(own).map(([key, child]) => [key, follow(child)]))
    if (typeof $ref !== 'string') return rest
    if (!prefixes.some((prefix) => $ref.startsWith(prefix))) return { $ref, ...rest }
    return { ...(follow(targetOf($ref, root)) as object), ...rest }
  }
  return follow(value) as T
}

function targetOf(ref: string, root: unknown): unknown {
  return ref
    .split('/')
    .slice(1)
    .reduce((parent, key) => (parent as Record<string, unknown>)[key], root)
}
