import { createGunzip } from 'node:zlib'
import { AppError } from '../../../errors.ts'

const CHUNK_BYTES = 65_536
/** How many times longer than the input the output may be; the first MiB of output is free. */
const RATIO_MAX = 200
const RATIO_FREE_BYTES = 1_048_576
/** How much input is taken at once, because the size of its output is known only afterwards. */
const TAKEN_BYTES = 8_192
/** How often zeros may stand between members: starting a new decompressor takes time. */
const GAPS_MAX = 1_000

/**
 * Decompresses gzip piece by piece, as fast as the pieces are used: one member or several (RFC
 * 1952, 2.2), with zeros between and behind them as archives are padded.
 *
 * @throws AppError invalid_request when the input is not gzip, ends too early or continues with
 *   something else; payload_too_large when it is a bomb; and what the source throws
 */
export async function* gunzip(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let taken = 0
  let given = 0
  async function* counted() {
    for await (const piece of source) {
      for (let from = 0; from < piece.length; from += TAKEN_BYTES) {
        const part = piece.subarray(from, from + TAKEN_BYTES)
        taken += part.length
        yield part
      }
    }
  }
  for await (const output of unpack(counted())) {
    given += output.length
    if (given > Math.max(RATIO_FREE_BYTES, taken * RATIO_MAX)) {
      throw new AppError('payload_too_large', {
        detail: `The decompressed body is more than ${RATIO_MAX} times as long as the compressed one.`,
      })
    }
    yield output
  }
}

async function* unpack(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let members = startMembers()
  let isPadding = false
  let gaps = 0
  try {
    for await (const piece of source) {
      let rest = piece
      while (rest.length > 0) {
        if (isPadding) {
          rest = rest.subarray(zerosOf(rest))
          if (rest.length === 0) break
          gaps += 1
          if (gaps > GAPS_MAX) throw notGzip()
          members = startMembers()
          isPadding = false
        }
        const used = yield* members.write(rest)
        // The members take everything but the zeros after a member and what follows the zeros.
        isPadding = used < rest.length
        if (isPadding) members.stop()
        rest = rest.subarray(used)
      }
    }
    if (!isPadding) yield* members.end()
  } finally {
    members.stop()
  }
}

function notGzip(cause?: Error): AppError {
  const detail =
    'The body is not valid gzip: it is damaged, incomplete, or followed by something else.'
  return new AppError('invalid_request', { detail, cause })
}

function zerosOf(bytes: Uint8Array): number {
  const end = bytes.findIndex((byte) => byte !== 0)
  return end === -1 ? bytes.length : end
}

/** Decompresses members that follow each other directly. */
function startMembers() {
  const unzip = createGunzip({ chunkSize: CHUNK_BYTES })
  let failure: Error | undefined
  let wake = () => {}
  unzip.on('error', (error) => {
    failure = error
    wake()
  })
  unzip.on('readable', () => wake())

  /** The output, until the work is done. */
  async function* outputOf(work: (done: () => void) => void): AsyncGenerator<Uint8Array> {
    let isDone = false
    work(() => {
      isDone = true
      wake()
    })
    for (;;) {
      const { promise: woken, resolve } = Promise.withResolvers<void>()
      wake = resolve
      if (failure !== undefined) throw notGzip(failure)
      const output: Uint8Array | null = unzip.read()
      if (output !== null) yield output
      else if (isDone) return
      else await woken
    }
  }

  return {
    /** Takes a piece and returns how many of its bytes belong to the members. */
    async *write(piece: Uint8Array): AsyncGenerator<Uint8Array, number> {
      const before = unzip.bytesWritten
      yield* outputOf((done) => unzip.write(piece, done))
      return unzip.bytesWritten - before
    },
    /** The rest of the output; throws when the input ended too early. */
    end: () => outputOf((done) => unzip.once('end', done).end()),
    stop: () => unzip.destroy(),
  }
}
