import { describe, expect, test } from 'vitest'
import { gatherMessages } from '../../src/database/message-socket.ts'

const message = (type: string, body: string | Buffer) => {
  const bytes = Buffer.alloc(5 + body.length)
  bytes.write(type, 0)
  bytes.writeUInt32BE(4 + body.length, 1)
  Buffer.from(body).copy(bytes, 5)
  return bytes
}
const MESSAGES = [
  message('Z', 'I'),
  message('D', 'a row of some length'),
  message('1', ''),
  message('D', Buffer.alloc(300_000, 'x')),
  message('2', ''),
  message('C', 'SELECT 1'),
]
const ALL = Buffer.concat(MESSAGES)

/** What is used when the bytes are read in pieces, and all of it overwritten after each use. */
function gathered(pieces: readonly Buffer[]): Buffer[] {
  const used: Buffer[] = []
  const take = gatherMessages((messages) => {
    used.push(Buffer.from(messages))
  })
  for (const piece of pieces) {
    const read = Buffer.from(piece)
    take(read)
    read.fill(0)
  }
  return used
}

function cut(bytes: Buffer, size: number): Buffer[] {
  const count = Math.ceil(bytes.length / size)
  return Array.from({ length: count }, (_, n) => bytes.subarray(n * size, (n + 1) * size))
}

/** Where messages end. */
const BOUNDS = new Set(MESSAGES.map((_, n) => Buffer.concat(MESSAGES.slice(0, n + 1)).length))

describe('what is read of Postgres', () => {
  test.each([1, 2, 3, 4, 5, 6, 7, 64, 8192, 65_536, 1_000_000])(
    'comes as the same messages in pieces of %i bytes, each of them whole',
    (size) => {
      const used = gathered(cut(ALL, size))
      expect(Buffer.concat(used).equals(ALL)).toBe(true)
      const ends = used.map((_, n) => Buffer.concat(used.slice(0, n + 1)).length)
      expect(ends.filter((end) => !BOUNDS.has(end))).toEqual([])
    },
  )

  test('is used as soon as a message is whole', () => {
    expect(gathered([ALL.subarray(0, 6), ALL.subarray(6, 20)])).toEqual([MESSAGES[0]])
  })

  test('is handed on as it is when it cannot be a message', () => {
    const broken = Buffer.from('H\0\0\0\x03 no Postgres')
    expect(gathered([broken])).toEqual([broken])
  })
})
