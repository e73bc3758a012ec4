import { expect, test } from 'vitest'
import { sharedMarketplace } from '../../setup/app.ts'
import { draft, installedBy, newId } from '../../setup/apps.ts'
import { newDeveloper } from '../../setup/console.ts'
import { newCustomer } from '../../setup/customer.ts'

test('the page of an app says how many installations are on its newest version', async () => {
  const market = await sharedMarketplace()
  const { developer, browser } = await newDeveloper(market)
  const first = draft(newId(), { version: '1.0' })
  await developer.create(first)
  const page = () => browser.get(`/Apps/${first.id}`)
  expect((await page()).text).not.toContain('Upgraded')
  const sandbox = await browser.send(`/Apps/${first.id}/Sandbox`)
  expect(sandbox.status).toBe(303)
  expect((await page()).text).toContain('1 of 1 on version <bdi>1.0</bdi> · 100%')
  await developer.put({ ...first, version: '2.0' })
  expect((await page()).text).toContain('0 of 1 on version <bdi>2.0</bdi> · 0%')
})

test('the page of an app shows its installs and uninstalls of the last 30 days', async () => {
  const market = await sharedMarketplace()
  const { developer, browser } = await newDeveloper(market)
  const { id } = await developer.create(draft(newId())).then(({ body }) => body)
  const figures = async () => {
    const { text } = await browser.get(`/Apps/${id}`)
    expect(Buffer.byteLength(text)).toBeLessThan(30_000)
    const totals =
      /<strong>(\w+) per day, last 30 days<\/strong>\s+<span class="chart-total">(\d+)</g
    const none = /No (\w+) in the last 30 days/g
    return [...text.matchAll(totals), ...text.matchAll(none)].map(([, what, total]) => [
      what,
      total,
    ])
  }
  expect(await figures()).toEqual([['installs', undefined]])
  const installed: string[] = []
  for (let count = 0; count < 3; count++) {
    installed.push(await installedBy(market, id, (await newCustomer(market)).party.id))
  }
  expect(await figures()).toEqual([
    ['Installs', '3'],
    ['uninstalls', undefined],
  ])
  const [first = '', second = ''] = installed
  const days = 86_400_000
  for (const [one, ago] of [
    [first, 0],
    [second, 40 * days],
  ] as const) {
    const uninstalledAt = new Date(market.deps.now().getTime() - ago)
    const data = { status: 'uninstalled', live: null, uninstalledAt } as const
    await market.deps.db.installation.update({ where: { id: one }, data })
  }
  expect(await figures()).toEqual([
    ['Installs', '3'],
    ['Uninstalls', '1'],
  ])
})
