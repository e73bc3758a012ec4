import type { FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import type { Principal } from '../../../src/base/values/principal.ts'
import { createRoom, type HeldBytes } from '../../../src/http/fair-share/held-bytes.ts'
import { stateOf } from '../../../src/http/observability/request-state.ts'

const MIB = 1_048_576

const stranger = (host: number) => ({ ip: `10.0.${host}.1` }) as FastifyRequest
const developer = (id: number) => {
  const request = {} as FastifyRequest
  stateOf(request).principal = { kind: 'developer', developerId: `${id}` } as Principal
  return request
}

/** How many MiB many callers hold together, each as much as it may. */
function heldByMany(roomOf: (request: FastifyRequest) => HeldBytes, who: typeof stranger) {
  let mib = 0
  for (let caller = 0; caller < 20; caller += 1) {
    const held = roomOf(who(caller))
    while (held.hold(held.bytes + MIB)) mib += 1
  }
  return mib
}

test('all strangers and all known callers have limits of their own', () => {
  const roomOf = createRoom({ known: 48, strangers: 8 })
  expect(heldByMany(roomOf, stranger)).toBe(8)
  expect(heldByMany(roomOf, developer)).toBe(48)
})

test('what is short is not counted, and what was released is held no longer', () => {
  const held = createRoom({ known: 1, strangers: 1 })(stranger(1))
  expect([held.hold(65_536), held.bytes]).toEqual([true, 0])
  expect([held.hold(MIB), held.bytes]).toEqual([true, MIB])
  expect([held.hold(2 * MIB), held.bytes]).toEqual([false, MIB])
  held.release()
  expect([held.hold(MIB), held.bytes]).toEqual([true, 0])
})
