/** More than any client names; the rest of a list is not read. */
const NAMES_MAX = 50
/** Parts of an element of the list, its name included; the rest is not read. */
const PARTS_MAX = 10

/**
 * The weights of a list such as `Accept` or `Accept-Encoding` (RFC 9110, 12.4.2), by the names in
 * lower case. Of the parameters only `q` counts. What comes after the first 50 names, or the first
 * nine parameters of a name, is ignored.
 */
export function weightsOf(list: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>()
  for (const element of list.toLowerCase().split(',', NAMES_MAX)) {
    const [name = '', ...parameters] = element.split(';', PARTS_MAX).map((part) => part.trim())
    const quality = parameters.map((part) => /^q\s*=(.*)$/.exec(part)?.[1]).find(Boolean)
    weights.set(name, quality === undefined ? 1 : Number(quality) || 0)
  }
  return weights
}
