import { expect, test } from 'vitest'
import { loadConfig } from '../../../../src/config.ts'

test.each([
  ['PORT', '99999', 'must be a whole number from 1 to 65535'],
  ['PORT', '80a', 'must be a whole number from 1 to 65535'],
  ['MAX_TOKEN_TTL_SECONDS', '10', 'must be a whole number from 60 to 86400'],
  ['RATE_LIMIT_PER_MINUTE', '-1', 'must be a whole number from 0 to 1000000'],
  [
    'LOG_LEVEL',
    'loud',
    'must be one of "fatal", "error", "warn", "info", "debug", "trace", "silent"',
  ],
  ['WEBHOOKS', 'yes', 'must be one of "on", "off"'],
  [
    'REQUIRE_SECOND_FACTOR',
    'all,you',
    'must be operators, developers and admins, separated by commas',
  ],
  [
    'REDIS_URL',
    'redis://redis.internal/limits',
    'must be a URL that starts with redis:// or rediss://, with the number of a database or no path',
  ],
  ['DEMO', '1', 'must be one of "true", "false"'],
  ['DATABASE_URL', 'postgres.internal/market', 'must be a URL that starts with postgresql://'],
  ...[
    'postgresql://market@one.internal,two.internal/market',
    'postgresql://market@one.internal:5432,two.internal:5432/market',
    'postgresql://market@one.internal:99999/market',
    'postgresql://market:sec/ret@one.internal/market',
    'postgresql://market:sec#ret@one.internal/market',
  ].map((value): [string, string, string] => [
    'DATABASE_URL',
    value,
    'must have one host, a port up to 65535 if any, and in user and password %2F for /, %3F for ?, %23 for # and %40 for @',
  ]),
])('%s=%s is refused in our words', (name, value, rule) => {
  const message = `The configuration has problems:\n  ${name}: ${rule}`
  expect(() => loadConfig({ [name]: value })).toThrow(expect.objectContaining({ message }))
})

test.each<[Record<string, string>, string]>([
  [
    { SMTP_URL: 'http://mail.example', MAIL_FROM: 'market@example.com' },
    'SMTP_URL: must be smtp://host:port or smtps://host:port, with user:password@ if needed',
  ],
  [
    { OIDC_ISSUER: 'http://login.example', OIDC_CLIENT_ID: 'market', OIDC_CLIENT_SECRET: 's' },
    'OIDC_ISSUER: must be an https URL without query, fragment or user name; http only for this machine',
  ],
  [
    { OIDC_ISSUER: 'http://login.example', PASSWORD_LOGIN: 'off' },
    'OIDC_ISSUER: must be an https URL without query, fragment or user name; http only for this machine',
  ],
  [
    {
      DATABASE_URL: 'db.internal',
      DATABASE_READ_URL: 'postgresql://replica/market',
      WORKERS: '20',
    },
    'DATABASE_URL: must be a URL that starts with postgresql://',
  ],
])('a variable that is set, but wrong, is not said to be missing: %j', (env, problem) => {
  const message = `The configuration has problems:\n  ${problem}`
  expect(() => loadConfig(env)).toThrow(expect.objectContaining({ message }))
})
