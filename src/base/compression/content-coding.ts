import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { currentDeadline, type Deadline } from '../fair-share/deadline.ts'
import { LONG_CHARACTERS } from '../fair-share/next-tick.ts'
import { createSlots } from '../fair-share/slots.ts'
import { weightsOf } from '../values/preferences.ts'

/** The content codings that pages come in, the preferred one first. */
export const CODINGS = ['br', 'gzip'] as const
export type Coding = (typeof CODINGS)[number]

/** Smaller bodies gain nothing. */
const COMPRESS_MIN_BYTES = 1024
/** Made once and sent often; level 5 is near the best at a tenth of its time. */
const BROTLI_QUALITY = 5

const compressors: Record<Coding, (body: Buffer) => Promise<Buffer>> = {
  br: (body) =>
    promisify(brotliCompress)(body, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
      },
    }),
  gzip: (body) => promisify(gzip)(body),
}

/**
 * A long body takes up to a tenth of a second of a processor. One processor is for other work, and one
 * of the four threads of Node's pool.
 */
const LONG_AT_ONCE = Math.min(3, Math.max(1, availableParallelism() - 1))
const slots = createSlots<Deadline['caller']>(LONG_AT_ONCE)

/**
 * Compresses outside the event loop, into memory of its own: zlib's result is a slice of 64 KiB. Of
 * long bodies few are compressed at once, and callers take turns.
 *
 * @param isWanted asked when the turn has come
 * @throws Error when the body is wanted no longer
 */
export async function compress(
  body: Buffer,
  coding: Coding,
  isWanted = () => true,
): Promise<Buffer> {
  const work = async () => {
    if (!isWanted()) throw new Error('the body is wanted no longer')
    return compressors[coding](body)
  }
  const slice = await (body.length > LONG_CHARACTERS
    ? slots.run(currentDeadline()?.caller, work)
    : work())
  const bytes = Buffer.allocUnsafeSlow(slice.length)
  bytes.set(slice)
  return bytes
}

/** Whether compressing a body is worth it. */
export function isCompressible(body: Buffer): boolean {
  return body.length >= COMPRESS_MIN_BYTES
}

/**
 * The coding that a client likes best of those we have (RFC 9110, 12.5.3), or undefined for the
 * body as it is, which every client takes. The first 50 codings of the header count.
 */
export function chooseCoding(acceptEncoding: string | undefined): Coding | undefined {
  if (acceptEncoding === undefined || acceptEncoding === 'identity') return undefined
  const weights = weightsOf(acceptEncoding)
  const weightOf = (coding: string) => weights.get(coding) ?? weights.get('*') ?? 0
  const best = CODINGS.reduce((a, b) => (weightOf(b) > weightOf(a) ? b : a))
  const identity = weights.get('identity') ?? 0
  return weightOf(best) > 0 && weightOf(best) >= identity ? best : undefined
}
