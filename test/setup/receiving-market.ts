import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { startMarketplace, type TestMarketplace } from './app.ts'
import { deliveriesOf, eventually, removeEndpoints, twoInstallations } from './deliveries.ts'
import { type Receiver, startReceiver } from './webhook-receiver.ts'

/** What the tests of a file share: read its members in tests, not before. */
export type ReceivingMarket = {
  market: TestMarketplace
  receiver: Receiver
  /** An installation of price-sync. */
  installationId: string
  /** Another installation of the same app. */
  otherId: string
  endpointOf(
    id: string,
  ): ReturnType<TestMarketplace['deps']['db']['webhookEndpoint']['findUniqueOrThrow']>
  /** Waits until so many attempts of an endpoint are recorded; gives its deliveries. */
  attemptsDone(id: string, count: number): ReturnType<typeof deliveriesOf>
}

/**
 * A marketplace for the tests of a file, with a receiver of its webhooks. Its clock stands still
 * unless a test advances it. After each test its endpoints are removed, and the next one hears
 * nothing of them.
 */
export function receivingMarket(): ReceivingMarket {
  const at = {
    endpointOf: (id) => at.market.deps.db.webhookEndpoint.findUniqueOrThrow({ where: { id } }),
    attemptsDone: (id, count) =>
      eventually(
        () => deliveriesOf(at.market, id),
        (all) => all.flatMap(({ log }) => log).length >= count,
      ),
  } as ReceivingMarket
  beforeAll(async () => {
    at.receiver = await startReceiver()
    at.market = await startMarketplace({
      config: { webhookAllowedPrivateHosts: new Set([at.receiver.host]) },
      background: { loopMs: 20, random: () => 0 },
      isClockStopped: true,
    })
    const [first, second] = twoInstallations(at.market)
    at.installationId = first
    at.otherId = second
  })
  afterAll(async () => {
    await at.market.close()
    await at.receiver.close()
  })
  beforeEach(async () => {
    // What the test before has left is not for the endpoints of this one.
    await eventually(
      () => at.market.deps.db.event.count({ where: { position: null } }),
      (unnumbered) => unnumbered === 0,
    )
    at.receiver.startAfresh()
  })
  afterEach(() => removeEndpoints(at.market))
  return at
}
