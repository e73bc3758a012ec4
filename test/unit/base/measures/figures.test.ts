import { describe, expect, test } from 'vitest'
import {
  addFigures,
  figuresOf,
  hourOf,
  isNothing,
  noFigures,
  since,
} from '../../../../src/base/measures/figures.ts'
import { createMeasures } from '../../../../src/base/measures/measures.ts'

function counted() {
  const measures = createMeasures()
  const route = {}
  const count = (status: number) => measures.requests.count(route, '/v1/Apps', 'GET', status, 20)
  for (const status of [200, 404, 500, 503]) count(status)
  measures.requests.count({}, '/livez', 'GET', 200, 1)
  measures.tokensMade.account = 2
  measures.tokensMade.developer = 3
  measures.installs = 1
  measures.webhooks.succeeded = 7
  measures.webhooks.failed.status = 2
  return { measures, count }
}

describe('the figures of a process', () => {
  test('are what it counted, without health checks', () => {
    const { latency, ...counts } = figuresOf(counted().measures)
    expect(counts).toEqual({
      requests: 4,
      errors: 2,
      tokens: 5,
      installs: 1,
      deliveries: 7,
      failures: 2,
    })
    expect(latency.counts.reduce((all, one) => all + one)).toBe(4)
  })

  test('of an hour are those that came since the hour before', () => {
    const { measures, count } = counted()
    const before = figuresOf(measures)
    expect(isNothing(since(before, figuresOf(measures)))).toBe(true)
    count(500)
    const added = since(before, figuresOf(measures))
    expect(added).toMatchObject({ requests: 1, errors: 1, tokens: 0 })
    expect(added.latency.counts.reduce((all, one) => all + one)).toBe(1)
  })

  test('of several hours add up', () => {
    const all = noFigures()
    addFigures(all, figuresOf(counted().measures))
    addFigures(all, figuresOf(counted().measures))
    expect(all).toMatchObject({ requests: 8, errors: 4, installs: 2 })
  })
})

test('an hour begins at its full hour in UTC', () => {
  const time = new Date('2026-03-04T05:59:59.999Z')
  expect(hourOf(time).toISOString()).toBe('2026-03-04T05:00:00.000Z')
})
