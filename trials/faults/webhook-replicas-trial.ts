import type { Trial } from './trial.ts'
import { compare, gapsOf, within, writeEvents } from './webhook-events.ts'
import { openLedger } from './webhook-ledger.ts'
import { startWebhookMarket } from './webhook-market.ts'

const EVENTS = 2_000
const FEW = 20
const PER_SECOND = 100
const PATIENCE_MS = 60_000
/** How long is looked whether a replica that is to send nothing sends something. */
const QUIET_MS = 5_000

/** Two replicas send together; one with WEBHOOKS=off numbers events and sends none. */
export const trial: Trial = {
  title: 'webhook-replicas',
  async run() {
    const ledger = await openLedger()
    const market = await startWebhookMarket([ledger.host])
    const { deps, developerId } = market
    try {
      await market.endpoint(`http://${ledger.host}/ok`)
      const ids = await market.installations(20)
      const second = await market.startServer()
      const both = await writeEvents(deps, ids, { count: EVENTS, perSecond: PER_SECOND })
      await within(PATIENCE_MS, () => ledger.arrivals.size >= EVENTS)
      const { lost, doubled } = compare(both.committed, ledger)
      await Promise.all([second.end(), market.server.end()])

      await market.startServer({ WEBHOOKS: 'off' })
      const few = await writeEvents(deps, ids, { count: FEW, perSecond: PER_SECOND })
      const waiting = async () =>
        await deps.db.webhookDelivery.count({ where: { status: 'pending' } })
      const isNumbered = await within(PATIENCE_MS, async () => (await waiting()) === FEW)
      const hasSent = await within(QUIET_MS, () => ledger.arrivals.size > EVENTS)
      await market.startServer()
      const hasArrived = await within(PATIENCE_MS, () => ledger.arrivals.size >= EVENTS + FEW)
      const later = compare(few.committed, ledger)
      const gaps = await gapsOf(deps, developerId)
      return [
        {
          what: `${EVENTS} events with two replicas`,
          seen: `${lost} lost, ${doubled} doubled, ${gaps} gaps`,
          target: 'none lost or doubled',
          held: lost === 0 && doubled === 0 && gaps === 0,
        },
        {
          what: `WEBHOOKS=off on the only replica, then another beside it`,
          seen: `${isNumbered ? 'numbered' : 'not numbered'}, ${hasSent ? 'some' : 'none'} sent by it; ${hasArrived ? 'all' : 'not all'} sent by the other, ${later.doubled} doubled`,
          target: 'numbered, none sent; all sent once by the other',
          held: isNumbered && !hasSent && hasArrived && later.doubled === 0,
        },
      ]
    } finally {
      await market.close()
      await ledger.shut()
    }
  },
}
