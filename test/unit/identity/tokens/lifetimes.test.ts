import { expect, test } from 'vitest'
import { loadConfig } from '../../../../src/config.ts'

test('a lower MAX_TOKEN_TTL_SECONDS lowers the lifetimes that are unset', () => {
  expect(loadConfig({ MAX_TOKEN_TTL_SECONDS: '600' })).toMatchObject({
    ...{ installationTokenTtlSeconds: 600, redirectTokenTtlSeconds: 600, maxTokenTtlSeconds: 600 },
    developerTokenTtlSeconds: 3600,
  })
  expect(loadConfig({})).toMatchObject({
    ...{ installationTokenTtlSeconds: 3600, redirectTokenTtlSeconds: 900 },
  })
})

test('a lifetime that is set above MAX_TOKEN_TTL_SECONDS is refused', () => {
  const load = () =>
    loadConfig({ MAX_TOKEN_TTL_SECONDS: '600', INSTALLATION_TOKEN_TTL_SECONDS: '601' })
  expect(load).toThrow(
    'The configuration has problems:\n  INSTALLATION_TOKEN_TTL_SECONDS: is more than MAX_TOKEN_TTL_SECONDS',
  )
})
