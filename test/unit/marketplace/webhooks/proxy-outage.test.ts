import { expect, test } from 'vitest'
import { createProxyOutage } from '../../../../src/marketplace/webhooks/delivery/attempt-worker.ts'
import type { AttemptResult } from '../../../../src/marketplace/webhooks/sending/send-attempt.ts'

const refused: AttemptResult = {
  outcome: 'proxy_failed',
  durationMs: 1,
  cause: new Error('the proxy answered 407'),
}
const answered: AttemptResult = { outcome: 'succeeded', durationMs: 1, status: 204 }
const unresolved: AttemptResult = { outcome: 'failed', durationMs: 1 }

/** What is logged of attempts at these seconds. */
function logOf(attempts: readonly [atSeconds: number, result: AttemptResult][]) {
  const lines: string[] = []
  const log = {
    warn: (_: unknown, text: string) => lines.push(`warn ${text}`),
    info: (_: unknown, text: string) => lines.push(`info ${text}`),
  }
  let seconds = 0
  const follow = createProxyOutage(log as never, () => seconds * 1000)
  for (const [atSeconds, result] of attempts) {
    seconds = atSeconds
    follow(result)
  }
  return lines
}

const FAILS = 'warn the proxy of webhooks fails; what waits for it is sent again'
const WORKS = 'info the proxy of webhooks works again'

test('a proxy that fails is logged once, and once when it has worked for a minute', () => {
  expect(
    logOf([
      [0, answered],
      [1, refused],
      [31, refused],
      [80, answered],
      [90, unresolved],
      [92, answered],
      [93, answered],
      [200, refused],
    ]),
  ).toEqual([FAILS, WORKS, FAILS])
})

test('a proxy that refuses one receiver and lets others through is one outage', () => {
  const attempts = Array.from({ length: 100 }, (_, count): [number, AttemptResult] => [
    count * 15,
    count % 2 === 0 ? refused : answered,
  ])
  expect(logOf(attempts)).toEqual([FAILS])
})
