import { expect, test } from 'vitest'
import { cursorsFor } from '../../../../src/base/values/cursors.ts'

const scope = ['product changes', 'an installation']

test('a cursor that the former key made is taken while that key is known', () => {
  const former = cursorsFor(['former'], scope).encode([7, 9])
  expect(cursorsFor(['current', 'former'], scope).decode(former)).toEqual([7, 9])
  const current = cursorsFor(['current', 'former'], scope).encode([8])
  expect(cursorsFor(['former', 'current'], scope).decode(current)).toEqual([8])
  expect(() => cursorsFor(['current'], scope).decode(former)).toThrow(
    expect.objectContaining({ code: 'invalid_cursor' }),
  )
})
