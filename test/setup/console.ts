import { expect } from 'vitest'
import type { SharedMarketplace } from './app.ts'
import { hiddenFields, type Page, signedInDeveloper } from './web-client.ts'

/** The developer console as the n-th demo developer uses it. */
export async function developerConsole(market: SharedMarketplace, index = 0) {
  const client = await signedInDeveloper(market, index)
  const get = (path: string) => client.get(`/Developer${path}`)
  return {
    client,
    get,
    /** Opens a page of the console and sends its form, filled in. */
    async send(path: string, fields: Record<string, string | string[]> = {}): Promise<Page> {
      const page = await get(path)
      const shown = page.status === 200 ? page : await get('')
      return client.post(`/Developer${path}`, { ...hiddenFields(shown.text), ...fields })
    },
  }
}
export type DeveloperConsole = Awaited<ReturnType<typeof developerConsole>>

/** What stands in a text field of several lines. */
export function textareaOf(page: Page, name: string): string {
  const found = new RegExp(`<textarea[^>]* name="${name}"[^>]*>\\n([^<]*)</textarea>`).exec(
    page.text,
  )
  expect(found, `a field ${name}`).not.toBeNull()
  return (found?.[1] ?? '')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
}
