import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { createDeveloper } from '../../src/identity/accounts/developers-service.ts'
import type { SharedMarketplace } from './app.ts'
import { authorWith } from './apps.ts'
import { call } from './client.ts'
import { newOwner } from './developer-person.ts'
import { demoDeveloper, hiddenFields, type Page, signedIn } from './web-client.ts'

/** The developer console as an owner uses it: of the n-th developer of the demo, or a person. */
export async function developerConsole(
  market: Pick<SharedMarketplace, 'url' | 'demo'>,
  who: number | { email: string; password: string } = 0,
) {
  const person = typeof who === 'number' ? demoDeveloper(market, who).person : who
  const client = await signedIn(market, person)
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

/** A new developer: its calls of the API as `developer`, its owner and the owner's console. */
export async function newDeveloper(market: SharedMarketplace) {
  const made = await createDeveloper(market.deps, { name: `Developer ${randomUUID()}` })
  const { clientId, password } = made
  const person = await newOwner(market, made)
  const { body } = await call(market, 'POST', '/v1/Auth', { body: { clientId, password } })
  return {
    ...made,
    developer: authorWith(market, body.token),
    person,
    browser: await developerConsole(market, person),
  }
}

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
