import { LIMITS } from '../../../base/values/definition-limits.ts'
import { isInheritedName } from '../../../base/values/text.ts'
import { jsonPointer } from '../../../errors.ts'
import type { Part, PartKind } from './part-fields.ts'

/** The most parts that are offered one by one; the rest is edited in the text. */
const LISTED_MAX = 200
/** A key of a setting, which is never a name that reaches a prototype. */
const SETTING_KEY = /^[A-Za-z][A-Za-z0-9_.-]{0,63}$/

/**
 * Where a part stands, or where one is added: then without a key. With its id a part is found only
 * while it stands there: the text may have changed since the place was named.
 */
export type PartPlace =
  | { kind: 'option' | 'acknowledgement'; index: number | undefined; id?: string }
  | { kind: 'setting'; optionId: string; key: string | undefined }

/** A part of a definition for a list of them. */
export type ListedPart = { place: PartPlace; title: string; note: string }

/** What of a definition has forms, however wrong the rest of it is. */
export type PartLists = {
  options: readonly ListedPart[]
  /** The settings of each option, or how many are listed on demand. */
  settings: readonly {
    optionId: string
    optionName: string
    settings: readonly ListedPart[]
    onDemand: number
  }[]
  acknowledgements: readonly ListedPart[]
  /** How many parts are not in these lists. */
  others: number
}

const LIST_OF = { option: 'purchaseOptions', acknowledgement: 'acknowledgements' } as const

const MOST_OF = {
  option: { count: LIMITS.purchaseOptionsMax, what: 'purchase options' },
  acknowledgement: { count: LIMITS.acknowledgementsMax, what: 'acknowledgements' },
} as const

/**
 * The parts of a definition as it was typed. Of one with very many, the settings of one option.
 *
 * @param shownOptionId whose settings are listed in any case
 */
export function partsOf(definition: Part, shownOptionId?: string): PartLists {
  let left = LISTED_MAX
  let others = 0
  const atMost = <One>(list: readonly One[]): readonly One[] => {
    const listed = list.slice(0, left)
    left -= listed.length
    others += list.length - listed.length
    return listed
  }
  const options = atMost(objectsIn(definition.purchaseOptions)).map(({ part, index }) => ({
    part,
    listed: {
      place: { kind: 'option', index, ...idOf(part) } as const,
      title: textOf(part.name) || textOf(part.id),
      note: textOf(part.id),
    },
  }))
  const acknowledgements = atMost(objectsIn(definition.acknowledgements)).map(
    ({ part, index }) => ({
      place: { kind: 'acknowledgement', index, ...idOf(part) } as const,
      title: textOf(part.title) || textOf(part.id),
      note: textOf(part.id),
    }),
  )
  const entriesOf = (part: Part) =>
    Object.entries(objectAt(definition.settings, textOf(part.id)) ?? {}).filter(
      (entry): entry is [string, Part] => isObject(entry[1]),
    )
  const count = options.reduce((sum, { part }) => sum + entriesOf(part).length, 0)
  const isOnDemand = count > left
  const settings = options.flatMap(({ part, listed }) => {
    const optionId = textOf(part.id)
    if (optionId === '') return []
    const entries = entriesOf(part)
    if (isOnDemand && optionId !== shownOptionId) {
      return [{ optionId, optionName: listed.title, settings: [], onDemand: entries.length }]
    }
    const ofOption = atMost(entries).map(([key, setting]) => ({
      place: { kind: 'setting', optionId, key } as const,
      title: textOf(setting.name) || key,
      note: `${key}, ${textOf(setting.type)}`,
    }))
    return [{ optionId, optionName: listed.title, settings: ofOption, onDemand: 0 }]
  })
  return { options: options.map(({ listed }) => listed), settings, acknowledgements, others }
}

function idOf(part: Part): { id?: string } {
  const id = textOf(part.id)
  return id === '' ? {} : { id }
}

/** The part at a place; an empty one where one is added; undefined when there is none. */
export function partAt(definition: Part, place: PartPlace): Part | undefined {
  if (place.kind === 'setting') {
    if (place.key === undefined) return {}
    const setting = objectAt(objectAt(definition.settings, place.optionId), place.key)
    return setting
  }
  if (place.index === undefined) return {}
  const list = definition[LIST_OF[place.kind]]
  const part: unknown = Array.isArray(list) ? list[place.index] : undefined
  if (!isObject(part)) return undefined
  return place.id === undefined || place.id === textOf(part.id) ? part : undefined
}

/**
 * Puts a part into a definition, in place of the one there. An option that gets another id takes
 * its settings along.
 *
 * @param key of a setting
 * @returns why it cannot be put there, if so
 */
export function putPart(
  definition: Part,
  place: PartPlace,
  part: Part,
  key: string,
): string | undefined {
  if (place.kind === 'setting') return putSetting(definition, place, part, key)
  const name = LIST_OF[place.kind]
  const list: unknown[] = Array.isArray(definition[name]) ? definition[name] : []
  const before = place.index === undefined ? undefined : list[place.index]
  if (place.index === undefined && list.length >= MOST_OF[place.kind].count) {
    return `A definition has at most ${MOST_OF[place.kind].count} ${MOST_OF[place.kind].what}.`
  }
  if (place.index === undefined) list.push(part)
  else list[place.index] = part
  definition[name] = list
  if (place.kind === 'option' && isObject(before)) {
    renameSettings(definition, textOf(before.id), textOf(part.id))
  }
  return undefined
}

function putSetting(
  definition: Part,
  { optionId, key: before }: Extract<PartPlace, { kind: 'setting' }>,
  part: Part,
  key: string,
): string | undefined {
  if (!SETTING_KEY.test(key)) {
    return 'The key of a setting begins with a letter and has letters, digits, “_”, “.” and “-”.'
  }
  const all = isObject(definition.settings) ? definition.settings : {}
  const profile = objectAt(all, optionId) ?? {}
  if (isInheritedName(key)) return `The key ${key} is reserved. Enter another one.`
  if (key !== before && Object.hasOwn(profile, key)) return `There is a setting ${key} already.`
  if (before === undefined && Object.keys(profile).length >= LIMITS.settingsPerProfileMax) {
    return `An option has at most ${LIMITS.settingsPerProfileMax} settings.`
  }
  const entries = Object.entries(profile).map(([name, setting]) =>
    name === before ? [key, part] : [name, setting],
  )
  if (before === undefined) entries.push([key, part])
  definition.settings = withMember(all, optionId, Object.fromEntries(entries))
  return undefined
}

/** Whether another option, or another acknowledgement, has an id. */
export function isIdInUse(definition: Part, place: PartPlace, id: unknown): boolean {
  if (place.kind === 'setting') return false
  return objectsIn(definition[LIST_OF[place.kind]]).some(
    (other) => other.index !== place.index && other.part.id === id && textOf(id) !== '',
  )
}

/** Takes a part out of a definition, an option with its settings unless another has its id. */
export function removePart(definition: Part, place: PartPlace): void {
  if (place.kind === 'setting') {
    const profile = objectAt(definition.settings, place.optionId)
    if (profile !== undefined && place.key !== undefined) delete profile[place.key]
    return
  }
  const list = definition[LIST_OF[place.kind]]
  if (!Array.isArray(list) || place.index === undefined) return
  const [gone] = list.splice(place.index, 1) as unknown[]
  if (place.kind !== 'option' || !isObject(gone) || !isObject(definition.settings)) return
  const id = textOf(gone.id)
  if (!objectsIn(list).some(({ part }) => part.id === id)) delete definition.settings[id]
}

function renameSettings(definition: Part, before: string, after: string): void {
  const all = definition.settings
  if (before === after || after === '' || !isObject(all) || !Object.hasOwn(all, before)) return
  if (Object.hasOwn(all, after)) return
  definition.settings = Object.fromEntries(
    Object.entries(all).map(([id, profile]) => [id === before ? after : id, profile]),
  )
}

/** The name of a place in a form: the JSON pointer of the part, with its id, or of the list and `-`. */
export function placeName(place: PartPlace): string {
  return place.kind === 'setting'
    ? jsonPointer(['settings', place.optionId, place.key ?? '-'])
    : jsonPointer([LIST_OF[place.kind], place.index ?? '-', ...(place.id ? [place.id] : [])])
}

/** The inverse of `placeName`; undefined for anything else. */
export function placeNamed(name: string): PartPlace | undefined {
  const [list, first = '', second, ...more] = name.split('/').slice(1).map(unescaped)
  if (more.length > 0) return undefined
  if (list === 'settings' && second !== undefined) {
    return { kind: 'setting', optionId: first, key: second === '-' ? undefined : second }
  }
  const kind = (Object.keys(LIST_OF) as PartKind[]).find(
    (one) => one !== 'setting' && LIST_OF[one] === list,
  ) as 'option' | 'acknowledgement' | undefined
  if (kind === undefined || !/^(-|\d{1,6})$/.test(first)) return undefined
  if (first === '-') return second === undefined ? { kind, index: undefined } : undefined
  return { kind, index: Number(first), ...(second !== undefined && { id: second }) }
}

const unescaped = (part: string) => part.replaceAll('~1', '/').replaceAll('~0', '~')

function isObject(value: unknown): value is Part {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function objectAt(value: unknown, name: string): Part | undefined {
  if (!isObject(value) || !Object.hasOwn(value, name)) return undefined
  return isObject(value[name]) ? (value[name] as Part) : undefined
}

function objectsIn(list: unknown): { part: Part; index: number }[] {
  if (!Array.isArray(list)) return []
  return list
    .map((part: unknown, index) => ({ part, index }))
    .filter((one): one is { part: Part; index: number } => isObject(one.part))
}

/** An object with a member more, in its place if it was there; whatever the name is. */
function withMember(object: Part, name: string, value: unknown): Part {
  const entries = Object.entries(object).filter(([one]) => one !== name)
  const at = Object.keys(object).indexOf(name)
  entries.splice(at === -1 ? entries.length : at, 0, [name, value])
  return Object.fromEntries(entries)
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')
