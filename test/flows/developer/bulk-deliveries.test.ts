import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { type SharedMarketplace, sharedMarketplace } from '../../setup/app.ts'
import { type DeveloperConsole, newDeveloper } from '../../setup/console.ts'
import { hiddenFields, mainOf } from '../../setup/web-client.ts'
import { appWithWebhooks, layOut, setDelivery, storedDeliveries } from '../../setup/webhooks.ts'

let market: SharedMarketplace
let console: DeveloperConsole
let endpointId: string
let list: string
beforeAll(async () => {
  market = await sharedMarketplace()
  const { developer, browser } = await newDeveloper(market)
  console = browser
  const app = await appWithWebhooks(developer)
  await layOut(market, app.appId)
  ;({ id: endpointId } = (await app.create()).body)
  list = `/Apps/${app.appId}/Webhooks/${endpointId}/Deliveries`
  for (const action of ['List', 'Unlist', 'List', 'Unlist']) {
    await developer.send('POST', `/${app.appId}/${action}`)
  }
  await layOut(market, app.appId)
})

const deliveries = () => storedDeliveries(market, endpointId)
async function failed(count: number): Promise<string[]> {
  const ids = (await deliveries()).map(({ id }) => id)
  for (const [at, id] of ids.entries()) {
    await setDelivery(market, id, { status: at < count ? 'failed' : 'succeeded' })
  }
  return ids.slice(0, count)
}
const query = (ids: readonly string[]) => ids.map((id) => `id=${id}`).join('&')

test('failed deliveries have boxes, and those that are chosen are sent again', async () => {
  const ids = await failed(2)
  const { text } = await console.get(list)
  expect([...text.matchAll(/name="id" value="([^"]+)"/g)].map(([, id]) => id).sort()).toEqual(
    [...ids].sort(),
  )
  const page = await console.get(`${list}/Replay?${query(ids)}`)
  expect(page.text).toContain('Send again 2 deliveries')
  const answer = await console.client.post(`/Developer${list}/Replay`, hiddenFields(mainOf(page)))
  expect(answer.location).toBe(`/Developer${list}`)
  expect((await console.get(list)).text).toContain('2 deliveries were queued.')
  const stored = await deliveries()
  expect(stored.filter(({ status }) => status === 'pending').map(({ id }) => id)).toEqual(ids)
})

test('no delivery of another endpoint is sent again, nor by another developer', async () => {
  const [id = ''] = await failed(1)
  const page = await console.get(`${list}/Replay?id=${id}&id=${randomUUID()}`)
  expect(hiddenFields(mainOf(page)).ids).toBe(id)
  expect(page.text).toContain('1 of those you chose is not here any more.')
  const { browser: stranger } = await newDeveloper(market)
  expect((await stranger.get(`${list}/Replay?id=${id}`)).status).toBe(404)
  expect((await stranger.send(`${list}/Replay`, { ids: id })).status).toBe(404)
  const [first] = await deliveries()
  expect(first?.status).toBe('failed')
})

test('installations of other developers are neither suspended nor named', async () => {
  const { id } = await market.deps.db.installation.findFirstOrThrow({ where: { live: true } })
  const shown = await console.get(`/Installations/Suspend?id=${id}`)
  expect(shown.location).toBe('/Developer/Installations')
  const text = (await console.get('/Installations')).text
  expect(text).toContain('What you chose is not here any more.')
})
