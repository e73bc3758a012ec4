import { describe, expect, test } from 'vitest'
import {
  SettingDefinition,
  type SettingsProfile,
} from '../../../../src/marketplace/apps/settings/definitions.ts'
import type { SettingValue } from '../../../../src/marketplace/apps/settings/value-types.ts'
import {
  settingsKeptAndLost,
  storedProfile,
} from '../../../../src/marketplace/installations/settings/settings-kept-and-lost.ts'

/** A profile from definitions in short: `name` is filled in. */
function profile(settings: Record<string, object>): SettingsProfile {
  return Object.fromEntries(
    Object.entries(settings).map(([key, setting]) => [
      key,
      SettingDefinition.parse({ name: key, ...setting }),
    ]),
  )
}
const text = (more = {}) => ({ type: 'text', ...more })
const number = (more = {}) => ({ type: 'number', ...more })
const password = (more = {}) => ({ type: 'password', ...more })
const select = (...values: (string | number)[]) => ({
  type: 'select',
  options: values.map((value) => ({ name: `Choice ${value}`, value })),
})

const stored = (user: Record<string, SettingValue>, admin: Record<string, SettingValue> = {}) => ({
  user: new Map(Object.entries(user)),
  admin: new Map(Object.entries(admin)),
})

function become(values: ReturnType<typeof stored>, from: object, to: object) {
  const { kept, lost, needed } = settingsKeptAndLost(
    values,
    profile(from as Record<string, object>),
    profile(to as Record<string, object>),
  )
  return { kept, lost, needed }
}

describe('under another profile a value', () => {
  test('stays when key, scope and type are the same and it is still allowed', () => {
    expect(
      become(stored({ a: 'x', n: 3 }), { a: text(), n: number() }, { a: text(), n: number() }),
    ).toEqual({ kept: ['a', 'n'], lost: [], needed: [] })
  })

  test('is lost when the key is gone', () => {
    expect(become(stored({ a: 'x' }), { a: text() }, {})).toEqual({
      kept: [],
      lost: ['a'],
      needed: [],
    })
  })

  test.each([
    ['another type', text(), { type: 'password' }],
    ['another scope', text(), { type: 'text', scope: 'admin' }],
  ])('is lost and needed anew when the key has %s', (_, from, to) => {
    expect(become(stored({ a: 'x' }), { a: from }, { a: { ...to, mandatory: true } })).toEqual({
      kept: [],
      lost: ['a'],
      needed: 'scope' in to ? [] : ['a'],
    })
  })

  test.each([
    ['over the new maximum', { n: 5 }, number(), number({ max: 4 })],
    ['under the new minimum', { n: 5 }, number(), number({ min: 6 })],
    ['off the new steps', { n: 5 }, number(), number({ step: 2 })],
    ['not among the new choices', { n: 'a' }, select('a', 'b'), select('b')],
    ['empty where it is mandatory now', { n: '' }, text(), text({ mandatory: true })],
  ])('is lost when it is %s', (_, value, from, to) => {
    const result = become(stored(value as Record<string, SettingValue>), { n: from }, { n: to })
    expect(result).toMatchObject({ kept: [], lost: ['n'] })
  })

  test('of a password is carried over untouched', () => {
    const before = stored({ p: '(stored)' })
    expect(become(before, { p: password() }, { p: password({ mandatory: true }) })).toEqual({
      kept: ['p'],
      lost: [],
      needed: [],
    })
  })

  test('of a select takes the type of the new choice', () => {
    const { carried } = settingsKeptAndLost(
      stored({ n: 5 }),
      profile({ n: select(5) }),
      profile({ n: select('5') }),
    )
    expect(carried.user.get('n')).toBe('5')
  })

  test('of an admin setting stays an admin setting, which is not named to the account', () => {
    const admin = number({ scope: 'admin', max: 9 })
    const result = settingsKeptAndLost(
      stored({}, { n: '7.5' }),
      profile({ n: admin }),
      profile({ n: admin }),
    )
    expect(result).toMatchObject({ kept: [], lost: [], lostAdmin: [] })
    expect(result.carried.admin.get('n')).toBe('7.5')
  })
})

describe('what is needed', () => {
  test('are mandatory user settings without a value that stays, sorted', () => {
    const to = {
      z: text({ mandatory: true }),
      a: number({ mandatory: true }),
      kept: text({ mandatory: true }),
      optional: text(),
      admin: text({ mandatory: true, scope: 'admin' }),
    }
    expect(become(stored({ kept: 'x' }), { kept: text() }, to).needed).toEqual(['a', 'z'])
  })
})

describe('the profile of an option', () => {
  test('that has no settings is empty', () => {
    expect(storedProfile({ free: {} }, 'free')).toEqual({})
    expect(storedProfile({}, 'free')).toEqual({})
  })

  test.each(['constructor', 'toString', '__proto__', 'hasOwnProperty'])(
    'named like the inherited %s is empty',
    (name) => {
      expect(storedProfile({}, name)).toEqual({})
    },
  )
})
