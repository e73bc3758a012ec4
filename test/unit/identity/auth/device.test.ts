import { expect, test } from 'vitest'
import { deviceOf } from '../../../../src/identity/auth/sessions/device.ts'

const BASE = 'Mozilla/5.0'
const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)'

test.each([
  [`${BASE} (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0`, 'Firefox on Linux'],
  [
    `${BASE} (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/140.0 Safari/537.36 Edg/140.0`,
    'Edge on Windows',
  ],
  [
    `${BASE} (Linux; Android 16; Pixel 9) ${WEBKIT} Chrome/140.0 Mobile Safari/537.36`,
    'Chrome on Android',
  ],
  [
    `${BASE} (Macintosh; Intel Mac OS X 10_15_7) ${WEBKIT} Version/19.0 Safari/605.1.15`,
    'Safari on macOS',
  ],
  [
    `${BASE} (iPhone; CPU iPhone OS 19_0 like Mac OS X) ${WEBKIT} Version/19.0 Mobile Safari/604.1`,
    'Safari on iOS',
  ],
  ['curl/8.14.1', 'Unknown browser'],
  [undefined, 'Unknown browser'],
  ['<script>alert(1)</script>', 'Unknown browser'],
  [`${'x'.repeat(100_000)} Firefox/140.0`, 'Unknown browser'],
])('the browser of %j is %s', (userAgent, browser) => {
  expect(deviceOf(userAgent, '192.0.2.17').browser).toBe(browser)
})

test.each([
  ['192.0.2.17', '192.0.2.0/24'],
  ['::ffff:192.0.2.17', '192.0.2.0/24'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
  ['::1', '0:0:0::/48'],
  ['no address', ''],
])('of the address %s only %s is kept', (address, network) => {
  expect(deviceOf('', address).network).toBe(network)
})
