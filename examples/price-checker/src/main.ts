import { readFileSync } from 'node:fs'
import { createMarketplace } from '@app-marketplace/client'
import { buildPriceChecker } from './app.ts'
import { publishOnce } from './publish.ts'
import { openStore } from './store.ts'
import { subscribeOnce } from './subscribe.ts'

const { env } = process
const demoFile = env.DEMO_FILE ?? new URL('../../../.data/demo.json', import.meta.url)
const demo = JSON.parse(readFileSync(demoFile, 'utf8'))
const { clientId, password } = demo.developers[0]
const port = Number(env.PORT ?? 4000)
const origin = `http://127.0.0.1:${port}`

const marketplace = createMarketplace({ baseUrl: demo.baseUrl, clientId, password })
const appId = await publishOnce(marketplace, origin)
const store = openStore(env.STORE_FILE ?? 'price-checker.json')
const webhookSecrets = env.WEBHOOK_SECRET === undefined ? [] : [env.WEBHOOK_SECRET]
if (env.WEBHOOK_URL !== undefined) {
  webhookSecrets.push(await subscribeOnce(marketplace, { appId, url: env.WEBHOOK_URL, store }))
}
const app = await buildPriceChecker({
  marketplace,
  appId,
  clientId,
  password,
  origin,
  webhookSecrets,
  store,
})
await app.listen({ port, host: '127.0.0.1' })
process.stdout.write(`Price Checker is at ${origin}\n`)
for (const name of ['SIGINT', 'SIGTERM'] as const) {
  process.once(name, async () => {
    await app.close()
    // The inbox may wait for a marketplace that is away. What is not done comes again.
    process.exit()
  })
}
