import { isOnGrid, largestOnGrid } from '../pricing/decimals.ts'
import {
  choiceText,
  type SettingDefinition,
  type SettingsProfile,
} from '../settings/definitions.ts'
import { type Change, change, paired } from './change-kinds.ts'
import { fromTo } from './change-words.ts'

type NumberSetting = Extract<SettingDefinition, { type: 'number' }>
type SelectSetting = Extract<SettingDefinition, { type: 'select' }>

const PRESENTATION = ['name', 'description', 'placeholder', 'order'] as const

/** What changed between two profiles of one purchase option, in no particular order. */
export function compareProfiles(
  before: SettingsProfile,
  after: SettingsProfile,
  path: readonly string[],
): Change[] {
  return paired(Object.entries(before), Object.entries(after), ([key]) => key).flatMap((pair) => {
    const here = [...path, pair.key]
    const [old, now] = [pair.before?.[1], pair.after?.[1]]
    if (old !== undefined && now !== undefined) return compareSettings(old, now, here)
    if (old !== undefined) return [change('setting_removed', here)]
    return now?.mandatory === true
      ? [change('mandatory_setting_added', here)]
      : [change('setting_added', here)]
  })
}

function compareSettings(
  before: SettingDefinition,
  after: SettingDefinition,
  path: readonly string[],
): Change[] {
  const changes: Change[] = []

  if (before.scope !== after.scope) {
    const detail = fromTo(before.scope, after.scope)
    changes.push(change('setting_scope_changed', [...path, 'scope'], detail))
  }
  if (before.mandatory !== after.mandatory) {
    const kind = after.mandatory ? 'setting_made_mandatory' : 'setting_made_optional'
    changes.push(change(kind, [...path, 'mandatory']))
  }
  for (const field of PRESENTATION) {
    const [from, to]: unknown[] = [Reflect.get(before, field), Reflect.get(after, field)]
    if (from === to) continue
    changes.push(change('setting_presentation_changed', [...path, field], fromTo(from, to)))
  }
  if (before.type !== after.type) {
    const detail = fromTo(before.type, after.type)
    changes.push(change('setting_retyped', [...path, 'type'], detail))
  } else if (before.type === 'number' && after.type === 'number') {
    changes.push(...compareNumbers(before, after, path))
  } else if (before.type === 'select' && after.type === 'select') {
    changes.push(...compareSelects(before, after, path))
  }
  return changes
}

function compareNumbers(
  before: NumberSetting,
  after: NumberSetting,
  path: readonly string[],
): Change[] {
  const changes: Change[] = []
  const bounds = [
    { field: 'min', open: Number.NEGATIVE_INFINITY, narrower: (a: number, b: number) => a > b },
    { field: 'max', open: Number.POSITIVE_INFINITY, narrower: (a: number, b: number) => a < b },
  ] as const
  for (const { field, open, narrower } of bounds) {
    const [from, to] = [before[field] ?? open, after[field] ?? open]
    if (from === to) continue
    const last = field === 'max' ? largestValue(before) : from
    const kind = narrower(to, last) ? 'setting_narrowed' : 'setting_widened'
    const detail = fromTo(before[field], after[field])
    changes.push(change(kind, [...path, field], detail))
  }
  if (before.step === after.step && (before.min ?? 0) === (after.min ?? 0)) return changes
  const kept = keepsGrid(before, after)
  if (!kept || !keepsGrid(after, before)) {
    const detail = `changed from ${shownGrid(before)} to ${shownGrid(after)}`
    changes.push(change(kept ? 'setting_widened' : 'setting_narrowed', [...path, 'step'], detail))
  }
  return changes
}

/** With steps it may be less than `max`: of 0, 3, 6, 9 up to 10 it is 9. */
function largestValue({ min = 0, max, step }: NumberSetting): number {
  if (max === undefined) return Number.POSITIVE_INFINITY
  return step === undefined ? max : largestOnGrid(max, step, min)
}

/** Whether every value on the steps of `before` lies on the steps of `after`, bounds aside. */
function keepsGrid(before: NumberSetting, after: NumberSetting): boolean {
  if (after.step === undefined) return true
  if (before.step === undefined) return false
  return (
    isOnGrid(before.step, after.step, 0) && isOnGrid(before.min ?? 0, after.step, after.min ?? 0)
  )
}

function shownGrid({ step, min }: NumberSetting): string {
  return step === undefined ? 'any number' : `steps of ${step} counted from ${min ?? 0}`
}

/** A dropdown shows its choices in the order of the definition, so their order is part of it. */
function compareSelects(
  before: SelectSetting,
  after: SelectSetting,
  path: readonly string[],
): Change[] {
  const pairs = paired(before.options, after.options, (option) => choiceText(option.value))
  const changedChoices = pairs.flatMap(({ key, before: old, after: now }) => {
    const here = [...path, 'options', key]
    if (old === undefined) return [change('select_option_added', here)]
    if (now === undefined) return [change('select_option_removed', here)]
    const changes: Change[] = []
    if (typeof old.value !== typeof now.value) {
      const detail = `the value turned from a ${typeof old.value} into a ${typeof now.value}`
      changes.push(change('select_option_retyped', [...here, 'value'], detail))
    }
    if (old.name !== now.name) {
      const detail = fromTo(old.name, now.name)
      changes.push(change('select_option_renamed', [...here, 'name'], detail))
    }
    return changes
  })
  const kept = pairs.filter((pair) => pair.before !== undefined && pair.after !== undefined)
  const placeOf = new Map(after.options.map((option, index) => [choiceText(option.value), index]))
  const places = kept.map(({ key }) => placeOf.get(key) ?? -1)
  if (places.every((place, index) => place > (places[index - 1] ?? -1))) return changedChoices
  return [...changedChoices, change('select_options_reordered', [...path, 'options'])]
}
