/** An address with more in its query; what is empty is left out. */
export function withQuery(path: string, query: Record<string, string | number | undefined>) {
  const given = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') given.set(name, String(value))
  }
  return given.size === 0 ? path : `${path}${path.includes('?') ? '&' : '?'}${given}`
}
