/** What a client likes to have in an answer, by its `Accept` (RFC 9110, 12.5.1). */
export type Accepted = {
  /** The weight of a media type that the client names; 0 when it does not. */
  named(type: string): number
  /** The weight of a media type that the client names or takes by a wildcard. */
  any(type: string): number
}

/** Reads an `Accept`. Of the parameters of a media type only `q` counts. */
export function accepted(accept: string): Accepted {
  const weights = new Map(
    accept
      .toLowerCase()
      .split(',')
      .map((range) => {
        const [type = '', ...parameters] = range.split(';').map((part) => part.trim())
        const quality = parameters.map((part) => /^q\s*=(.*)$/.exec(part)?.[1]).find(Boolean)
        return [type, quality === undefined ? 1 : Number(quality) || 0]
      }),
  )
  return {
    named: (type) => weights.get(type) ?? 0,
    any: (type) =>
      weights.get(type) ?? weights.get(`${type.split('/', 1)[0]}/*`) ?? weights.get('*/*') ?? 0,
  }
}
