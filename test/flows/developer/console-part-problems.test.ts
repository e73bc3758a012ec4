import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { type Author, author } from '../../setup/apps.ts'
import { type DeveloperConsole, developerConsole, textareaOf } from '../../setup/console.ts'
import { fullDraft, listedApp } from '../../setup/customer.ts'
import type { Page } from '../../setup/web-client.ts'

let market: TestMarketplace
let developer: Author
let browser: DeveloperConsole
let definition: ReturnType<typeof fullDraft>
beforeAll(async () => {
  market = await startMarketplace()
  developer = await author(market)
  browser = await developerConsole(market)
})
afterAll(() => market.close())
beforeEach(async () => {
  definition = await listedApp(developer, fullDraft())
})

const send = (fields: Record<string, string>) =>
  browser.send(`/Apps/${definition.id}/Definition`, {
    definition: JSON.stringify(definition),
    ...fields,
  })
const definitionIn = (page: Page) => JSON.parse(textareaOf(page, 'definition'))

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
      ['Enter the ID.', 'Enter the name.', 'Enter the currency.', 'Enter the price per month.'],
    ],
    [
      'no currency',
      { ...option, 'p.monthlyRate': '1', 'p.currency': 'US' },
      ['Currency must be the code of an active ISO 4217 currency'],
    ],
    [
      'words for a price',
      { ...option, 'p.monthlyRate': 'two' },
      ['Price per month: enter a number, such as 2.5.'],
    ],
    [
      '1,500, which is two numbers',
      { ...option, 'p.monthlyRate': '1,500' },
      ['Price per month: enter a number, such as 2.5.'],
    ],
    [
      'a negative price',
      { ...option, 'p.monthlyRate': '-1' },
      ['Price per month must be at least 0.'],
    ],
    [
      'too many decimals',
      { ...option, 'p.monthlyRate': '1.005' },
      ['Price per month must have at most 2 decimals'],
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
      ['Price per month does not go with the pricing model “Tiered by number of products”.'],
    ],
    [
      'block prices of another model',
      { ...option, 'p.monthlyRate': '1', 'p.bucketSize': '10', 'p.baseFee': '1' },
      ['Products in a block does not go with', 'Base fee per month does not go with'],
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
