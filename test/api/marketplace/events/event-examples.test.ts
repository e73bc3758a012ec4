import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { EVENT_SCHEMAS, type Event } from '../../../../src/marketplace/events/event-schemas.ts'
import { EVENT_TYPE_NAMES, EVENT_TYPES } from '../../../../src/marketplace/events/event-types.ts'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { call } from '../../../setup/client.ts'
import {
  acceptAll,
  type Customer,
  fullDraft,
  GOOD_SETTINGS,
  listedApp,
  newCustomer,
} from '../../../setup/customer.ts'
import { type EventReader, newEventReader, upTo } from '../../../setup/events.ts'
import { expectProblem } from '../../../setup/expect-problem.ts'
import { operatorCalls } from '../../../setup/operator.ts'

/** An endpoint fails for days, an app sends thousands of requests: those are tried where they happen. */
const TYPES = EVENT_TYPE_NAMES.filter((type) => !['webhook.failing', 'budget.near'].includes(type))
const SECRETS = upTo(6).map((number) => `secret-${number}-${randomUUID()}`)
const [password = '', text = '', note = '', pin = '', adminText = '', adminSecret = ''] = SECRETS

type CatalogueEntry = { type: string; description: string; schema: object; example: Event }

let market: TestMarketplace
let reader: EventReader
let customer: Customer
let installationId: string
let events: Event[]
let catalogue: CatalogueEntry[]
beforeAll(async () => {
  market = await startMarketplace()
  reader = await newEventReader(market)
  customer = await newCustomer(market)
  installationId = await liveThrough(await listedApp(reader.developer, fullDraft()))
  events = await reader.read()
  catalogue = (await call(market, 'GET', '/v1/EventTypes')).body
})
afterAll(() => market.close())

/** Everything that can happen to an app, its endpoints and an installation, through the API. */
async function liveThrough(app: ReturnType<typeof fullDraft>): Promise<string> {
  const done = async (answer: Promise<{ status: number; text: string }>) => {
    const { status, text: said } = await answer
    if (status >= 300) throw new Error(said)
  }
  const { installations, developer } = reader
  const operator = await operatorCalls(market)
  const installed = await customer.install({
    ...{ appId: app.id, purchaseOptionId: 'full' },
    userSettings: { ...GOOD_SETTINGS, text, secret: password },
  })
  const { id } = installed.body
  await done(customer.patch(id, { note, pin }))
  await done(installations.patch(id, { adminText, adminSecret }))
  await done(installations.suspend(id))
  await done(installations.resume(id))
  await done(operator('POST', `Installations/${id}/Suspend`, { reason: 'x' }))
  await done(operator('POST', `Installations/${id}/Resume`))
  await done(developer.put({ ...app, version: '2.0.0', description: 'Newer.' }))
  await done(customer.upgrade(id, { version: '2.0.0', ...(await acceptAll(market, app.id)) }))
  await done(customer.changeOption(id, 'free'))
  await done(customer.uninstall(id))
  await done(operator('POST', `Apps/${app.id}/Suspend`, { reason: 'x' }))
  await done(operator('POST', `Apps/${app.id}/Resume`))
  await done(developer.unlist(app.id))
  const webhooks = `/${app.id}/Webhooks`
  const endpoint = await developer.send('POST', webhooks, { url: 'https://93.184.216.34/hook' })
  await done(developer.send('POST', `${webhooks}/${endpoint.body.id}/Test`))
  const { id: endpointId, secret } = endpoint.body
  await done(call(market, 'POST', '/v1/Secrets/Report', { body: { secret } }))
  await done(developer.send('POST', `${webhooks}/${endpointId}/Disable`))
  return id
}

/** Those of JSON Schema 2020-12 that the catalogue uses: validators refuse others by default. */
const KEYWORDS = new Set([
  ...['$schema', '$ref', '$defs', 'anyOf', 'const', 'enum', 'type', 'format'],
  ...['items', 'properties', 'required', 'description', 'examples'],
])

/** The names of the keywords of a JSON Schema. */
function keywordsOf(schema: object): string[] {
  return Object.entries(schema).flatMap(([name, value]) => {
    if (name === '$defs' || name === 'properties') {
      return [name, ...Object.values(value).flatMap((one) => keywordsOf(one as object))]
    }
    const parts = name === 'anyOf' ? (value as object[]) : name === 'items' ? [value] : []
    return [name, ...parts.flatMap(keywordsOf)]
  })
}

const ofType = (type: string) => events.filter((one) => one.type === type)
const ofInstallation = () =>
  events.filter(({ data }) => 'installationId' in data && data.installationId === installationId)

describe.each(TYPES)('%s', (type) => {
  test('happens, and is as its schema says', () => {
    expect(ofType(type).length).toBeGreaterThan(0)
    for (const event of ofType(type)) {
      expect(EVENT_SCHEMAS[type].strict().parse(event)).toEqual(event)
    }
  })

  test('has the members of its example in the catalogue, no more and no less', () => {
    const { example } = catalogue.find((entry) => entry.type === type) as CatalogueEntry
    for (const event of ofType(type)) {
      expect(Object.keys(event)).toEqual(Object.keys(example))
      expect(Object.keys(event.data).sort()).toEqual(Object.keys(example.data).sort())
    }
  })
})

describe('the events of an installation', () => {
  test('come in the order of the changes, counted without a gap', () => {
    expect(ofInstallation().map(({ type }) => type.replace('installation.', ''))).toEqual([
      ...['created', 'settings_changed', 'settings_changed', 'suspended', 'resumed'],
      ...['suspended', 'resumed', 'upgraded', 'option_changed', 'deleted'],
    ])
    const sequences = ofInstallation().map(({ data }) => 'sequence' in data && data.sequence)
    expect(sequences).toEqual(upTo(10))
  })

  test('name whose account it is, and the record', () => {
    const { party } = customer
    for (const { data } of ofInstallation()) {
      expect(data).toMatchObject({
        partyId: party.id,
        partyType: 'Seller',
        url: `${market.url}/v1/Developer/Installations/${installationId}`,
      })
    }
  })

  test('name the keys of what changed, the versions and the options', () => {
    const dataOf = (type: string) => ofType(type).map(({ data }) => data)
    expect(dataOf('installation.settings_changed')).toMatchObject([
      { scope: 'user', keys: ['note', 'pin'] },
      { scope: 'admin', keys: ['adminSecret', 'adminText'] },
    ])
    expect(dataOf('installation.upgraded')).toMatchObject([
      { version: '2.0.0', previousVersion: '1.0.0', purchaseOptionId: 'full' },
    ])
    expect(dataOf('installation.option_changed')).toMatchObject([
      { purchaseOptionId: 'free', previousPurchaseOptionId: 'full' },
    ])
    expect(dataOf('installation.suspended')).toMatchObject([
      { by: 'developer' },
      { by: 'operator' },
    ])
    expect(dataOf('installation.resumed')).toMatchObject([{ by: 'developer' }, { by: 'operator' }])
  })

  test('end with installation.deleted, whatever is tried afterwards', async () => {
    expectProblem(await customer.patch(installationId, { note: 'x' }), 'conflict')
    expectProblem(await reader.installations.suspend(installationId), 'conflict')
    expectProblem(await reader.installations.uninstall(installationId), 'conflict')
    const after = await reader.read(`?installationId=${installationId}`)
    expect(after).toEqual(ofInstallation())
    expect(after.at(-1).type).toBe('installation.deleted')
  })
})

test('no event holds a value of a setting or a password', async () => {
  const { rows } = await market.deps.pool.query<{ everything: string }>(
    `SELECT string_agg(e::text, ' ') AS everything FROM events e`,
  )
  const everything = rows[0]?.everything ?? ''
  expect(everything).toContain(installationId)
  for (const secret of SECRETS) expect(everything).not.toContain(secret)
})

describe('the catalogue of types', () => {
  test('is for everybody, and has every type', async () => {
    expect(catalogue.map(({ type }) => type)).toEqual(EVENT_TYPE_NAMES)
    for (const { type, description } of catalogue) {
      expect(description).toBe(EVENT_TYPES[type as Event['type']].description)
    }
  })

  test('has examples that are as their schemas say', () => {
    for (const { type, example } of catalogue) {
      const schema = EVENT_SCHEMAS[type as Event['type']]
      expect(schema.strict().parse(example)).toEqual(example)
    }
  })

  test('has a JSON Schema of each type that allows members of later releases', () => {
    for (const { schema } of catalogue) {
      expect(schema).toMatchObject({ $schema: 'https://json-schema.org/draft/2020-12/schema' })
      expect(JSON.stringify(schema)).not.toContain('additionalProperties')
    }
  })

  test('has schemas of the keywords of JSON Schema only, which strict validators take', () => {
    const used = new Set(catalogue.flatMap(({ schema }) => keywordsOf(schema)))
    expect([...used].filter((keyword) => !KEYWORDS.has(keyword))).toEqual([])
    expect(used).toContain('examples')
  })

  test('answers 304 to who has it', async () => {
    const { headers } = await call(market, 'GET', '/v1/EventTypes')
    const again = await call(market, 'GET', '/v1/EventTypes', {
      headers: { 'if-none-match': headers.get('etag') ?? '' },
    })
    expect(again.status).toBe(304)
  })

  test('is in the OpenAPI document as webhooks, with the same schemas and examples', async () => {
    const { webhooks, components } = (await call(market, 'GET', '/openapi.json')).body
    expect(Object.keys(webhooks)).toEqual(EVENT_TYPE_NAMES)
    for (const { type, description, example } of catalogue) {
      const media = webhooks[type].post.requestBody.content['application/json']
      expect(media.example).toEqual(example)
      const component = components.schemas[media.schema.$ref.split('/').at(-1)]
      expect(component).toMatchObject({ description, properties: { type: { enum: [type] } } })
    }
    const { parameters } = webhooks['installation.created'].post
    const names = parameters.map(
      ({ $ref }: { $ref: string }) => components.parameters[$ref.split('/').at(-1) ?? ''].name,
    )
    expect(names).toEqual(['webhook-id', 'webhook-timestamp', 'webhook-signature'])
  })
})
