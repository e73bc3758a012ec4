import { afterAll, beforeAll, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { author, draft, largeParts, newId } from '../../../setup/apps.ts'
import { noteStatements } from '../../../setup/statements.ts'
import { webClient } from '../../../setup/web-client.ts'

let market: TestMarketplace
beforeAll(async () => {
  market = await startMarketplace()
})
afterAll(() => market.close())

test('the directory shows large apps together: it reads nothing of their settings', async () => {
  const developer = await author(market)
  const ids = [newId(), newId(), newId()].toSorted()
  for (const id of ids) {
    const large = { ...largeParts(), description: 'Directed here.' }
    expect((await developer.create(draft(id, large))).status).toBe(201)
    expect((await developer.list(id)).status).toBe(200)
  }
  const { text } = await webClient(market).get('/Apps?q=directed')
  for (const id of ids) expect(text).toContain(`href="/Apps/${id}"`)
  expect(text).not.toContain('More apps')
})

test('the page of an app reads nothing of its settings', async () => {
  const developer = await author(market)
  const id = newId()
  expect((await developer.create(draft(id, largeParts()))).status).toBe(201)
  expect((await developer.list(id)).status).toBe(200)
  const statements = noteStatements(market.deps.pool)
  const { status, text } = await webClient(market).get(`/Apps/${id}`)
  expect(status).toBe(200)
  expect(text).toContain(`<code data-copy>${id}</code>`)
  const texts = statements.take().map(({ text }) => text)
  expect(texts.filter((one) => one.includes('app_versions'))).not.toEqual([])
  expect(texts.filter((one) => one.includes('"app_versions"."settings"'))).toEqual([])
})
