import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { secretKey } from '../../../src/values/variable-shapes.ts'

test('SECRET_KEY is 32 random bytes in base64, and nothing that somebody could guess', () => {
  const isKey = (bytes: Buffer) => secretKey.safeParse(bytes.toString('base64')).success
  expect(isKey(randomBytes(32))).toBe(true)
  expect([31, 33].map((length) => isKey(randomBytes(length)))).toEqual([false, false])
  expect(isKey(Buffer.alloc(32))).toBe(false)
  expect(isKey(Buffer.from('abababababababababababababababab'))).toBe(false)
  expect(secretKey.safeParse('changeme').success).toBe(false)
})
