import { ArchiveError } from './archive.ts'

/** Reads a stream in pieces of a wanted length. */
export type ByteReader = {
  /** @throws ArchiveError when the stream ends before */
  exactly(length: number): Promise<Buffer>
  /** What there is, at least one byte and at most `length`; throws ArchiveError at the end. */
  some(length: number): Promise<Buffer>
  isAtEnd(): Promise<boolean>
}

/** Reads a stream in pieces of chosen lengths; holds one chunk of it in memory. */
export function createByteReader(source: AsyncIterable<Buffer>): ByteReader {
  const chunks = source[Symbol.asyncIterator]()
  let rest: Buffer = Buffer.alloc(0)
  const isAtEnd = async () => {
    while (rest.length === 0) {
      const { done, value } = await chunks.next()
      if (done === true) return true
      rest = value
    }
    return false
  }
  const some = async (length: number) => {
    if (await isAtEnd()) throw new ArchiveError('The backup is cut off: the end of it is missing.')
    const piece = rest.subarray(0, length)
    rest = rest.subarray(piece.length)
    return piece
  }
  return {
    some,
    isAtEnd,
    async exactly(length) {
      const pieces: Buffer[] = []
      for (let missing = length; missing > 0; ) {
        const piece = await some(missing)
        pieces.push(piece)
        missing -= piece.length
      }
      return Buffer.concat(pieces)
    },
  }
}
