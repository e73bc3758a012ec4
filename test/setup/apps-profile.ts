import type { SettingsProfile } from '../../src/marketplace/apps/settings/definitions.ts'

/** What all settings of these tests have in common. */
export const common = { name: 'X', mandatory: false, order: 1, scope: 'user' } as const

/** One setting of each type, which users set. */
export const USER_PROFILE: SettingsProfile = {
  user: { ...common, type: 'text', mandatory: true },
  secret: { ...common, type: 'password' },
  margin: { ...common, type: 'number', min: 0, max: 1, step: 0.05 },
  dryRun: { ...common, type: 'boolean' },
  zone: {
    ...common,
    type: 'select',
    options: [
      { name: 'Europe', value: 'eu' },
      { name: 'Zone 5', value: 5 },
    ],
  },
}
