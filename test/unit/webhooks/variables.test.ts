import { expect, test } from 'vitest'
import { loadConfig } from '../../../src/config.ts'

test('by default webhooks are sent without a proxy and only to public addresses', () => {
  expect(loadConfig({})).toMatchObject({
    ...{ webhooks: true, webhookAllowedPrivateHosts: new Set(), webhookProxyUrl: undefined },
  })
})

test('the variables of webhooks are read', () => {
  const config = loadConfig({
    WEBHOOKS: 'off',
    WEBHOOK_ALLOWED_PRIVATE_HOSTS: 'receiver:8080,[::1]:9000',
    WEBHOOK_PROXY_URL: 'http://user:pass@10.0.0.1:3128',
  })
  expect(config).toMatchObject({
    webhooks: false,
    webhookAllowedPrivateHosts: new Set(['receiver:8080', '[::1]:9000']),
    webhookProxyUrl: 'http://user:pass@10.0.0.1:3128',
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
