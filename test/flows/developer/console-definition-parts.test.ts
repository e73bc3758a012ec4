import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type SharedMarketplace, sharedMarketplace } from '../../setup/app.ts'
import type { Author } from '../../setup/apps.ts'
import { type DeveloperConsole, newDeveloper, textareaOf } from '../../setup/console.ts'
import { fullDraft, listedApp } from '../../setup/customer.ts'
import type { Page } from '../../setup/web-client.ts'

let market: SharedMarketplace
let developer: Author
let browser: DeveloperConsole
let definition: ReturnType<typeof fullDraft>
beforeAll(async () => {
  market = await sharedMarketplace()
  ;({ developer, browser } = await newDeveloper(market))
})
beforeEach(async () => {
  definition = await listedApp(developer, fullDraft())
})

const path = () => `/Apps/${definition.id}/Definition`
const send = (fields: Record<string, string>) =>
  browser.send(path(), { definition: JSON.stringify(definition), ...fields })
const definitionIn = (page: Page) => JSON.parse(textareaOf(page, 'definition'))
const revision = async () =>
  (await market.deps.db.app.findUniqueOrThrow({ where: { id: definition.id } })).revision

describe('beside the text of a definition', () => {
  test('every option, setting and confirmation has buttons', async () => {
    const { text } = await browser.get(path())
    const places = [...text.matchAll(/value="edit:([^"]*)"/g)].map(([, place]) => place)
    expect(places).toContain('/purchaseOptions/0/free')
    expect(places).toContain('/purchaseOptions/-')
    expect(places).toContain('/settings/full/-')
    expect(places).toContain('/acknowledgements/-')
    expect(text.match(/value="remove:/g)?.length).toBe(
      places.filter((place) => !place?.endsWith('-')).length,
    )
  })

  test('the text is the definition as its developer wrote it, with all that has a default', async () => {
    const written = fullDraft({
      ...{ tokenDelivery: 'code', redirectErrors: 'return' },
      ...{ websiteUrl: 'https://app.example', supportUrl: 'https://app.example/help' },
      acknowledgements: [{ id: 'risk', title: 'Risk', text: 'It writes.' }],
      settings: {},
    })
    expect((await developer.create(written)).status).toBe(201)
    const shown = await browser.get(`/Apps/${written.id}/Definition`)
    const { purchaseOptions: _options, ...rest } = written
    expect(definitionIn(shown)).toEqual({ ...rest, purchaseOptions: expect.any(Array) })
    const plain = definitionIn(await browser.get(path()))
    expect(Object.keys(plain)).not.toContain('tokenDelivery')
    expect(Object.keys(plain)).not.toContain('redirectErrors')
  })

  test('the parts name the button that stores the definition', async () => {
    const textOf = async (page: string) => (await browser.get(page)).text
    expect(await textOf(path())).toContain('Choose “Save” to publish.')
    expect(await textOf('/Apps/New')).toContain('Choose “Create” to publish.')
  })

  test('the form of an option has what the text says, and writes into it alone', async () => {
    const before = await revision()
    const form = await send({ do: 'edit:/purchaseOptions/0' })
    expect(form.status).toBe(200)
    expect(form.text).toContain('Edit purchase option')
    const { name, currency } = definition.purchaseOptions[0] as { name: string; currency: string }
    expect(form.text).toContain(
      `id="p.name" name="p.name" type="text" dir="auto" aria-required="true" value="${name}"`,
    )
    const written = await send({
      ...{ do: 'apply', part: '/purchaseOptions/0', 'p.typed': 'yes', 'p.id': 'other' },
      ...{ 'p.name': '<b>New</b>', 'p.pricingModel': 'FlatMonthly', 'p.currency': currency },
      ...{ 'p.monthlyRate': '12.50' },
    })
    expect(definitionIn(written).purchaseOptions[0]).toEqual({
      ...{ id: 'other', name: '<b>New</b>', pricingModel: 'FlatMonthly', currency },
      monthlyRate: 12.5,
    })
    expect(written.text).toContain('Change applied')
    expect(written.text).not.toContain('<b>New')
    expect(await revision()).toBe(before)
  })

  test('a setting is added, and a confirmation removed', async () => {
    const added = await send({
      ...{ do: 'apply', part: '/settings/full/-', 'p.typed': 'yes', 'p.key': 'colour' },
      ...{ 'p.type': 'select', 'p.name': 'Colour', 'p.options': 'r = Red\n5 = Five' },
      ...{ 'p.mandatory': 'true', 'p.scope': 'admin' },
    })
    expect(definitionIn(added).settings.full.colour).toEqual({
      ...{ type: 'select', name: 'Colour', mandatory: true, scope: 'admin' },
      options: [
        { name: 'Red', value: 'r' },
        { name: 'Five', value: 5 },
      ],
    })
    const removed = await send({ do: 'remove:/settings/full/text' })
    expect(definitionIn(removed).settings.full).not.toHaveProperty('text')
  })

  test('a form that cannot be written keeps what was typed, and says why', async () => {
    const answer = await send({
      ...{ do: 'apply', part: '/settings/full/-', 'p.typed': 'yes', 'p.key': '__proto__' },
      ...{ 'p.name': 'Kept', 'p.type': 'text' },
    })
    expect(answer.status).toBe(422)
    expect(answer.text).toContain('The key of a setting begins with a letter')
    expect(answer.text).toContain('value="Kept"')
    expect(answer.text).toContain('value="__proto__"')
  })

  test.each(['constructor', 'toString', 'hasOwnProperty'])(
    'the key %s is reserved',
    async (key) => {
      const answer = await send({
        ...{ do: 'apply', part: '/settings/full/-', 'p.typed': 'yes', 'p.key': key },
        ...{ 'p.name': 'Kept', 'p.type': 'text', 'p.scope': 'user' },
      })
      expect(answer.status).toBe(422)
      expect(answer.text).toContain(`The key ${key} is reserved.`)
    },
  )

  test('one purchase option more than a definition may have is not written', async () => {
    const { purchaseOptions } = definition
    const [first] = purchaseOptions as { id: string }[]
    const many = Array.from({ length: 20 }, (_, n) => ({ ...first, id: `o${n}` }))
    const answer = await send({
      ...{ definition: JSON.stringify({ ...definition, purchaseOptions: many, settings: {} }) },
      ...{ do: 'apply', part: '/purchaseOptions/-', 'p.typed': 'yes', 'p.id': 'more' },
      ...{ 'p.name': 'More', 'p.pricingModel': 'FlatMonthly', 'p.currency': 'USD' },
      ...{ 'p.monthlyRate': '0', 'p.order': '1' },
    })
    expect(answer.status).toBe(422)
    expect(answer.text).toContain('A definition has at most 20 purchase options.')
  })

  test.each(['edit', 'apply'])('%s of a part that is gone says so', async (what) => {
    const place = '/purchaseOptions/99'
    const step = what === 'edit' ? { do: `edit:${place}` } : { do: 'apply', part: place }
    const answer = await send(step)
    expect(answer.status).toBe(422)
    expect(answer.text).toContain('The part is no longer in the definition')
  })

  test('what is saved has the part whose form is open', async () => {
    const renamed = await send({
      ...{ do: 'save', part: '/purchaseOptions/0/free', 'p.typed': 'yes', 'p.id': 'free' },
      ...{ 'p.name': 'Renamed', 'p.pricingModel': 'FlatMonthly', 'p.currency': 'USD' },
      ...{ 'p.monthlyRate': '0', 'p.order': '1', revision: String(await revision()) },
    })
    expect(renamed.location).toBe(`/Developer/Apps/${definition.id}`)
    const { purchaseOptions } = (await developer.read(definition.id)).body
    expect(purchaseOptions[0].name).toBe('Renamed')
  })

  test('a part that cannot be written keeps the definition from being saved', async () => {
    const before = await revision()
    const open = { part: '/settings/full/-', 'p.typed': 'yes', 'p.name': 'Kept', 'p.type': 'text' }
    const answer = await send({ ...open, do: 'save', 'p.key': '1st', revision: String(before) })
    expect(answer.status).toBe(422)
    expect(answer.text).toContain('The key of a setting begins with a letter')
    expect(await revision()).toBe(before)
  })

  test('the form of a new part in which nothing was typed changes nothing', async () => {
    const open = { part: '/settings/full/-', 'p.typed': 'yes', 'p.type': 'text', 'p.key': '' }
    const answer = await send({ ...open, do: 'check' })
    expect(answer.status).toBe(200)
    expect(answer.text).toContain('It is the same as the published definition')
  })

  test('a part is not written over another that took its place', async () => {
    const answer = await send({
      ...{ do: 'apply', part: '/purchaseOptions/0/other', 'p.typed': 'yes', 'p.id': 'other' },
    })
    expect(answer.status).toBe(422)
    expect(answer.text).toContain('The part is no longer in the definition')
  })

  test('a text that is no JSON has no forms, and is not changed', async () => {
    const answer = await send({ definition: '{\n "id": 1 x }', do: 'edit:/purchaseOptions/0' })
    expect(answer.status).toBe(422)
    expect(textareaOf(answer, 'definition')).toBe('{\n "id": 1 x }')
    expect(answer.text).toContain('Correct the text first')
    expect(answer.text).toMatch(/<a href="#definition" data-line="2"><bdi>This is not JSON/)
  })

  test.each(['edit:/id', 'edit:', 'apply', 'remove:/settings', 'nonsense'])(
    'an unknown step %j is a check',
    async (step) => {
      const answer = await send({ do: step })
      expect(answer.status).toBe(200)
      expect(answer.text).toContain('It is the same as the published definition')
    },
  )
})

describe('the form of a part', () => {
  const option = {
    ...{ do: 'apply', part: '/purchaseOptions/-', 'p.typed': 'yes', 'p.id': 'more' },
    ...{ 'p.name': 'More', 'p.pricingModel': 'FlatMonthly', 'p.currency': 'USD' },
  }
  const setting = { do: 'apply', part: '/settings/full/-', 'p.typed': 'yes', 'p.key': 'more' }
  const acknowledgement = { do: 'apply', part: '/acknowledgements/-', 'p.typed': 'yes' }

  test('a number with a decimal comma and a currency in small letters are written as they are meant', async () => {
    const written = await send({ ...option, 'p.currency': ' eur ', 'p.monthlyRate': '2,5' })
    expect(definitionIn(written).purchaseOptions.at(-1)).toEqual({
      ...{ id: 'more', name: 'More', pricingModel: 'FlatMonthly', currency: 'EUR' },
      monthlyRate: 2.5,
    })
  })

  test.each([
    [
      'nothing',
      { ...option, 'p.id': '', 'p.name': '', 'p.currency': '' },
      ['Enter the ID.', 'Enter the name.', 'Choose the currency.', 'Enter the price.'],
    ],
    [
      'no currency',
      { ...option, 'p.monthlyRate': '1', 'p.currency': 'US' },
      ['Currency must be the code of an active ISO 4217 currency'],
    ],
    [
      'words for a price',
      { ...option, 'p.monthlyRate': 'two' },
      ['Price: enter a number, such as 2.5.'],
    ],
    [
      '1,500, which is two numbers',
      { ...option, 'p.monthlyRate': '1,500' },
      ['Price: enter a number, such as 2.5.'],
    ],
    ['a negative price', { ...option, 'p.monthlyRate': '-1' }, ['Price must be at least 0.']],
    [
      'too many decimals',
      { ...option, 'p.monthlyRate': '1.005' },
      ['Price must have at most 2 decimals'],
    ],
    [
      'an id in use',
      { ...option, 'p.monthlyRate': '1', 'p.id': 'free' },
      ['The ID free is in use. Enter another one.'],
    ],
    [
      'the price of another model',
      {
        ...option,
        'p.pricingModel': 'TieredBuckets',
        'p.bucketSize': '10',
        'p.ratePerBucket': '1',
        'p.monthlyRate': '5',
      },
      ['Price does not go with the pricing model “Tiered by number of products”.'],
    ],
    [
      'block prices of another model',
      { ...option, 'p.monthlyRate': '1', 'p.bucketSize': '10', 'p.baseFee': '1' },
      ['Block size does not go with', 'Base fee does not go with'],
    ],
    ['a setting without a name', { ...setting, 'p.type': 'text' }, ['Enter the name.']],
    [
      'a choice without choices',
      { ...setting, 'p.type': 'select', 'p.name': 'A' },
      ['Enter the choices.'],
    ],
    [
      'a choice without a name',
      { ...setting, 'p.type': 'select', 'p.name': 'A', 'p.options': 'a = A\nb =' },
      ['Choices, line 2: name must not be empty.'],
    ],
    [
      'bounds of a text',
      { ...setting, 'p.type': 'text', 'p.name': 'A', 'p.min': '1' },
      ['Lowest number does not go with the type “Text”.'],
    ],
    [
      'bounds in words',
      { ...setting, 'p.type': 'number', 'p.name': 'A', 'p.max': 'ten' },
      ['Highest number: enter a number, such as 2.5.'],
    ],
    [
      'bounds the wrong way round',
      { ...setting, 'p.type': 'number', 'p.name': 'A', 'p.min': '2', 'p.max': '1' },
      ['Highest number must not be below min'],
    ],
    [
      'an acknowledgement of nothing',
      acknowledgement,
      ['Enter the ID.', 'Enter the title.', 'Enter the text.'],
    ],
  ] as const)(
    'a form with %s is not written, and each problem stands at its field',
    async (_what, fields, problems) => {
      const answer = await send(fields)
      expect(answer.status).toBe(422)
      expect(definitionIn(answer)).toEqual(definition)
      for (const problem of problems) {
        const told = problem.replace(/[“”]/g, '.').replace(/[(.)]/g, '.')
        expect(answer.text).toMatch(new RegExp(`<a href="#p\\.\\w+"><bdi>${told}`))
        expect(answer.text).toMatch(
          new RegExp(`class="field-error" id="p\\.\\w+-error"><bdi>[^<]*${told}`),
        )
      }
    },
  )

  test('a price that was there goes with its model, when another model is chosen', async () => {
    const tiered = {
      ...option,
      'p.pricingModel': 'TieredBuckets',
      'p.bucketSize': '10',
      'p.ratePerBucket': '1',
    }
    const written = await send({
      ...tiered,
      part: '/purchaseOptions/0/free',
      'p.id': 'free',
      'p.monthlyRate': '0',
    })
    expect(definitionIn(written).purchaseOptions[0]).not.toHaveProperty('monthlyRate')
  })
})
