import type { TokenSource } from './token-source.ts'

/** Part of its life after which a token is renewed. */
const RENEWED_AFTER = 0.8

/** A token as the marketplace gives it: `expiresIn` is in seconds. */
type Minted = { token: string; expiresIn: number }
type Kept = { token: string; renewAt: number; endsAt: number }
type Final = { error: unknown; endsAt: number }

/** What will not change is not asked again for so long. */
const FINAL_MS = 60_000

type Options = {
  mint(key: string): Promise<Minted>
  /** Tokens that are kept at most: the one that was used longest ago goes first. */
  max: number
  /** Milliseconds since any moment. */
  now(): number
  /** Whether a failure of `mint` is what the next call would hear too. Default: none is. */
  isFinal?(error: unknown): boolean
}

/** Tokens by a key. At most one is being made for a key at any time. */
export type TokenCache = {
  source(key: string): TokenSource
}

/**
 * Keeps tokens and renews each when four fifths of its life are over. Until it has run out the
 * former one serves while the next one is made, also when that fails.
 */
export function createTokenCache(options: Options): TokenCache {
  const { mint, max, now, isFinal = () => false } = options
  /** In the order of their last use. */
  const kept = new Map<string, Kept>()
  const final = new Map<string, Final>()
  const underWay = new Map<string, Promise<string>>()

  const keep = (key: string, one: Kept) => putLast(kept, key, one, max)

  const make = async (key: string): Promise<string> => {
    const askedAt = now()
    const { token, expiresIn } = await mint(key)
    const life = expiresIn * 1000
    keep(key, { token, renewAt: askedAt + life * RENEWED_AFTER, endsAt: askedAt + life })
    return token
  }

  const makeOnce = (key: string): Promise<string> => {
    const running = underWay.get(key)
    if (running !== undefined) return running
    const started = make(key)
      .catch((error: unknown) => {
        if (isFinal(error)) putLast(final, key, { error, endsAt: now() + FINAL_MS }, max)
        throw error
      })
      .finally(() => underWay.delete(key))
    underWay.set(key, started)
    return started
  }

  const get = async (key: string): Promise<string> => {
    const refusal = final.get(key)
    if (refusal !== undefined && now() < refusal.endsAt) throw refusal.error
    final.delete(key)
    const one = kept.get(key)
    if (one === undefined || now() >= one.endsAt) return makeOnce(key)
    keep(key, one)
    // Whoever comes after the end of the former token is told why there is no new one.
    if (now() >= one.renewAt) makeOnce(key).catch(() => undefined)
    return one.token
  }

  return {
    source: (key) => ({
      get: () => get(key),
      refused(token) {
        if (kept.get(key)?.token === token) kept.delete(key)
      },
    }),
  }
}

/** Puts an entry behind all others, and takes out those in front that are too many. */
function putLast<Value>(map: Map<string, Value>, key: string, value: Value, max: number): void {
  map.delete(key)
  map.set(key, value)
  for (const oldest of map.keys()) {
    if (map.size <= max) break
    map.delete(oldest)
  }
}
