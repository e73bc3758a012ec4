import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { accountToken, call, demoInstallation, installationToken } from '../../setup/client.ts'
import { readMetrics, type Series } from '../../setup/metrics.ts'

const read = (name: string) =>
  readFileSync(new URL(`../../../ops/${name}`, import.meta.url), 'utf8')
const dashboard = JSON.parse(read('dashboard.json')) as {
  panels: { title: string; targets: { expr: string }[] }[]
}
const rules = read('alerts.yaml')

let market: TestMarketplace
let series: Series
/** The names that the answer declares, those without a value yet included. */
let declared: Set<string>
beforeAll(async () => {
  market = await startMarketplace({ background: {} })
  const token = await installationToken(market, demoInstallation(market, 'price-sync', 'Seller'))
  await call(market, 'GET', '/v1/Products', { token })
  const operator = await accountToken(market, market.demo.operator)
  const { text } = await call(market, 'GET', '/metrics', { token: operator })
  series = readMetrics(text)
  declared = new Set([...text.matchAll(/^# TYPE (\w+) (\w+)/gm)].flatMap(namesOfType))
})
afterAll(() => market.close())

function namesOfType([, name = '', type]: RegExpMatchArray): string[] {
  return type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name]
}

/** Metrics of a query with the labels that it selects by: `[name, labels]`. */
function metricsIn(query: string): [string, string[]][] {
  const found = query.matchAll(/\b((?:marketplace|http|process|nodejs)_[a-z0-9_]+)(\{[^}]*\})?/g)
  return [...found].map(([, name = '', selector = '']) => [
    name,
    // Prometheus adds the job.
    [...selector.matchAll(/(\w+)[=!]~?"/g)]
      .map(([, label = '']) => label)
      .filter((label) => label !== 'job'),
  ])
}

const queries: [string, string][] = [
  ...dashboard.panels.flatMap(({ title, targets }) =>
    targets.map(({ expr }) => [`the panel ${title}`, expr] as [string, string]),
  ),
  ['the alert rules', rules],
]

describe('the dashboard and the alert rules', () => {
  test('ask for many metrics', () => {
    const names = new Set(queries.flatMap(([, query]) => metricsIn(query).map(([name]) => name)))
    expect(names.size).toBeGreaterThan(25)
  })

  test.each(queries)('%s: every metric is one that the server has', (_, query) => {
    for (const [name, labels] of metricsIn(query)) {
      expect(declared, name).toContain(name)
      const some = [...series.keys()].find((one) => one.startsWith(`${name}{`))
      for (const label of labels) expect(some, name).toContain(`${label}="`)
    }
  })

  test('leave out no metric of ours but those beside a panel', () => {
    const asked = new Set(queries.flatMap(([, query]) => metricsIn(query).map(([name]) => name)))
    const ours = [...declared].filter((name) => name.startsWith('marketplace_'))
    const unseen = ours.filter((name) => !asked.has(name) && !/_(sum|count)$/.test(name))
    expect(unseen.sort()).toEqual(['marketplace_imports_total', 'marketplace_page_cache_entries'])
  })
})

describe('the alert rules', () => {
  const alerts = rules.split(/^ {6}- alert: /m).slice(1)

  test('have a query, a time, a severity and a sentence each', () => {
    expect(alerts.length).toBeGreaterThan(8)
    for (const alert of alerts) {
      expect(alert).toMatch(/^Marketplace\w+\n {8}expr: /)
      expect(alert).toMatch(/\n {8}for: \d+m\n {8}labels: \{ severity: (critical|warning) \}\n/)
      expect(alert).toMatch(/\n {10}summary: [A-Z].+\.\n/)
    }
  })
})
