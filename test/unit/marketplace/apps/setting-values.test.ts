import { describe, expect, it } from 'vitest'
import type {
  SettingDefinition,
  SettingsProfile,
} from '../../../../src/marketplace/apps/settings/definitions.ts'
import type { SettingValue } from '../../../../src/marketplace/apps/settings/value-types.ts'
import {
  type SettingsInput,
  validateSettings,
} from '../../../../src/marketplace/apps/settings/values.ts'
import { common, USER_PROFILE } from '../../../setup/apps-profile.ts'

const PROFILE: SettingsProfile = {
  ...USER_PROFILE,
  routing: { ...common, type: 'text', scope: 'admin', mandatory: true },
  limit: { ...common, type: 'number', scope: 'admin', min: 1 },
  pool: { ...common, type: 'select', scope: 'admin', options: [{ name: 'Seven', value: 7 }] },
  live: { ...common, type: 'boolean', scope: 'admin' },
}

function check(input: unknown, more: Partial<SettingsInput> = {}) {
  return validateSettings({
    profile: PROFILE,
    scope: 'user',
    input,
    pointer: '/userSettings',
    ...more,
  })
}

/** The values as an object, or the errors as `pointer: detail`. */
function outcome(input: unknown, more: Partial<SettingsInput> = {}) {
  const result = check(input, more)
  return result.ok
    ? Object.fromEntries(result.values)
    : result.errors.map(({ pointer, detail }) => `${pointer}: ${detail}`)
}

describe('user settings', () => {
  it('are stored as strings and numbers', () => {
    const input = { user: 'jane', secret: 's3cret', margin: 0.15, dryRun: true, zone: 5 }
    expect(outcome(input)).toEqual({ ...input, dryRun: 'true' })
  })

  it.each<[string, unknown, SettingValue | RegExp]>([
    ['dryRun', false, 'false'],
    ['dryRun', 'true', 'true'],
    ['dryRun', 1, /true or false/],
    ['dryRun', 'yes', /true or false/],
    ['dryRun', null, /true or false/],
    ['zone', 'eu', 'eu'],
    ['zone', 5, 5],
    ['zone', '5', /one of "eu", 5/],
    ['zone', 'us', /one of "eu", 5/],
    ['zone', ['eu'], /one of/],
    ['zone', {}, /one of/],
    ['margin', 0, 0],
    ['margin', -0, 0],
    ['margin', 0.3, 0.3],
    ['margin', 1, 1],
    ['margin', 0.1 + 0.2, /steps of 0.05/],
    ['margin', 0.07, /steps of 0.05/],
    ['margin', -0.05, /at least 0/],
    ['margin', 1.05, /at most 1/],
    ['margin', '0.5', /must be a number$/],
    ['margin', '1,500', /no thousands separators, such as 1500 or 1.5/],
    ['margin', '1.234.567', /no thousands separators/],
    ['margin', '1 234,50', /no thousands separators/],
    ['margin', Number.POSITIVE_INFINITY, /must be a number/],
    ['margin', Number.NaN, /must be a number/],
    ['user', 'x'.repeat(8192), 'x'.repeat(8192)],
    ['user', 'x'.repeat(8193), /8192 bytes/],
    ['user', 'ä'.repeat(4097), /8192 bytes/],
    ['user', 'a\0b', /NUL/],
    ['user', '\udc00', /surrogate/],
    ['user', '', /mandatory/],
    ['user', '  ', /mandatory/],
    ['user', 5, /string/],
    ['user', '<b>', '<b>'],
    ['secret', { $ne: 1 }, /string/],
  ])('%s = %.20j', (key, value, expected) => {
    const result = outcome({ user: 'jane', [key]: value })
    if (expected instanceof RegExp) {
      expect(result).toEqual([expect.stringMatching(expected)])
      expect(result).toEqual([expect.stringMatching(new RegExp(`^/userSettings/${key}: `))])
    } else {
      expect(result).toEqual({ user: 'jane', [key]: expected })
    }
  })

  it('reports every problem at once', () => {
    const input = JSON.parse(
      '{"margin": 9, "dryRun": 1, "nope": 1, "routing": "x", "__proto__": 1, "constructor": 1, "a/b": 1}',
    )
    expect(outcome(input)).toEqual([
      '/userSettings/nope: is not a setting of this option',
      '/userSettings/routing: is set by the developer of the app, not by the user',
      '/userSettings/__proto__: is not a setting of this option',
      '/userSettings/constructor: is not a setting of this option',
      '/userSettings/a~1b: is not a setting of this option',
      '/userSettings/user: is mandatory',
      '/userSettings/margin: must be at most 1',
      '/userSettings/dryRun: must be true or false',
    ])
  })

  it.each([null, undefined, [], 'x', 5])('are an object, not %j', (input) => {
    expect(outcome(input)).toEqual(['/userSettings: must be an object of setting values'])
  })

  it('name at most 100 problems', () => {
    const input = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`k${i}`, i]))
    expect(outcome(input)).toHaveLength(100)
  })
})

describe('a merge patch', () => {
  const existing = new Map<string, SettingValue>([
    ['user', 'jane'],
    ['secret', 'sealed'],
    ['margin', 0.5],
  ])
  const patch = (input: unknown) => check(input, { patch: true, existing })

  it('keeps what it leaves out', () => {
    expect(patch({})).toEqual({ ok: true, values: existing, changed: [] })
  })

  it('removes with null what is not mandatory', () => {
    const result = patch({ margin: null, secret: null })
    expect(result).toEqual({
      ok: true,
      values: new Map([['user', 'jane']]),
      changed: ['margin', 'secret'],
    })
    expect(patch({ user: null })).toMatchObject({
      errors: [{ pointer: '/userSettings/user', detail: 'is mandatory and cannot be removed' }],
    })
  })

  it('keeps a password that comes empty and takes a new one', () => {
    expect(patch({ secret: '' })).toEqual({ ok: true, values: existing, changed: [] })
    expect(patch({ secret: 'new' })).toMatchObject({ changed: ['secret'] })
    // What is stored may be sealed: a password that happens to read like it is still a new one.
    expect(patch({ secret: 'sealed' })).toMatchObject({ changed: ['secret'] })
  })

  it('names only what really changed', () => {
    expect(patch({ user: 'jane', margin: 0.55 })).toMatchObject({ changed: ['margin'] })
  })

  it('an empty password without a stored one is no value', () => {
    const mandatory = {
      ...PROFILE,
      secret: { ...PROFILE.secret, mandatory: true } as SettingDefinition,
    }
    expect(outcome({ user: 'jane', secret: '' })).toEqual({ user: 'jane' })
    expect(outcome({ user: 'jane', secret: '' }, { profile: mandatory })).toEqual([
      '/userSettings/secret: is mandatory and must not be empty',
    ])
    expect(outcome({ user: 'jane', secret: '' }, { profile: mandatory, existing })).toEqual({
      user: 'jane',
      secret: 'sealed',
    })
  })
})

describe('admin settings', () => {
  const admin = { scope: 'admin', pointer: '', patch: true } as const

  it('are stored as text, from natural JSON or text', () => {
    const expected = { limit: '2.5', pool: '7', live: 'true', routing: 'eu-1' }
    expect(outcome({ limit: 2.5, pool: 7, live: true, routing: 'eu-1' }, admin)).toEqual(expected)
    expect(outcome(expected, admin)).toEqual(expected)
    expect(outcome({ limit: '1e21' }, admin)).toEqual({ limit: '1000000000000000000000' })
    expect(outcome({ limit: '002.50' }, admin)).toEqual({ limit: '2.5' })
    const large = `1${'0'.repeat(308)}`
    expect(outcome({ limit: 1e308 }, admin)).toEqual({ limit: large })
    expect(outcome({ limit: large }, admin)).toEqual({ limit: large })
  })

  it.each(['', ' 5', '0x10', '1e999', 'Infinity', '--1'])('%j is no number', (limit) => {
    expect(outcome({ limit }, admin)).toEqual(['/limit: must be a number'])
  })

  it.each(['12345678901234567891', '1e-400', '1.10000000000000000001'])(
    '%s would be changed, and is refused',
    (limit) => {
      const refusal = `/limit: has more digits than can be kept: it would become ${Number(limit)}`
      expect(outcome({ limit }, admin)).toEqual([refusal])
    },
  )

  it('may be set bit by bit, but a mandatory one cannot be emptied', () => {
    expect(outcome({}, admin)).toEqual({})
    expect(outcome({ routing: '' }, admin)).toEqual([
      expect.stringContaining('/routing: is mandatory'),
    ])
    expect(outcome({ routing: null }, admin)).toEqual([expect.stringContaining('/routing: ')])
    expect(outcome({ user: 'x' }, admin)).toEqual([
      '/user: is set by the user, not by the developer of the app',
    ])
  })
})
