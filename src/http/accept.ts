import { weightsOf } from '../base/values/preferences.ts'

/** What a client likes to have in an answer, by its `Accept` (RFC 9110, 12.5.1). */
export type Accepted = {
  /** The weight of a media type that the client names; 0 when it does not. */
  named(type: string): number
  /** The weight of a media type that the client names or takes by a wildcard. */
  any(type: string): number
}

/** Reads an `Accept`: its first 50 media ranges. Of the parameters of a media type only `q` counts. */
export function accepted(accept: string): Accepted {
  const weights = weightsOf(accept)
  return {
    named: (type) => weights.get(type) ?? 0,
    any: (type) =>
      weights.get(type) ?? weights.get(`${type.split('/', 1)[0]}/*`) ?? weights.get('*/*') ?? 0,
  }
}
