import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { parse, stringify } from 'yaml'

const ROOT = new URL('../../', import.meta.url)
const RULES = fileURLToPath(new URL('ops/alerts.yaml', ROOT))
const rules: { alert: string; annotations: Record<string, string> }[] = parse(
  readFileSync(RULES, 'utf8'),
).groups[0].rules

const directory = mkdtempSync(join(tmpdir(), 'alerts-'))
afterAll(() => rmSync(directory, { recursive: true }))

/** Where the guide says what to do about an alert. */
const runbookOf = (alert: string) =>
  `https://marketplace.example/docs/alerts#${alert.toLowerCase()}`

test('the guide has a section for each alert, in their order, and the alert leads to it', () => {
  const guide = readFileSync(new URL('docs/alerts.md', ROOT), 'utf8')
  const headings = [...guide.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading)
  expect(headings).toEqual(rules.map(({ alert }) => alert))
  for (const { alert, annotations } of rules) {
    expect(annotations.runbook_url).toBe(runbookOf(alert))
  }
})

/** Whether Prometheus' tool is installed, as Debian's package `prometheus` does. */
function hasPromtool(): boolean {
  try {
    return execFileSync('promtool', ['--version'], { encoding: 'utf8' }).includes('promtool')
  } catch {
    return false
  }
}

const DOWN = 'A server cannot be scraped, or Prometheus knows none.'
const RESTARTS = 'A server has started more than twice in half an hour.'
const LABELS = { instance: 'one:9464', job: 'app-marketplace' }

describe.skipIf(!hasPromtool())('Prometheus', () => {
  test.each([
    ['a server that is scraped', ['up 1x10'], 'MarketplaceDown', []],
    [
      'a server that cannot be scraped',
      ['up 1 1 0x10'],
      'MarketplaceDown',
      [{ labels: { ...LABELS, severity: 'critical' }, summary: DOWN }],
    ],
    [
      'no server at all',
      [],
      'MarketplaceDown',
      [{ labels: { job: 'app-marketplace', severity: 'critical' }, summary: DOWN }],
    ],
    ['a server that was replaced once', ['start 100x4 200x6'], 'MarketplaceRestarts', []],
    [
      'a server that starts again and again',
      ['start 100 100 200 300 400x6'],
      'MarketplaceRestarts',
      [{ labels: { ...LABELS, severity: 'warning' }, summary: RESTARTS }],
    ],
  ])('%s', (_, seen, alertname, expected) => {
    const names = { up: 'up', start: 'process_start_time_seconds' }
    const input_series = seen.map((line) => {
      const [name = '', values] = line.split(/ (.*)/)
      const series = names[name as keyof typeof names]
      return { series: `${series}{job="app-marketplace",instance="one:9464"}`, values }
    })
    const exp_alerts = expected.map(({ labels, summary }) => ({
      exp_labels: labels,
      exp_annotations: { summary, runbook_url: runbookOf(alertname) },
    }))
    const tests = [
      {
        interval: '1m',
        input_series,
        alert_rule_test: [{ eval_time: '8m', alertname, exp_alerts }],
      },
    ]
    const file = join(directory, 'test.yaml')
    writeFileSync(file, stringify({ rule_files: [RULES], evaluation_interval: '1m', tests }))
    const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', file], {
      encoding: 'utf8',
    })
    expect({ status, output: `${stdout}${stderr}` }).toMatchObject({ status: 0 })
  })
})
