import { describe, expect, test } from 'vitest'
import {
  eventJson,
  eventOf,
  type StoredEvent,
} from '../../../../src/marketplace/events/event-record.ts'
import {
  EVENT_SCHEMAS,
  Event,
  eventComponent,
  exampleEvent,
} from '../../../../src/marketplace/events/event-schemas.ts'
import { EVENT_TYPE_NAMES } from '../../../../src/marketplace/events/event-types.ts'

const URL_BASE = 'https://marketplace.example'
const [ID, INSTALLATION, ENDPOINT] = [
  '3f0c2a52-6e0b-4d0e-9b7e-1f5b0c1d2e3f',
  '6f1c1d0e-8d0b-4a53-9a39-0d3c7a1f5e21',
  '0b7b2f52-9a0e-4f0e-8a49-6f0d2f3c9e10',
]

const row = (changes: Partial<StoredEvent>): StoredEvent => ({
  id: ID,
  type: 'app.listed',
  at: new Date('2026-11-22T09:30:00.007Z'),
  position: 42n,
  appId: 'price-sync',
  installationId: null,
  partyId: null,
  partyType: null,
  sequence: null,
  endpointId: null,
  data: {},
  ...changes,
})
const ofInstallation = {
  installationId: INSTALLATION,
  partyId: 17,
  partyType: 'Seller',
  sequence: 3,
}

describe('the event of a row', () => {
  test('of an installation has its members and leads to its record', () => {
    const data = { scope: 'user', keys: ['margin'] }
    const type = 'installation.settings_changed'
    expect(eventOf(row({ ...(ofInstallation as object), type, data }), URL_BASE)).toEqual({
      id: ID,
      type,
      timestamp: '2026-11-22T09:30:00.007Z',
      position: 42,
      data: {
        appId: 'price-sync',
        ...ofInstallation,
        url: `${URL_BASE}/v1/Developer/Installations/${INSTALLATION}`,
        ...data,
      },
    })
  })

  test('of an app leads to the app, of an endpoint to the endpoint', () => {
    const app = `${URL_BASE}/v1/Developer/Apps/price-sync`
    expect(eventOf(row({}), URL_BASE).data).toEqual({ appId: 'price-sync', url: app })
    const test = row({ type: 'webhook.test', endpointId: ENDPOINT })
    expect(eventOf(test, URL_BASE).data).toEqual({
      appId: 'price-sync',
      endpointId: ENDPOINT,
      url: `${app}/Webhooks/${ENDPOINT}`,
    })
  })

  test('is the same text however the position was read', () => {
    const texts = [42, 42n, '42'].map((position) => eventJson(row({ position }), URL_BASE))
    expect(new Set(texts).size).toBe(1)
  })

  test('does not exist before the row has a position', () => {
    expect(() => eventOf(row({ position: null }), URL_BASE)).toThrow('no position')
  })
})

describe.each(EVENT_TYPE_NAMES)('the schema of %s', (type) => {
  test('takes its example, by itself and among all', () => {
    const example = exampleEvent(type)
    expect(EVENT_SCHEMAS[type].strict().parse(example)).toEqual(example)
    expect(Event.parse(example)).toEqual(example)
  })

  test('refuses the event of another type', () => {
    const other = EVENT_TYPE_NAMES.find((one) => one !== type) ?? type
    expect(EVENT_SCHEMAS[type].safeParse(exampleEvent(other)).success).toBe(false)
  })
})

test('schemas are named after their types', () => {
  expect(eventComponent('installation.settings_changed')).toBe('InstallationSettingsChangedEvent')
  expect(new Set(EVENT_TYPE_NAMES.map(eventComponent)).size).toBe(EVENT_TYPE_NAMES.length)
})
