import type { CustomFetch } from 'openid-client'
import { currentDeadline } from '../../base/fair-share/deadline.ts'

/** One request to the provider; several follow each other within the deadline of a page. */
const REQUEST_MS = 5_000
/** Metadata, keys and claims of large providers have a tenth of it. */
const ANSWER_MAX_BYTES = 262_144

class ProviderAwayError extends Error {
  override name = 'ProviderAwayError'
}

/**
 * Why a provider did not answer as one, in the words of the system: `ECONNREFUSED`, or which problem
 * its certificate has.
 *
 * @param error of the library
 * @returns undefined when the provider did answer
 */
export function awayReason(error: unknown): string | undefined {
  let reason: string | undefined
  for (let one = error; one instanceof Error; one = one.cause) {
    const { code } = one as { code?: unknown }
    if (one instanceof ProviderAwayError) reason = one.message
    else if (reason !== undefined && typeof code === 'string') reason = code
  }
  return reason
}

/**
 * A request to the provider: within the time that is left, and with a bounded answer.
 *
 * @throws ProviderAwayError when there is no answer, an endless one, or the provider's own failure
 */
export const boundedFetch: CustomFetch = async (url, options) => {
  const leftMs = (currentDeadline()?.atMs ?? Number.POSITIVE_INFINITY) - performance.now()
  const timeout = AbortSignal.timeout(Math.max(1, Math.min(REQUEST_MS, leftMs)))
  try {
    const answer = await fetch(url, { ...options, signal: timeout } as RequestInit)
    const body = await readBounded(answer)
    const { status, headers } = answer
    if (status >= 500) throw new ProviderAwayError(`status ${status}`)
    return new Response(body.length === 0 ? null : body, { status, headers })
  } catch (error) {
    if (error instanceof ProviderAwayError) throw error
    throw new ProviderAwayError('no answer', { cause: error })
  }
}

async function readBounded({ body }: Response): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of body ?? []) {
    length += part.length
    if (length > ANSWER_MAX_BYTES) throw new ProviderAwayError('the answer is too long')
    parts.push(part)
  }
  return new Uint8Array(Buffer.concat(parts))
}
