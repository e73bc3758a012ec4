import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { OUTCOMES } from '../../src/web/requests/outcomes.ts'

test('the guide shows what comes of each form', () => {
  const guide = readFileSync(new URL('../../docs/pages.md', import.meta.url), 'utf8')
  for (const [event, byKind] of Object.entries(OUTCOMES)) {
    const { button, fields, secret, wizard } = byKind
    const cells = [button, fields, secret, wizard].map(({ shows }) => shows)
    expect(guide).toContain(`| ${[event, ...cells].join(' | ')} |`)
  }
})

test('what waits says why when it shows again, unless its page does', () => {
  for (const event of ['session ended', 'other developer', 'factor too old'] as const) {
    for (const { waits, says } of Object.values(OUTCOMES[event])) {
      expect([waits, typeof says]).toEqual([true, 'string'])
    }
  }
})
