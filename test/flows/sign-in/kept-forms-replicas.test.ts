import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Replicas, startReplicas } from '../../setup/replicas.ts'
import { hiddenFields, signedIn, type WebClient, webClient } from '../../setup/web-client.ts'

let replicas: Replicas
beforeAll(async () => {
  replicas = await startReplicas()
})
afterAll(() => replicas.close())

/** The same browser, whose next request another replica answers. */
function at({ url }: { url: string }, browser: WebClient): WebClient {
  const other = webClient({ url, deps: replicas.deps })
  for (const [name, value] of browser.cookies) other.cookies.set(name, value)
  return other
}

test('what one replica keeps of a form another one shows, carries on and says', async () => {
  const { one, two } = replicas
  const first = await signedIn({ url: one.url, deps: replicas.deps }, replicas.demo.operator)
  const create = '/Operator/Users/New'
  const form = hiddenFields((await first.get(create)).text)
  const typed = { ...form, name: 'Across Replicas', email: '', password: 'a long pass phrase' }
  const refused = await first.submit(create, typed)
  expect(refused.status).toBe(303)
  const second = at(two, first)
  const page = await second.get(refused.location ?? '')
  expect([page.status, page.text.includes('value="Across Replicas"')]).toEqual([422, true])
  const email = 'across@example.com'
  const again = { ...typed, ...hiddenFields(page.text), email, password: '' }
  const third = at(one, second)
  const done = await third.submit(create, again)
  expect(done.status).toBe(303)
  expect((await at(two, third).get(done.location ?? '')).text).toContain(' was created.')
  await signedIn({ url: two.url, deps: replicas.deps }, { email, password: typed.password })
  // A form of a session that one replica ends and another one hears of.
  const rename = { ...hiddenFields((await third.get(done.location ?? '')).text), name: 'Renamed' }
  await third.submit('/logout', hiddenFields((await third.get('/Account')).text))
  const lapsed = await at(two, third).submit(`${done.location}/Edit`, rename)
  expect(lapsed.location).toMatch(/^\/login\?next=.*form%3D/)
})
