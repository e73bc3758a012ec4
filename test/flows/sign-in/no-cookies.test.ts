import { afterAll, beforeAll, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { webClient } from '../../setup/web-client.ts'

let market: TestMarketplace
beforeAll(async () => {
  market = await startMarketplace()
})
afterAll(() => market.close())

test('a form that is sent without any cookie says that cookies are needed', async () => {
  for (const [path, fields] of [
    ['/login?next=%2FInstalled', { email: 'kim@example.com', password: 'x', next: '/Installed' }],
    ['/Account/Name', { name: 'Kim' }],
  ] as const) {
    const { status, text } = await webClient(market).submit(path, fields)
    expect(status).toBe(403)
    expect(text).toContain('<h1 id="heading">Allow cookies for this site</h1>')
    expect(text).toContain(`href="${path}">Open the page again<`)
  }
  const other = { cookie: 'of=another-program' }
  const { text } = await webClient(market).submit('/Account/Name', { name: 'Kim' }, other)
  expect(text).toContain('The form has expired')
})

test('the well-known address leads to the change of the password', async () => {
  const { status, location } = await webClient(market).get('/.well-known/change-password')
  expect([status, location]).toEqual([302, '/Account/Password'])
})
