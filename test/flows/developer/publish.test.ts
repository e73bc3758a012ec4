import { beforeAll, describe, expect, test } from 'vitest'
import { type SharedMarketplace, sharedMarketplace } from '../../setup/app.ts'
import { type Author, author, draft, flat } from '../../setup/apps.ts'
import { call } from '../../setup/client.ts'

let market: SharedMarketplace
let developer: Author
beforeAll(async () => {
  market = await sharedMarketplace()
  developer = await author(market)
})

const get = (path: string) => call(market, 'GET', path)

describe('a developer publishes an app by API alone', () => {
  const definition = draft('tide', {
    purchaseOptions: [flat('free', 0), flat('basic', 9)],
    settings: { basic: { key: { type: 'text', name: 'Key', mandatory: true } } },
    acknowledgements: [{ id: 'ack', title: 'Mails', text: 'It sends mails.' }],
  })

  test('from nothing to listed, priced and changed', async () => {
    expect((await developer.create(definition)).status).toBe(201)
    const terms = (await developer.putTerms('tide', '# Terms')).body
    expect((await get('/v1/Apps/tide')).status).toBe(404)
    expect((await developer.list('tide')).body).toMatchObject({
      listed: true,
      termsDocument: terms,
    })
    expect((await get('/v1/Apps?q=tide')).body).toMatchObject([{ id: 'tide', version: '1.0.0' }])
    const quote = '/v1/Apps/tide/PurchaseOptions/basic/Quote?records=5'
    expect((await get(quote)).body.monthlyCost).toBe(9)

    const dearer = { ...definition, purchaseOptions: [flat('free', 0), flat('basic', 12)] }
    expect((await developer.dryRun(dearer)).body.breaking).toBe(true)
    expect((await developer.put(dearer)).body.code).toBe('version_required')
    expect((await get(quote)).body.monthlyCost).toBe(9)
    expect((await developer.put({ ...dearer, version: '2.0.0' })).status).toBe(200)
    expect((await get(quote)).body.monthlyCost).toBe(12)
    expect((await get('/v1/Apps/tide')).body).toMatchObject({
      version: '2.0.0',
      termsDocument: terms,
    })

    expect((await developer.unlist('tide')).body.listed).toBe(false)
    expect((await developer.remove('tide')).status).toBe(204)
    expect((await developer.create(definition)).body.code).toBe('already_exists')
  })
})
