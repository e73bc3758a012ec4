import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { AppError } from '../../../../src/errors.ts'
import { gunzip } from '../../../../src/marketplace/products/import/gunzip.ts'

/** Decompresses bytes that come in pieces. */
async function unpacked(bytes: Buffer, pieceBytes = bytes.length || 1): Promise<Buffer> {
  async function* pieces() {
    for (let from = 0; from < bytes.length; from += pieceBytes) {
      yield bytes.subarray(from, from + pieceBytes)
    }
  }
  const found: Uint8Array[] = []
  for await (const piece of gunzip(pieces())) found.push(piece)
  return Buffer.concat(found)
}

const one = gzipSync('one\n')
const two = gzipSync('two\n')
const zeros = Buffer.alloc(700)

describe('gzip (RFC 1952)', () => {
  test('may have several members', async () => {
    const texts = fc.array(fc.string({ unit: 'grapheme' }), { minLength: 1, maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(texts, fc.integer({ min: 1, max: 400 }), async (members, pieceBytes) => {
        const packed = Buffer.concat(members.map((text) => gzipSync(text)))
        expect((await unpacked(packed, pieceBytes)).toString()).toBe(members.join(''))
      }),
    )
  })

  test('of any size comes as it was, whatever the pieces', async () => {
    const bytes = Buffer.concat([randomBytes(300_000), Buffer.alloc(3_000_000, 'row\n')])
    for (const pieceBytes of [1_000, 65_536, 1_000_000]) {
      expect((await unpacked(gzipSync(bytes), pieceBytes)).equals(bytes)).toBe(true)
    }
  })

  test.each([
    ['something else', Buffer.from('brand\n')],
    ['zeros in front of it', Buffer.concat([zeros, one])],
    ['garbage behind it', Buffer.concat([one, Buffer.from('two\n')])],
    ['zeros behind it', Buffer.concat([one, zeros])],
    ['zeros between its members', Buffer.concat([one, zeros, two])],
    ['a second member that ends too early', Buffer.concat([one, two.subarray(0, -1)])],
    ['a wrong checksum', Buffer.concat([one.subarray(0, -8), two.subarray(-8)])],
  ])('is refused with %s', async (_what, bytes) => {
    for (const pieceBytes of [1, 7_000]) {
      const failure = await unpacked(bytes, pieceBytes).catch((error: unknown) => error)
      expect(failure).toBeInstanceOf(AppError)
      expect(failure).toMatchObject({ code: 'invalid_request' })
    }
  })

  test('may come out 200 times as long as it went in, but for the first MiB', async () => {
    const MIB = 1_048_576
    const small = Buffer.alloc(MIB, '\n')
    expect((await unpacked(gzipSync(small))).length).toBe(MIB)
    // Bytes that do not get shorter make up for those that do.
    const good = gzipSync(Buffer.concat([randomBytes(100_000), Buffer.alloc(19_000_000)]))
    expect((await unpacked(good, 65_536)).length).toBe(19_100_000)
    const members = Array.from({ length: 3 }, () => gzipSync(Buffer.alloc(MIB / 2)))
    for (const bomb of [gzipSync(Buffer.alloc(2 * MIB, '\n')), Buffer.concat(members)]) {
      await expect(unpacked(bomb, 65_536)).rejects.toMatchObject({ code: 'payload_too_large' })
    }
  })

  test('passes on what its source fails by', async () => {
    async function* broken() {
      yield one.subarray(0, 5)
      throw new AppError('request_timeout')
    }
    const read = async () => {
      for await (const _piece of gunzip(broken()));
    }
    await expect(read()).rejects.toMatchObject({ code: 'request_timeout' })
  })

  test('ends at a bad piece, also while its source waits', async () => {
    async function* stalled() {
      yield Buffer.from('brand')
      await new Promise(() => {})
    }
    const read = async () => {
      for await (const _piece of gunzip(stalled()));
    }
    await expect(read()).rejects.toMatchObject({ code: 'invalid_request' })
  })

  test('lets its source go when nobody reads on', async () => {
    let isLeft = false
    async function* endless() {
      try {
        for (;;) yield one
      } finally {
        isLeft = true
      }
    }
    for await (const _piece of gunzip(endless())) break
    await expect.poll(() => isLeft).toBe(true)
  })
})
