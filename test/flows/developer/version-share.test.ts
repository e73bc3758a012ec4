import { expect, test } from 'vitest'
import { sharedMarketplace } from '../../setup/app.ts'
import { draft, newId } from '../../setup/apps.ts'
import { newDeveloper } from '../../setup/console.ts'

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
