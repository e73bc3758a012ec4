import { expect, it } from 'vitest'
import { LINK_TTL_SECONDS, lifetimeText } from '../../../../src/identity/links/link.ts'

it('tells how long a link works in the largest unit that people use', () => {
  const purposes = Object.keys(LINK_TTL_SECONDS) as (keyof typeof LINK_TTL_SECONDS)[]
  expect(Object.fromEntries(purposes.map((purpose) => [purpose, lifetimeText(purpose)]))).toEqual({
    invitation: '7 days',
    password_reset: '30 minutes',
    email_change: '24 hours',
    sign_in: '10 minutes',
  })
})
