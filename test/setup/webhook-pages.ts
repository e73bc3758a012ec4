import type { SharedMarketplace } from './app.ts'
import { author } from './apps.ts'
import { layOut, setDelivery, setHealth, storedDeliveries } from './webhooks.ts'

/**
 * Makes a failing endpoint and a disabled one, a delivery that was tried, and a consumer.
 *
 * @returns what the pages are called in tests -> their addresses
 */
export async function fillWebhookPages(market: SharedMarketplace): Promise<Record<string, string>> {
  const paths: Record<string, string> = {}
  const developer = await author(market)
  const { deps } = market
  const path = '/price-sync/Webhooks'
  const made = []
  for (const url of ['https://hooks.example.com/on', 'https://hooks.example.com/off']) {
    const headers = { authorization: 'Bearer s3cret' }
    made.push(
      (await developer.send('POST', path, { url, events: ['app.listed'], headers })).body.id,
    )
  }
  const [failing = '', disabled = ''] = made
  for (const action of ['Unlist', 'List']) await developer.send('POST', `/price-sync/${action}`)
  await layOut(market, 'price-sync')
  const [{ id = '' } = {}] = await storedDeliveries(market, failing)
  const response = '<html>\n'.repeat(60)
  await setDelivery(market, id, {
    attempts: [{ outcome: 'failed', status: 503, reason: 'status', response }],
  })
  await setHealth(market, failing, { failingSince: new Date(Date.now() - 4 * 86_400_000) })
  await developer.send('POST', `${path}/${disabled}/Disable`)
  const { developerId } = await deps.db.app.findUniqueOrThrow({ where: { id: 'price-sync' } })
  await deps.db.eventConsumer.create({ data: { developerId, name: 'erp', position: 1 } })
  const own = `/Developer/Apps/price-sync/Webhooks/${failing}`
  const pages = ['', '/Change', '/Secret', '/Disable', '/Delete', '/Recover', '/Deliveries']
  for (const page of pages) paths[`{webhook}${page}`] = own + page
  paths['{webhook}/Deliveries?since'] = `${own}/Deliveries?since=2999-01-01T00:00`
  paths['{delivery}'] = `${own}/Deliveries/${id}`
  paths['{disabled webhook}'] = `/Developer/Apps/price-sync/Webhooks/${disabled}`
  return paths
}
