import { beforeAll, describe, expect, test } from 'vitest'
import { type SharedMarketplace, sharedMarketplace } from '../../../setup/app.ts'
import { type Author, author, draft, newId } from '../../../setup/apps.ts'
import { call } from '../../../setup/client.ts'
import { expectProblem, pointersOf } from '../../../setup/expect-problem.ts'

let market: SharedMarketplace
let developer: Author
beforeAll(async () => {
  market = await sharedMarketplace()
  developer = await author(market)
})

/** Creates an app whose option "free" has the one setting "key". */
const define = (setting: unknown) =>
  developer.create(draft(newId(), { settings: { free: { key: setting } } }))

/** The setting as the answer, a later read and the public catalogue show it. */
async function shownEverywhere(setting: unknown) {
  const created = await define(setting)
  expect(created.body).toMatchObject({ settings: { free: { key: { type: expect.any(String) } } } })
  expect(created.status).toBe(201)
  const { id } = created.body
  const read = await developer.read(id)
  await developer.list(id)
  const listed = await call(market, 'GET', `/v1/Apps/${id}`)
  const shown = [created, read, listed].map(({ body }) => body.settings.free.key)
  expect(shown[1]).toEqual(shown[0])
  if (shown[0].scope === 'user') expect(shown[2]).toEqual(shown[0])
  return shown[0]
}

async function refusal(setting: unknown, ...pointers: string[]) {
  const answer = await define(setting)
  expect([400, 422]).toContain(answer.status)
  expectProblem(answer, answer.status === 400 ? 'invalid_request' : 'unprocessable')
  expect(pointersOf(answer)).toEqual(pointers.map((name) => `/settings/free/key${name}`))
  return answer
}

async function expectRefused(setting: unknown, ...pointers: string[]): Promise<void> {
  await refusal(setting, ...pointers)
}

/** The spec's table "Setting definition attributes, by type": attribute -> a value that it takes. */
const options = [
  { name: 'Europe', value: 'eu' },
  { name: 'Zone 5', value: 5 },
]
const common = { name: 'A setting', mandatory: true, order: 3 }
const TABLE: Record<string, Record<string, unknown>> = {
  text: { ...common, description: 'As in your ERP.', placeholder: 'jane' },
  select: { ...common, options },
  number: { ...common, min: -1.5, max: 10, step: 0.5 },
  boolean: common,
  password: { ...common, description: 'Kept secret.' },
}
const ALL_ATTRIBUTES: Record<string, unknown> = Object.assign({}, ...Object.values(TABLE))
/** A value of the wrong JSON type for each attribute. */
const WRONG: Record<string, unknown[]> = {
  name: [5, null, true, {}, ['x'], ''],
  description: [5, null, {}],
  placeholder: [5, null, {}, 'two\nlines'],
  mandatory: ['true', 1, null],
  order: ['1', null, -1, 0, 0.5, 1.5, 1_000_001],
  options: [{}, null, 'x', []],
  min: ['0', null, {}, -1e16],
  max: ['0', null, {}, 1e16],
  step: ['1', null, 0, -0.5],
  scope: ['both', null, 1, 'User'],
}

describe.each(Object.entries(TABLE))('Settings configuration, row "%s"', (type, attributes) => {
  const full: Record<string, unknown> = { type, ...attributes }

  test('takes all its attributes and answers them unchanged, user scope by default', async () => {
    expect(await shownEverywhere(full)).toEqual({ ...full, scope: 'user' })
  })

  test('takes the added attribute scope; an admin setting is not in the catalogue', async () => {
    expect(await shownEverywhere({ ...full, scope: 'admin' })).toEqual({ ...full, scope: 'admin' })
    const { body } = await define({ ...full, scope: 'admin' })
    await developer.list(body.id)
    const listed = await call(market, 'GET', `/v1/Apps/${body.id}`)
    expect(listed.body.settings).toEqual({ free: {} })
  })

  test('needs a name; mandatory, order and scope have defaults', async () => {
    const { name: _name, ...nameless } = full
    await expectRefused(nameless, '/name')
    const { mandatory: _mandatory, order: _order, ...least } = full
    const shown = await shownEverywhere(least)
    expect(shown).toMatchObject({ mandatory: false, scope: 'user' })
    expect(shown).not.toHaveProperty('order')
  })

  const foreign = Object.keys(ALL_ATTRIBUTES).filter((name) => !Object.hasOwn(attributes, name))
  test.each(foreign)('has no attribute %s', async (name) => {
    const answer = await refusal({ ...full, [name]: ALL_ATTRIBUTES[name] }, `/${name}`)
    expectProblem(answer, 'invalid_request')
    expect(answer.body.errors[0].detail).toContain(`is not an attribute of a ${type} setting`)
  })

  test.each(['default', 'value', 'Mandatory', 'TYPE', 'label', 'hidden', 'toString'])(
    'has no attribute %s, which the specification does not know',
    (name) => expectRefused({ ...full, [name]: 'x' }, `/${name}`),
  )

  test.each([...Object.keys(attributes), 'scope'])('refuses wrong values of %s', async (name) => {
    for (const wrong of WRONG[name] ?? []) {
      const answer = await refusal({ ...full, [name]: wrong }, `/${name}`)
      const isOfItsType = typeof wrong === typeof (attributes[name] ?? 'user') && wrong !== null
      if (!isOfItsType) expectProblem(answer, 'invalid_request')
    }
  })
})

describe('Settings configuration, the discriminator "type"', () => {
  test.each([undefined, null, 5, 'Text', 'checkbox', 'string', '', '__proto__', 'constructor'])(
    '%j is no type',
    (type) => expectRefused({ type, name: 'x' }, '/type'),
  )

  test('names the types there are', async () => {
    const answer = await refusal({ type: 'checkbox', name: 'x' }, '/type')
    expect(answer.body.errors[0].detail).toBe(
      'must be one of "text", "select", "number", "boolean", "password"',
    )
  })

  test.each([null, 5, 'text', []])('a setting is an object, not %j', (setting) =>
    expectRefused(setting, ''),
  )
})

describe('Settings configuration, options of a select', () => {
  const select = (choices: unknown) => ({ type: 'select', name: 'Region', options: choices })
  const many = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ name: `n${index}`, value: index }))

  test('values may be strings and numbers and keep their type', async () => {
    const choices = [
      { name: 'a', value: 'eu' },
      { name: 'b', value: 5 },
      { name: 'c', value: -0.25 },
      { name: 'd', value: '007' },
      { name: 'e', value: 7 },
    ]
    const shown = await shownEverywhere(select(choices))
    expect(shown.options).toEqual(choices)
  })

  test('keep the order in which they are given', async () => {
    const choices = ['zulu', 'alpha', 'mike'].map((value) => ({ name: value, value }))
    const shown = await shownEverywhere(select(choices))
    expect(shown.options).toEqual(choices)
  })

  test('50 are taken, 51 are not', async () => {
    expect((await shownEverywhere(select(many(50)))).options).toHaveLength(50)
    const answer = await refusal(select(many(51)), '/options')
    expect(answer.body.errors[0].detail).toContain('50')
  })

  test.each<[string, unknown, string]>([
    ['no name', { value: 'x' }, '/name'],
    ['no value', { name: 'x' }, '/value'],
    ['a boolean value', { name: 'x', value: true }, '/value'],
    ['a null value', { name: 'x', value: null }, '/value'],
    ['an object as value', { name: 'x', value: {} }, '/value'],
    ['an empty value', { name: 'x', value: '' }, '/value'],
    ['a value of 201 characters', { name: 'x', value: 'v'.repeat(201) }, '/value'],
    ['a name of 201 characters', { name: 'n'.repeat(201), value: 1 }, '/name'],
    ['a number beyond exactness', { name: 'x', value: 1e16 }, '/value'],
    ['a further attribute', { name: 'x', value: 1, disabled: true }, '/disabled'],
    ['the value of another choice', { name: 'x', value: 'eu' }, '/value'],
    ['the name of another choice', { name: 'Europe', value: 'x' }, '/name'],
    ['the value of another choice as text', { name: 'x', value: '5' }, '/value'],
  ])('a choice with %s is refused', async (_, choice, pointer) => {
    await expectRefused(select([...options, choice]), `/options/2${pointer}`)
  })
})

describe('Settings configuration, number', () => {
  const number = (more: object) => ({ type: 'number', name: 'N', ...more })

  test.each([{ min: 0, max: 0 }, { step: 0.000000001 }, { min: -1e15, max: 1e15 }, { max: 5 }])(
    'takes %j',
    async (bounds) => {
      expect(await shownEverywhere(number(bounds))).toMatchObject(bounds)
    },
  )

  test('min may not be over max', () => expectRefused(number({ min: 2, max: 1 }), '/max'))
  test('numbers have at most 9 decimals', () =>
    expectRefused(number({ step: 0.0000000001 }), '/step'))
  test('1e400, which JSON can write, is refused', async () => {
    const body = JSON.stringify(
      draft(newId(), { settings: { free: { key: number({ min: 777 }) } } }),
    )
    const answer = await developer.create(body.replace('777', '1e400'))
    expectProblem(answer, 'invalid_request')
    expect(pointersOf(answer)).toEqual(['/settings/free/key/min'])
  })
})

describe('Settings configuration, keys', () => {
  const boolean = { type: 'boolean', name: 'B' }
  const withSettings = (settings: unknown) => developer.create(draft(newId(), { settings }))

  test.each(['a', 'apiKey', 'api.key_2-x', 'K'.repeat(64)])('%s may be a key', async (key) => {
    const { status, body } = await withSettings({ free: { [key]: boolean } })
    expect({ status, keys: Object.keys(body.settings.free) }).toEqual({ status: 201, keys: [key] })
  })

  test.each(['toString', 'valueOf', 'hasOwnProperty', '__defineGetter__', 'isPrototypeOf'])(
    '%s is refused as setting key, as option id and as key of the configuration',
    async (key) => {
      const asKey = await withSettings({ free: { [key]: boolean } })
      expectProblem(asKey, 'unprocessable')
      expect(pointersOf(asKey)).toEqual([`/settings/free/${key}`])
      const asProfile = await withSettings({ [key]: {} })
      expectProblem(asProfile, 'unprocessable')
      expect(pointersOf(asProfile)).toEqual([`/settings/${key}`])
    },
  )

  test.each(['__proto__', 'constructor', 'prototype'])(
    '%s is refused as setting key and as key of the configuration: 400 with a pointer to it',
    async (key) => {
      const text = (settings: string) =>
        JSON.stringify(draft(newId(), { settings: 'HERE' })).replace('"HERE"', settings)
      const setting = JSON.stringify(boolean)
      const asKey = await developer.create(text(`{"free":{"${key}":${setting}}}`))
      expectProblem(asKey, 'invalid_request')
      expect(pointersOf(asKey)).toEqual([`/settings/free/${key}`])
      const asProfile = await developer.create(text(`{"${key}":{}}`))
      expectProblem(asProfile, 'invalid_request')
      expect(pointersOf(asProfile)).toEqual([`/settings/${key}`])
    },
  )

  test.each([
    ['1a'],
    ['_a'],
    ['a b'],
    ['a/b', 'a~1b'],
    ['a~b', 'a~0b'],
    ['ä'],
    ['K'.repeat(65)],
    [''],
  ])('%j is no setting key', async (key, escaped = key) => {
    const answer = await withSettings({ free: { [key]: boolean } })
    expectProblem(answer, 'unprocessable')
    expect(pointersOf(answer)).toEqual([`/settings/free/${escaped}`])
  })

  test('a top-level key that is no purchase option of the app is refused', async () => {
    const answer = await withSettings({ free: {}, Free: {}, premium: { a: boolean } })
    expectProblem(answer, 'unprocessable')
    expect(pointersOf(answer)).toEqual(['/settings/Free', '/settings/premium'])
  })

  test('100 settings of an option are taken, 101 and 1,000 are refused', async () => {
    const profile = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, boolean]))
    expect((await withSettings({ free: profile(100) })).status).toBe(201)
    for (const count of [101, 1000]) {
      const answer = await withSettings({ free: profile(count) })
      expectProblem(answer, 'unprocessable')
      expect(pointersOf(answer)).toEqual(['/settings/free'])
    }
  })

  test.each([null, [], 'x', 5])('the configuration is an object, not %j', async (settings) => {
    const answer = await withSettings(settings)
    expectProblem(answer, 'invalid_request')
    expect(pointersOf(answer)).toEqual(['/settings'])
  })

  test.each([null, [], 'x', 5])('a profile is an object, not %j', async (profile) => {
    const answer = await withSettings({ free: profile })
    expectProblem(answer, 'invalid_request')
    expect(pointersOf(answer)).toEqual(['/settings/free'])
  })
})
