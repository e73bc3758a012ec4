import { describe, expect, test } from 'vitest'
import type { InstallationUsage } from '../../../src/marketplace/usage/usage.ts'
import { usageCard } from '../../../src/web/shared/app-parts/usage-view.ts'
import { render } from '../../../src/web/shared/page/html.ts'

const NOW = new Date('2026-11-30T12:00:00Z')
const LONG_AGO = new Date('2026-09-01T12:00:00Z')
const LATELY = new Date('2026-09-01T12:00:01Z')

const USAGE: InstallationUsage = {
  from: '2026-11-01',
  to: '2026-11-30',
  limitPerMinute: 600,
  days: [
    {
      day: '2026-11-22',
      permission: 'products:read',
      requests: 1_290,
      records: 128_000,
      refusals: { too_many_requests: 12 },
    },
    {
      day: '2026-11-30',
      permission: 'none',
      requests: 86_400,
      records: 0,
      refusals: { wrong_token_kind: 1, insufficient_scope: 2 },
    },
  ],
  permissions: [
    { permission: 'products:read', lastUsedAt: LATELY, unusedSince: LATELY },
    { permission: 'profile:read', lastUsedAt: null, unusedSince: LATELY },
  ],
}

const cardOf = (
  changes: Partial<InstallationUsage> = {},
  side: 'account' | 'developer' | 'operator' = 'account',
) => render(usageCard({ ...USAGE, ...changes }, side, NOW))

const text = (markup: string) => markup.replaceAll(/(?:\s*<[^>]+>\s*)+/g, '|')

describe('the card of usage', () => {
  test('tells the limit, its use today and the refusals by reason', () => {
    const shown = text(cardOf())
    expect(shown).toContain('Limit|600 requests per minute|')
    expect(shown).toContain('Today|86,400 requests, 10% of the daily budget of 864,000|')
    expect(shown).toContain('Refused|12 over the limit, 1|wrong_token_kind|, 2 without permission|')
  })

  test('tells that there is no limit', () => {
    const shown = text(cardOf({ limitPerMinute: null }))
    expect(shown).toContain('Limit|None|')
    expect(shown).toContain('Today|86,400 requests|')
  })

  test('has a bar for each day, and a row of the table', () => {
    const markup = cardOf()
    expect(markup.match(/<g>/g)).toHaveLength(30)
    expect(markup).toContain('22 Nov: 1,290')
    expect(text(markup)).toContain('2026-11-22|1,290|128,000|12|2026-11-23|0|0|0|')
  })

  test('has a row for each permission, and one for requests without any', () => {
    const shown = text(cardOf())
    expect(shown).toContain('Read products|1,290|128,000|12|2026-09-01 12:00 UTC|')
    expect(shown).toContain('Read the profile|0|0|0|Not yet|')
    expect(shown).toContain('Without a permission|86,400|0|3|')
  })

  test('has no chart where nothing happened', () => {
    const shown = text(cardOf({ days: [] }))
    expect(shown).toContain('No requests in the last 30 days.')
    expect(shown).toContain('Refused|None|')
    expect(shown).not.toContain('View days as table')
  })
})

describe('a permission that was never used in 90 days', () => {
  const unused = { permission: 'profile:read', lastUsedAt: null, unusedSince: LONG_AGO }
  const used = { permission: 'products:read', lastUsedAt: LATELY, unusedSince: LATELY }

  test('has a badge, and the card says what to do', () => {
    const shown = text(cardOf({ permissions: [used, unused] }))
    expect(shown).toContain('Read the profile|0|0|0|Never used in 90 days|')
    expect(shown).toContain(
      '|The app has not used 1 of its permissions in 90 days.|If you no longer need the app, uninstall it.|',
    )
    expect(text(cardOf({ permissions: [unused] }, 'developer'))).toContain(
      '|The app has not used any of its permissions in 90 days.|Leave out of the next version what your app does not need.|',
    )
  })

  test('may have been used before', () => {
    const before = { ...unused, lastUsedAt: LONG_AGO }
    const shown = text(cardOf({ permissions: [before] }))
    expect(shown).toContain('Not used in 90 days|2026-09-01 12:00 UTC|')
  })

  test('is one of 90 days at least', () => {
    expect(cardOf({ permissions: [used] })).not.toContain('in 90 days')
  })
})
