import { afterAll, beforeAll, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { author, everything } from '../../../setup/apps.ts'
import { call } from '../../../setup/client.ts'
import { operatorCalls } from '../../../setup/operator.ts'
import { appWithWebhooks, layOut } from '../../../setup/webhooks.ts'

let market: TestMarketplace
let log = ''
beforeAll(async () => {
  market = await startMarketplace({
    config: { logLevel: 'trace' },
    log: (line) => {
      log += line
    },
  })
})
afterAll(() => market.close())

test('secrets and values of headers are in no later answer, log, audit trail, event or plain column', async () => {
  const developer = await author(market)
  const operator = await operatorCalls(market)
  const app = await appWithWebhooks(developer)
  const url = 'https://hooks.example.com/services/T0P-SECRET-PATH?key=T0P-SECRET-QUERY'
  const created = await app.create({ url, headers: { authorization: 'T0P-SECRET-HEADER' } })
  const { id } = created.body
  const rotated = await app.send('POST', `/${id}/RotateSecret`)
  const answers = [
    await app.patch(id, { headers: { 'x-other': 'T0P-SECRET-OTHER' } }),
    await app.patch(id, { headers: { 'x-bad': 'T0P-SECRET-BAD\n' } }),
    await app.patch(id, { headers: { host: 'T0P-SECRET-BAD' } }),
    await app.send('POST', `/${id}/Test`),
    await app.send('POST', `/${id}/Disable`),
    await app.send('POST', `/${id}/Enable`),
    await app.send('GET', ''),
    await app.read(id),
    await developer.read(app.appId),
    await call(market, 'GET', '/v1/Developer/Audit', { token: developer.token }),
    await operator('GET', 'Audit'),
    await operator('GET', `Apps/${app.appId}`),
  ]
  await layOut(market, app.appId)
  answers.push(await app.send('GET', `/${id}/Deliveries`))
  answers.push(await app.send('DELETE', `/${id}`))
  await app.create({ url, headers: { authorization: 'T0P-SECRET-HEADER' } })
  const tables = await everything(market)
  const secrets = [
    created.body.secret,
    rotated.body.secret,
    'T0P-SECRET-HEADER',
    'T0P-SECRET-OTHER',
  ]
  for (const secret of [...secrets, 'T0P-SECRET-BAD']) {
    for (const { text } of answers) expect(text).not.toContain(secret)
    expect(log).not.toContain(secret)
    const asBytes = Buffer.from(secret).toString('hex')
    for (const content of Object.values(tables)) {
      expect(content).not.toContain(secret)
      expect(content).not.toContain(asBytes)
    }
  }
  // A URL can hold a key of the receiver: its developer sees it, the trail and the log do not.
  for (const part of ['T0P-SECRET-PATH', 'T0P-SECRET-QUERY']) {
    expect(log).not.toContain(part)
    const { webhook_endpoints: _endpoints, ...others } = tables
    for (const content of Object.values(others)) expect(content).not.toContain(part)
  }
  expect(log).toContain('RotateSecret')
})
