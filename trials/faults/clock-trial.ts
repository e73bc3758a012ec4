import { setTimeout as sleep } from 'node:timers/promises'
import { fakeClockLibrary, startFakeClock } from '../../test/setup/fake-clock.ts'
import { mintedToken, probe } from '../../test/setup/probes.ts'
import { isAlive, readDemoFile } from '../../test/setup/server-process.ts'
import { startReceiver } from '../../test/setup/webhook-receiver.ts'
import type { Finding, Trial } from './trial.ts'
import { writeEvents } from './webhook-events.ts'
import { startWebhookMarket, type WebhookMarket } from './webhook-market.ts'

/** Longer than any token lives. */
const HOURS = 6
/** Some rounds of everything that goes on in the background. */
const WATCHED_MS = 15_000
const EVENTS = 20
/** Of one delivery in that time: one that became due by the jump, and the next two of the schedule. */
const ATTEMPTS_MAX = 3

/** The clock of the server's machine jumps by hours, forward and back. */
export const trial: Trial = {
  title: 'clock',
  async run() {
    const library = fakeClockLibrary()
    if (library === undefined) {
      throw new Error('libfaketime is missing: apt-get install libfaketime')
    }
    const clock = await startFakeClock(library)
    const [healthy, failing] = await Promise.all([startReceiver(), startReceiver()])
    failing.answerWith((response) => response.writeHead(500).end())
    const market = await startWebhookMarket([healthy.host, failing.host], { env: clock.env })
    try {
      await market.endpoint(healthy.url)
      await market.endpoint(failing.url)
      const ids = await market.installations(EVENTS)
      const findings: Finding[] = []
      const tokens = new Map<string, string>()
      for (const offset of ['+0', `+${HOURS}h`, '+0', `-${HOURS}h`, '+0']) {
        await clock.set(offset)
        const former = [...tokens]
        const { server, deps } = market
        const before = failing.received.length
        const known = healthy.received.length
        await writeEvents(deps, ids, { count: EVENTS, perSecond: 50 })
        const token = await minted(market)
        const statuses = await Promise.all(
          former.map(async ([at, one]) => `${at}: ${await statusOf(market, one)}`),
        )
        const own = await statusOf(market, token)
        tokens.set(offset, token)
        await sleep(WATCHED_MS)
        const attempts = failing.received.length - before
        const deliveries = await deps.db.webhookDelivery.count({
          where: { endpoint: { url: failing.url } },
        })
        const told = healthy.received.length - known
        const isUp = server.child.exitCode === null && isAlive(server.child.pid ?? 0)
        const ready = (await probe(server, { path: '/readyz' })).status
        const wrong = former.filter(
          ([at], index) => statuses[index] !== `${at}: ${offset === at ? 200 : 401}`,
        )
        findings.push({
          what: `the clock at ${offset}`,
          seen: `new token ${own}; former ones ${statuses.join(', ') || 'none'}; ${told} of ${EVENTS} new events told; ${attempts} attempts for ${deliveries} deliveries that fail; readiness ${ready}; ${isUp ? 'alive' : 'died'}`,
          target: `200; 200 where the clock is the same, else 401; all told; at most ${ATTEMPTS_MAX} attempts each; 200; alive`,
          held:
            own === 200 &&
            wrong.length === 0 &&
            told >= EVENTS &&
            attempts <= ATTEMPTS_MAX * deliveries &&
            ready === 200 &&
            isUp,
        })
      }
      return findings
    } finally {
      await market.close()
      await Promise.all([healthy.close(), failing.close()])
      await clock.close()
    }
  },
}

/** Signs in and mints anew, with the clock as it is. */
async function minted({ server, appId }: WebhookMarket): Promise<string> {
  const demo = readDemoFile(server.dataDir)
  const credentials = demo.developers.find(({ apps }) => apps.includes(appId))
  const installation = demo.installations.find((one) => one.appId === appId)
  const developer = await mintedToken(server, '/v1/Auth', credentials)
  const body = { installationId: installation?.id }
  return mintedToken(server, '/v1/Developer/Token', body, developer)
}

async function statusOf({ server }: WebhookMarket, token: string): Promise<number> {
  return (await probe(server, { path: '/v1/User/Profile', token })).status
}
