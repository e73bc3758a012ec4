import { expect, test } from 'vitest'
import { pageCookieName } from '../../../src/web/requests/page-cookies.ts'

test.each([
  ['http://localhost:4000', 'marketplace_session_4000'],
  ['http://127.0.0.1:80', 'marketplace_session_80'],
  ['http://[::1]:3000', 'marketplace_session_3000'],
  ['http://shop.localhost:3000', 'marketplace_session_3000'],
  ['http://apps.intranet:3000', 'marketplace_session'],
  ['http://10.0.0.5', 'marketplace_session'],
  ['https://localhost:3000', '__Host-session'],
])('at %s the cookie of the session is %s', (publicUrl, name) => {
  expect(pageCookieName({ deps: { config: { publicUrl } } }, 'session')).toBe(name)
})
