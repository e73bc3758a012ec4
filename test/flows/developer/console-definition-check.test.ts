import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type SharedMarketplace, sharedMarketplace } from '../../setup/app.ts'
import { type Author, newId } from '../../setup/apps.ts'
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
const revision = async () =>
  (await market.deps.db.app.findUniqueOrThrow({ where: { id: definition.id } })).revision

describe('a check', () => {
  test('names each problem once, with a link to its line', async () => {
    const text = JSON.stringify({ ...definition, partyTypes: ['Nobody'] }, null, 2)
    const line = text.slice(0, text.indexOf('"Nobody"')).split('\n').length
    const { text: page } = await browser.send(path(), { definition: text, do: 'check' })
    const told = `<a href="#definition" data-line="${line}"><bdi>Line ${line}: /partyTypes/0 must be`
    expect(page.split(told)).toHaveLength(2)
    expect(page.split('/partyTypes/0')).toHaveLength(2)
    expect(page).toContain('<title>Error: ')
  })

  test('names every problem at once, and what may have been meant', async () => {
    const [first] = definition.purchaseOptions
    const wrong = {
      ...definition,
      partyTypes: ['Sellers'],
      purchaseOptions: [{ ...first, currency: 'US', pricingModel: 'FlatMonthly', monthlyRate: -1 }],
      settings: { free: { a: { type: 'txt', name: 'A' } } },
    }
    const { text } = await send({ definition: JSON.stringify(wrong), do: 'check' })
    for (const told of [
      '/partyTypes/0 must be one of &quot;Buyer&quot;, &quot;Seller&quot;; did you mean &quot;Seller&quot;?',
      '/purchaseOptions/0/currency must be the code of an active ISO 4217 currency',
      '/purchaseOptions/0/monthlyRate must be at least 0',
      '/settings/free/a/type must be one of',
      'did you mean &quot;text&quot;?',
    ]) {
      expect(text).toContain(told)
    }
  })
})

describe('a preview', () => {
  const previewIn = ({ text }: Page) =>
    /<section class="card preview"([\s\S]*?)<\/section>/.exec(text)?.[1] ?? ''

  test('shows the listing and the install form of every option, and saves nothing', async () => {
    const before = await revision()
    const changed = { ...definition, name: 'Shown <i>only</i>', description: 'Other words.' }
    const page = await send({ definition: JSON.stringify(changed), do: 'preview' })
    expect(page.status).toBe(200)
    const preview = previewIn(page)
    expect(preview).toContain('Shown &lt;i&gt;only&lt;/i&gt;')
    expect(preview).toContain('Other words.')
    expect(preview).toMatch(
      /<th scope="col">0<\/th><th scope="col">1,000<\/th><th scope="col">10,000/,
    )
    expect(preview.match(/<legend class="visually-hidden">Form of /g)).toHaveLength(
      definition.purchaseOptions.length,
    )
    expect(await revision()).toBe(before)
  })

  test('shows once what every option asks to confirm, and says how many settings it leaves out', async () => {
    const ids = Array.from({ length: 6 }, (_, index) => `o${index}`)
    const profile = Object.fromEntries(
      ids.flatMap((_, ten) =>
        Array.from({ length: 15 }, (_, one) => [
          `s${ten}.${one}`,
          { type: 'text', name: 'Region' },
        ]),
      ),
    )
    const large = {
      ...definition,
      purchaseOptions: ids.map((id) => ({ ...definition.purchaseOptions[0], id, name: id })),
      settings: Object.fromEntries(ids.map((id) => [id, profile])),
      acknowledgements: [{ id: 'once', title: 'Told once', text: 'Told once in full.' }],
    }
    const preview = previewIn(await send({ definition: JSON.stringify(large), do: 'preview' }))
    expect(preview.match(/Told once in full\./g)).toHaveLength(1)
    expect(preview.match(/<bdi>Region<\/bdi>/g)).toHaveLength(500)
    expect(preview.match(/leaves out \d+ settings\./g)).toEqual(['leaves out 40 settings.'])
  })

  test('of a definition with problems names them instead', async () => {
    const page = await send({ definition: '{}', do: 'preview' })
    expect(page.status).toBe(422)
    expect(page.text).not.toContain('class="card preview"')
  })

  test('of a new app needs no app', async () => {
    const page = await browser.get('/Apps/New')
    const text = textareaOf(page, 'definition').replaceAll(/my-app|My App/g, newId())
    const shown = await browser.send('/Apps/New', { definition: text, do: 'preview' })
    expect(shown.status).toBe(200)
    expect(shown.text).toContain('class="card preview"')
  })
})
