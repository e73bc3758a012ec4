import { setTimeout as sleep } from 'node:timers/promises'
import { ALLOCATOR_VARIABLES, NODE_FLAGS } from '../../scripts/server-node.js'
import { type LargestMarket, startLargestMarket } from './largest-market.ts'
import { milliseconds } from './probe.ts'
import { requestsAt } from './steady-load.ts'
import type { Finding, Trial } from './trial.ts'

const SECONDS = 10
/** What one address may send without a token. */
const FLOOD_PER_SECOND = 100
const OTHERS_PER_SECOND = 20
const P99_MAX_MS = 100

const PATHS = [
  '/v1/Apps/largest-settings/TermsDocument',
  '/Apps/largest-settings/Terms',
  '/Apps/largest-settings',
  '/v1/Apps/largest-settings',
  '/v1/Apps/largest-choices',
  '/v1/Apps',
]

/** One address asks for the largest public records as often as it may, and others go on working. */
export const trial: Trial = {
  title: 'public-flood',
  async run() {
    const market = await startLargestMarket((at) =>
      at.startServer(ALLOCATOR_VARIABLES, undefined, NODE_FLAGS),
    )
    try {
      const quietMs = await p99Beside(market, undefined)
      const findings: Finding[] = []
      for (const path of PATHS) {
        for (const coding of ['identity', 'br']) {
          findings.push(await flood(market, { path, coding, quietMs }))
        }
      }
      return findings
    } finally {
      await market.close()
    }
  },
}

type Market = LargestMarket & { url: string }

async function flood(
  market: Market,
  { path, coding, quietMs }: { path: string; coding: string; quietMs: number },
): Promise<Finding> {
  const statuses = new Map<number, number>()
  const ask = async () => {
    const headers = { 'accept-encoding': coding }
    const answer = await fetch(market.url + path, { headers }).catch(() => undefined)
    await answer?.arrayBuffer().catch(() => undefined)
    const status = answer?.status ?? 0
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
  }
  const p99Ms = await p99Beside(market, ask)
  const told = [...statuses].map(([status, count]) => `${count} x ${status}`).join(', ')
  return {
    what: `${FLOOD_PER_SECOND} requests a second for ${path} (${coding}) for ${SECONDS} s: ${told}`,
    seen: `p99 of others ${milliseconds(p99Ms)}, before ${milliseconds(quietMs)}`,
    target: `under ${P99_MAX_MS} ms`,
    held: p99Ms < P99_MAX_MS,
  }
}

/** The time that 99 of 100 requests of somebody else come in. */
async function p99Beside(market: Market, ask: (() => Promise<void>) | undefined) {
  const own = { path: '/v1/Developer', token: market.tokens.developer ?? '' }
  const others = requestsAt(market, [own], OTHERS_PER_SECOND)
  const underWay = new Set<Promise<void>>()
  const untilMs = performance.now() + SECONDS * 1000
  while (performance.now() < untilMs) {
    if (ask !== undefined) {
      const one: Promise<void> = ask().finally(() => underWay.delete(one))
      underWay.add(one)
    }
    await sleep(1000 / FLOOD_PER_SECOND)
  }
  const { p99Ms } = await others.stop()
  await Promise.all(underWay)
  return p99Ms
}
