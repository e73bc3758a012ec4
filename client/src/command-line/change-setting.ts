import { changeAdminSettings } from '../generated/sdk.gen.ts'
import type { App, AppSetting, Installation } from '../generated/types.gen.ts'
import type { Marketplace } from '../marketplace.ts'
import { changeAndBack } from './change-and-back.ts'
import { UsageError } from './usage-error.ts'

/**
 * Changes an admin setting of an installation, and puts it back at once.
 *
 * @returns the key of the setting
 * @throws UsageError when no setting can be put back: a mandatory one without a value stays set
 */
export async function changeSettingAndBack(
  client: Marketplace['client'],
  app: App,
  { id, purchaseOptionId, adminSettings }: Installation,
): Promise<string> {
  const profile = new Map(Object.entries(app.settings)).get(purchaseOptionId) ?? {}
  const stored = new Map(Object.entries(adminSettings))
  for (const [key, setting] of Object.entries(profile)) {
    const before = stored.get(key)
    const value = values(setting).find((one) => String(one) !== before)
    const canGoBack = before !== undefined || !setting.mandatory
    if (setting.scope !== 'admin' || value === undefined || !canGoBack) continue
    const set = (one: string | number | boolean | null) =>
      changeAdminSettings({ client, path: { installationId: id }, body: { [key]: one } })
    await changeAndBack(
      () => set(value),
      () => set(before ?? null),
      `The admin setting "${key}" in your sandbox is still changed`,
    )
    return key
  }
  const other = Object.entries(app.settings).find(
    ([optionId, settings]) =>
      optionId !== purchaseOptionId &&
      Object.values(settings).some(({ scope }) => scope === 'admin'),
  )
  throw new UsageError(
    `${app.id} has no admin setting that can be changed and put back. ` +
      (other === undefined
        ? `Change one yourself: PATCH /v1/Developer/Installations/${id}/AdminSettings`
        : `Another purchase option may have one. Run: sandbox ${app.id} --option ${other[0]}`),
  )
}

/** Values that a setting takes, two where it has two; none of a password. */
function values({ type, options = [], min = 0, max, step = 1 }: AppSetting) {
  switch (type) {
    case 'text':
      return ['triggered', 'triggered again']
    case 'boolean':
      return [true, false]
    case 'select':
      return options.map(({ value }) => value)
    case 'number':
      return [min, min + step].filter((value) => max === undefined || value <= max)
    case 'password':
      return []
  }
}
