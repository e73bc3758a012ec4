import { describe, expect, test } from 'vitest'
import { noFigures } from '../../../src/base/measures/figures.ts'
import { observe } from '../../../src/base/measures/latencies.ts'
import { type ChartRange, chartsCard } from '../../../src/web/operator/charts-view.ts'
import { render } from '../../../src/web/shared/page/html.ts'

const START = Date.parse('2026-03-01T00:00:00Z')
const HOUR_MS = 3_600_000
/** The step in which something happened. */
const BUSY = 9
const RANGES = [
  { range: '24h', steps: 24, stepMs: HOUR_MS, title: 'Last 24 hours', when: 'at 09:00' },
  { range: '30d', steps: 30, stepMs: 24 * HOUR_MS, title: 'Last 30 days', when: 'on 10 Mar' },
] as const
const ENDS = { '24h': ['00:00', '23:00'], '30d': ['1 Mar', '30 Mar'] }

function busyFigures() {
  const figures = noFigures()
  const counts = { requests: 1200, errors: 3, tokens: 40, installs: 2, deliveries: 90, failures: 5 }
  observe(figures.latency, 0.2)
  return { ...figures, ...counts }
}

function cardOf({ range, steps, stepMs }: { range: ChartRange; steps: number; stepMs: number }) {
  const figures = Array.from({ length: steps }, (_, index) => ({
    at: new Date(START + index * stepMs),
    figures: index === BUSY ? busyFigures() : noFigures(),
  }))
  return render(chartsCard(range, figures))
}

const allOf = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map(([, found = '']) => found.replaceAll(/(?:\s*<[^>]+>\s*)+/g, '|'))

describe.each(RANGES)('the charts of the $title', (one) => {
  const markup = cardOf(one)

  test('have accessible names: what is counted, and its highest value with unit and time', () => {
    const names = new Map(
      [...markup.matchAll(/<title id="([^"]+)">([^<]+)<\/title>/g)].map(([, id, name]) => [
        id,
        name,
      ]),
    )
    const labelled = allOf(markup, /<svg[^>]+role="img"\s+aria-labelledby="([^"]+)"/g)
    expect(labelled.map((id) => names.get(id))).toEqual([
      `Requests: Peak 1,200 ${one.when}`,
      `Server errors: Peak 3 ${one.when}`,
      `p99 response time: Peak 250 ms ${one.when}`,
      `Tokens issued: Peak 40 ${one.when}`,
      `Installs: Peak 2 ${one.when}`,
      `Failed webhook attempts: Peak 5 of 95 ${one.when}`,
    ])
  })

  test('show the total and the same above them', () => {
    const captions = allOf(markup, /<figcaption>\s*<strong>(.*?)<\/span>\s*<\/figcaption>/gs)
    expect(captions).toHaveLength(6)
    expect(captions[0]).toBe(`Requests|1,200|Peak 1,200 ${one.when}`)
    expect(captions[2]).toBe(`p99 response time|250 ms|Peak 250 ms ${one.when}`)
  })

  test('name the value of each bar', () => {
    const bars = allOf(markup, /<g><title>(.*?)<\/title>/g)
    expect(bars).toHaveLength(6 * one.steps)
    expect(bars[BUSY]).toBe(`${one.when.slice(3)}: 1,200`)
  })

  test('tell their range of time: in the heading, and below each chart', () => {
    expect(markup).toMatch(new RegExp(`<section[^>]+aria-labelledby="figures">\\s*.*${one.title}`))
    const times = allOf(markup, /<p class="chart-times[^>]*>\s*<span>(.*?)<\/span>\s*<\/p>/gs)
    expect(times).toEqual(Array(6).fill(ENDS[one.range].join('|')))
    expect(markup).toContain('Full hours, UTC, all servers')
  })
})

const one = (figures = noFigures()) => [{ at: new Date(START), figures }]

test('a chart of nothing is one line', () => {
  const markup = render(chartsCard('24h', one()))
  expect(markup.match(/<\/strong> <span class="fine">None</g)).toHaveLength(6)
  expect(markup).not.toContain('<svg')
})

test.each([
  [600, '100% more than the day before'],
  [2400, '50% less than the day before'],
  [1200, 'as many as the day before'],
  [0, 'none the day before'],
])('a chart is compared with the day before: %i requests then', (requests, words) => {
  const markup = render(chartsCard('24h', one(busyFigures()), one({ ...busyFigures(), requests })))
  expect(markup).toContain(`<span class="fine">${words} · Peak 1,200 at 00:00</span>`)
})
