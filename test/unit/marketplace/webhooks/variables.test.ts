import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { loadConfig } from '../../../../src/config.ts'

test('by default webhooks are sent without a proxy and only to public addresses', () => {
  expect(loadConfig({ DEMO: 'false' })).toMatchObject({
    ...{ webhooks: true, webhookAllowedPrivateHosts: new Set(), webhookProxyUrl: undefined },
    webhookRetrySeconds: [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400],
    webhookTimeoutSeconds: 20,
  })
})

const LOOPBACK = new Set(['127.0.0.1:*', '[::1]:*', 'localhost:*'])
const DATABASE = {
  DATABASE_URL: 'postgresql://user@localhost/x',
  SECRET_KEY: randomBytes(32).toString('base64'),
}
test.each([
  ['a demo on this machine', {}, LOOPBACK],
  ['a demo at ::1', { HOST: '::1' }, LOOPBACK],
  ['a demo that others reach', { PUBLIC_URL: 'https://market.example' }, new Set()],
  ['a demo on a database of its own', { DEMO: 'true', ...DATABASE }, new Set()],
  ['no demo', { DEMO: 'false' }, new Set()],
  [
    'a demo whose operator names receivers',
    { WEBHOOK_ALLOWED_PRIVATE_HOSTS: '127.0.0.1:4100' },
    new Set(['127.0.0.1:4100']),
  ],
])('%s sends webhooks to the private receivers that it should', (_, env, allowed) => {
  expect(loadConfig(env).webhookAllowedPrivateHosts).toEqual(allowed)
})

test('the variables of webhooks are read', () => {
  const config = loadConfig({
    WEBHOOKS: 'off',
    WEBHOOK_ALLOWED_PRIVATE_HOSTS: 'receiver:8080,[::1]:9000',
    WEBHOOK_PROXY_URL: 'http://user:pass@10.0.0.1:3128',
    WEBHOOK_RETRY_SECONDS: '0, 1,604800',
    WEBHOOK_TIMEOUT_SECONDS: '3',
  })
  expect(config).toMatchObject({
    webhooks: false,
    webhookAllowedPrivateHosts: new Set(['receiver:8080', '[::1]:9000']),
    webhookProxyUrl: 'http://user:pass@10.0.0.1:3128',
    webhookRetrySeconds: [0, 1, 604_800],
    webhookTimeoutSeconds: 3,
  })
})

test('all problems of the variables are listed at once, without the password of the proxy', () => {
  const load = () =>
    loadConfig({
      WEBHOOKS: 'no',
      WEBHOOK_ALLOWED_PRIVATE_HOSTS: 'receiver',
      WEBHOOK_PROXY_URL: 'https://user:hidden@proxy:3128',
    })
  expect(load).toThrow(
    /WEBHOOKS: .*\n.*WEBHOOK_ALLOWED_PRIVATE_HOSTS: .*wrong is receiver\n.*WEBHOOK_PROXY_URL: must be/,
  )
  expect(load).not.toThrow(/hidden/)
})

test('the waits before retries end before their events are forgotten', () => {
  const weeks = '604800,604800,604800'
  const load = (last: number) => loadConfig({ WEBHOOK_RETRY_SECONDS: `${weeks},${last}` })
  expect(load(541_963).webhookRetrySeconds).toHaveLength(4)
  expect(() => load(541_964)).toThrow(
    /WEBHOOK_RETRY_SECONDS: must add up to at most 2356363 seconds: .* after 30 days/,
  )
})

test.each([
  ['WEBHOOK_RETRY_SECONDS', '1,,2'],
  ['WEBHOOK_RETRY_SECONDS', '-1'],
  ['WEBHOOK_RETRY_SECONDS', '1.5'],
  ['WEBHOOK_RETRY_SECONDS', '604801'],
  ['WEBHOOK_RETRY_SECONDS', Array.from({ length: 31 }, () => '1').join(',')],
  ['WEBHOOK_TIMEOUT_SECONDS', '0'],
  ['WEBHOOK_TIMEOUT_SECONDS', '61'],
])('%s=%s keeps the server from starting', (name, text) => {
  expect(() => loadConfig({ [name]: text })).toThrow(new RegExp(`  ${name}: `))
})
