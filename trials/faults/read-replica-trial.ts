import { type ReplicatedMarket, startReplicatedMarket } from '../../test/setup/replicated-market.ts'
import type { Finding, Trial } from './trial.ts'

const READS = 2_000
/** One read of five is an export. */
const EXPORTS_SHARE = 5
const DELAYS_MS = [0, 200, 5_000]
const WITHOUT_REPLICA = 200
const LONGEST_MS = 10_000

/** Each read follows a write, on a replica that applies late, and without one. */
export const trial: Trial = {
  title: 'read-replica',
  async run() {
    const market = await startReplicatedMarket()
    try {
      const findings: Finding[] = []
      for (const delayMs of DELAYS_MS) {
        await market.replication.delay(delayMs)
        findings.push(await readAfterWrites(market, `${delayMs} ms behind`, READS))
      }
      await market.replication.delay(0)
      await market.replication.stopReplica()
      findings.push(await readAfterWrites(market, 'away', WITHOUT_REPLICA))
      await market.replication.startReplica()
      return findings
    } finally {
      await market.close()
    }
  },
}

async function readAfterWrites(
  market: ReplicatedMarket,
  what: string,
  reads: number,
): Promise<Finding> {
  const before = market.replication.pagesAsked()
  let stale = 0
  let longestMs = 0
  for (let read = 1; read <= reads; read++) {
    await market.write(read)
    const isExport = read % EXPORTS_SHARE === 0
    const beganAtMs = performance.now()
    const seen = await (isExport ? market.stockExported() : market.stockShown())
    longestMs = Math.max(longestMs, performance.now() - beganAtMs)
    if (seen !== read) stale++
  }
  const asked = market.replication.pagesAsked() - before
  return {
    what: `${reads} reads, each after a write, one of ${EXPORTS_SHARE} an export, with a replica ${what}`,
    seen: `${stale} stale; the replica was asked ${asked} times; longest ${(longestMs / 1000).toFixed(1)} s`,
    target: `none stale, none over ${LONGEST_MS / 1000} s`,
    held: stale === 0 && longestMs < LONGEST_MS,
  }
}
