import { describe, expect, test } from 'vitest'
import {
  type EndpointFacts,
  healthOf,
  stateOfAll,
  statusOf,
} from '../../../../src/marketplace/webhooks/endpoints/endpoint-health.ts'

const [EARLY, LATE] = [new Date('2026-11-20T00:00:00Z'), new Date('2026-11-21T00:00:00Z')]

const endpoint = (facts: Partial<EndpointFacts> = {}): EndpointFacts => ({
  disabledAt: null,
  disabledReason: null,
  failingSince: null,
  lastSuccessAt: EARLY,
  ...facts,
})
const failing = (failingSince: Date) => endpoint({ failingSince })
const disabled = (disabledReason: string, disabledAt = LATE) =>
  endpoint({ disabledReason, disabledAt })

describe('an endpoint', () => {
  test('is enabled until it is disabled', () => {
    expect(statusOf(endpoint())).toBe('enabled')
    expect(statusOf(disabled('gone'))).toBe('disabled')
  })

  test('is untried before its first attempt, then has the state of the last attempt', () => {
    expect(healthOf({ failingSince: null, lastSuccessAt: null })).toBe('untried')
    expect(healthOf({ failingSince: null, lastSuccessAt: EARLY })).toBe('healthy')
    expect(healthOf({ failingSince: LATE, lastSuccessAt: EARLY })).toBe('failing')
    expect(healthOf({ failingSince: LATE, lastSuccessAt: null })).toBe('failing')
  })
})

describe('all endpoints of an app', () => {
  test.each([
    ['none', [], 'none', null],
    ['fine ones', [endpoint(), endpoint()], 'healthy', null],
    ['an untried one', [endpoint({ lastSuccessAt: null })], 'healthy', null],
    ['one that fails', [endpoint(), failing(LATE)], 'failing', LATE],
    ['two that fail', [failing(LATE), failing(EARLY)], 'failing', EARLY],
    ['one that is gone', [failing(EARLY), disabled('gone')], 'disabled', LATE],
    ['one that failed for days', [endpoint(), disabled('failing', EARLY)], 'disabled', EARLY],
    [
      'one disabled on purpose beside a working one',
      [endpoint(), disabled('developer')],
      'healthy',
      null,
    ],
    [
      'one disabled on purpose beside a failing one',
      [failing(EARLY), disabled('developer')],
      'failing',
      EARLY,
    ],
    ['only one that was disabled on purpose', [disabled('developer')], 'disabled', LATE],
  ] as const)('with %s', (_what, endpoints, status, since) => {
    expect(stateOfAll(endpoints)).toEqual({ status, since })
  })
})
