import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../setup/app.ts'
import { call } from '../setup/client.ts'

const WEB = fileURLToPath(new URL('../../src/web/', import.meta.url))

let market: TestMarketplace
beforeAll(async () => {
  market = await startMarketplace()
})
afterAll(() => market.close())

/** The links to the documentation in the source of all pages. */
async function linksOfPages(): Promise<string[]> {
  const names = (await readdir(WEB, { recursive: true })).filter((name) => name.endsWith('.ts'))
  const sources = await Promise.all(names.map((name) => readFile(`${WEB}${name}`, 'utf8')))
  const links = sources.flatMap((source) => source.match(/(?<=["'])\/docs[^"'`\s]*(?=["'])/g) ?? [])
  return [...new Set(links)]
}

test('every link of a page to the documentation leads to its place there', async () => {
  const { paths } = (await call(market, 'GET', '/openapi.json')).body
  const operations = Object.entries<Record<string, { tags: string[] }>>(paths).flatMap(
    ([path, methods]) =>
      Object.entries(methods).map(
        ([method, { tags }]) => `tag/${tags[0]?.toLowerCase()}/${method.toUpperCase()}${path}`,
      ),
  )
  const links = await linksOfPages()
  expect(links.length).toBeGreaterThan(3)
  for (const link of links) {
    const [path = '', anchor] = link.split('#')
    const { status, text } = await call(market, 'GET', path)
    expect(status, link).toBe(200)
    if (anchor === undefined) continue
    if (path === '/docs/api') expect(operations).toContain(decodeURIComponent(anchor))
    else expect(text, link).toContain(`id="${anchor}"`)
  }
})
