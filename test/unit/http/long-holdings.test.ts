import type { FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import type { Principal } from '../../../src/base/values/principal.ts'
import { stateOf } from '../../../src/http/observability/request-state.ts'
import { createLongHoldings } from '../../../src/http/rate-limits/long-holdings.ts'

const MIB = 1_048_576

const stranger = {} as FastifyRequest
const known = {} as FastifyRequest
stateOf(known).principal = { kind: 'developer', developerId: 'a' } as Principal

/** How much many callers like this one hold together, each as much as it may. */
function heldByMany(holdingsFor: ReturnType<typeof createLongHoldings>, request: FastifyRequest) {
  let mib = 0
  for (let caller = 0; caller < 20; caller += 1) {
    while (holdingsFor(request).resize(`${caller}`, 0, MIB)) mib += 1
  }
  return mib
}

test('all strangers and all known callers have limits of their own', () => {
  const holdingsFor = createLongHoldings({ knownMaxBytes: 48 * MIB, strangersMaxBytes: 8 * MIB })
  expect(heldByMany(holdingsFor, stranger)).toBeLessThanOrEqual(8)
  const mib = heldByMany(holdingsFor, known)
  expect([mib > 32, mib <= 48]).toEqual([true, true])
})
