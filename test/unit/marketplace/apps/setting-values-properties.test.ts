import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  profileOf,
  type SettingDefinition,
  type SettingsProfile,
} from '../../../../src/marketplace/apps/settings/definitions.ts'
import type { SettingValue } from '../../../../src/marketplace/apps/settings/value-types.ts'
import { validateSettings } from '../../../../src/marketplace/apps/settings/values.ts'
import { isBreaking } from '../../../../src/marketplace/apps/versions/compare-definitions.ts'
import { compareProfiles } from '../../../../src/marketplace/apps/versions/compare-settings.ts'
import { carryOverSettings } from '../../../../src/marketplace/installations/settings/settings-kept-and-lost.ts'
import { definitions, userSettings } from '../../../setup/apps-arbitraries.ts'
import { common, USER_PROFILE } from '../../../setup/apps-profile.ts'

/** Some input that a setting accepts. */
function valid(setting: SettingDefinition): fc.Arbitrary<unknown> {
  switch (setting.type) {
    case 'boolean':
      return fc.constantFrom(true, false)
    case 'select':
      return fc.constantFrom(...setting.options.map(({ value }) => value))
    case 'number': {
      const { min = 0, max, step = 1 } = setting
      const tenths = (value: number) => Math.round(value * 1e6) / 1e6
      const steps = max === undefined ? 20 : Math.floor((max - min) / step + 1e-9)
      return fc.integer({ min: 0, max: steps }).map((count) => tenths(min + count * step))
    }
    default:
      return fc.string({ minLength: 1 }).filter((text) => text.trim() !== '')
  }
}

const withValues = definitions.chain((app) => {
  const option = app.purchaseOptions[0]?.id ?? ''
  const profile = profileOf(app.settings, option)
  const user = Object.entries(profile).filter(([, setting]) => setting.scope === 'user')
  const values = fc.record(Object.fromEntries(user.map(([key, setting]) => [key, valid(setting)])))
  return fc.record({ profile: fc.constant(profile), values })
})

describe('properties', () => {
  it('what was stored is accepted again and stored the same', () => {
    fc.assert(
      fc.property(withValues, ({ profile, values }) => {
        const first = validateSettings({ profile, scope: 'user', input: values })
        if (!first.ok) throw new Error(JSON.stringify(first.errors))
        const again = validateSettings({
          profile,
          scope: 'user',
          input: Object.fromEntries(first.values),
        })
        expect(again).toMatchObject({ ok: true, values: first.values })
        expect(carryOverSettings(first.values, 'user', profile, profile)).toEqual(first.values)
      }),
    )
  })

  it('values hold through every change that is not called breaking', () => {
    const pair = userSettings.chain((before) =>
      fc.record({
        before: fc.constant(before),
        after: userSettings.filter(({ type }) => type === before.type),
        value: valid(before),
      }),
    )
    let held = 0
    fc.assert(
      fc.property(pair, ({ before, after, value }) => {
        const changes = compareProfiles({ a: before }, { a: after }, [])
        if (isBreaking(changes)) return
        if (changes.some(({ kind }) => kind === 'setting_widened')) held += 1
        const input = { a: value }
        const result = validateSettings({ profile: { a: after }, scope: 'user', input })
        expect(result).toMatchObject({ ok: true })
      }),
      { numRuns: 10_000 },
    )
    // Else the property would hold for want of cases.
    expect(held).toBeGreaterThan(20)
  })

  it('never throws, whatever comes in', () => {
    fc.assert(
      fc.property(fc.anything({ withNullPrototype: true }), fc.boolean(), (input, patch) => {
        const result = validateSettings({ profile: USER_PROFILE, scope: 'user', input, patch })
        expect(typeof result.ok).toBe('boolean')
      }),
    )
  })
})

describe('carryOverSettings', () => {
  it('keeps what the new profile allows and drops the rest', () => {
    const to: SettingsProfile = {
      user: { ...common, type: 'text' },
      secret: { ...common, type: 'password' },
      margin: { ...common, type: 'number', max: 0.3 },
      dryRun: { ...common, type: 'text' },
      zone: { ...common, type: 'select', scope: 'admin', options: [{ name: 'Zone 5', value: 5 }] },
    }
    const values = new Map<string, SettingValue>([
      ['user', 'jane'],
      ['secret', 'sealed'],
      ['margin', 0.5],
      ['dryRun', 'true'],
      ['zone', 5],
      ['constructor', 'x'],
    ])
    expect(carryOverSettings(values, 'user', USER_PROFILE, to)).toEqual(
      new Map([
        ['user', 'jane'],
        ['secret', 'sealed'],
      ]),
    )
  })
})
