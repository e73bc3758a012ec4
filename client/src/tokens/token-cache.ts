import { MarketplaceError } from '../errors.ts'
import type { TokenSource } from './token-source.ts'

/** The part of its lifetime after which a token is renewed. */
const RENEWED_AFTER = 0.8

/** A token as the marketplace returns it: `expiresIn` is in seconds. */
type Minted = { token: string; expiresIn: number }
type Kept = { token: string; renewAt: number; endsAt: number }
type Final = { error: unknown; endsAt: number }

/** How long a final failure is kept before `mint` is called again. */
const FINAL_MS = 60_000

type Options = {
  mint(key: string): Promise<Minted>
  /** How many tokens are kept at most; the least recently used one is dropped first. */
  max: number
  /** Milliseconds since any fixed moment. */
  now(): number
  /** Whether `mint` would fail in the same way again. Default: never. */
  isFinal?(error: unknown): boolean
}

/** Tokens by a key. At most one token is being made per key at any time. */
export type TokenCache = {
  source(key: string): TokenSource
}

/**
 * Makes a cache that renews each token after four fifths of its lifetime. While the next token is
 * made, and if that fails, the current one serves until it runs out.
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
    const { token, expiresIn } = whole(await mint(key))
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
    // After the current token has run out, callers get the reason why there is no new one.
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

/** @throws MarketplaceError unexpected_response: another server may answer anything with 200 */
function whole(minted: Partial<Minted> | null): Minted {
  const { token, expiresIn } = minted ?? {}
  if (typeof token === 'string' && typeof expiresIn === 'number') return { token, expiresIn }
  const message = 'The response has no token.'
  throw new MarketplaceError({ code: 'unexpected_response', message })
}

/** Moves an entry to the end, and drops entries at the front beyond the maximum. */
function putLast<Value>(map: Map<string, Value>, key: string, value: Value, max: number): void {
  map.delete(key)
  map.set(key, value)
  for (const oldest of map.keys()) {
    if (map.size <= max) break
    map.delete(oldest)
  }
}
