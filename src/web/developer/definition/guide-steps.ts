import type { FieldError } from '../../../errors.ts'
import { PERMISSIONS } from '../../../marketplace/apps/permissions.ts'
import type { FormSpec } from '../../kit/fields.ts'
import { type FormProblem, fieldProblemText, sentence } from '../../shared/forms/form-problems.ts'
import { type FormFields, multilineText } from '../../shared/forms/settings-form.ts'
import { type PartPlace, partAt, putPart } from './definition-parts.ts'
import { isBlankPart, KEY_CONTROL } from './definition-steps.ts'
import { fieldText, PART_FIELDS, type Part, writtenPart } from './part-fields.ts'
import { partControl, partProblems } from './part-problems.ts'

/** The forms of the guide, in their order. */
export const GUIDE_STEPS = {
  about: 'About',
  permissions: 'Permissions',
  prices: 'Prices',
  settings: 'Settings',
} as const
export type GuideStep = keyof typeof GUIDE_STEPS

/** Name of the field that says which form is shown. */
export const GUIDE_STEP_FIELD = 'step'

/** The only option that the guide makes; more are added in the editor. */
const OPTION_ID = 'standard'
const OPTION: PartPlace = { kind: 'option', index: 0 }
const NEW_SETTING: PartPlace = { kind: 'setting', optionId: OPTION_ID, key: undefined }

/** What the guide begins with: an app that is free and of which nothing is said yet. */
export const EMPTY_DEFINITION: Part = {
  id: '',
  name: '',
  description: '',
  partyTypes: ['Seller'],
  version: '1.0.0',
  permissions: [],
  purchaseOptions: [
    {
      id: OPTION_ID,
      name: 'Standard',
      pricingModel: 'FlatMonthly',
      currency: 'USD',
      monthlyRate: 0,
    },
  ],
  settings: {},
  acknowledgements: [],
}

const ADDRESS = { keyboard: 'url', optional: true } as const

/** The first form; each control is named for the member of the definition that it fills. */
export const ABOUT_FIELDS = {
  name: { label: 'Name' },
  id: {
    label: 'ID',
    hint: 'Part of its address, never changed: small letters, digits and hyphens. Left blank, it is made of the name.',
    optional: true,
  },
  description: { label: 'Description', kind: 'lines', hint: 'What the app does.', optional: true },
  partyTypes: {
    label: 'Offered to',
    kind: 'radio',
    choices: [
      ['Seller', 'Sellers'],
      ['Buyer', 'Buyers'],
      ['Seller Buyer', 'Sellers and Buyers'],
    ],
  },
  authReturnUrl: {
    ...ADDRESS,
    label: 'Return address',
    hint: 'Where users arrive when they open the app. Left blank, it runs in the background.',
  },
  websiteUrl: { ...ADDRESS, label: 'Website' },
  supportUrl: { ...ADDRESS, label: 'Support page' },
} as const satisfies FormSpec

/** The second form: why each permission is needed, or nothing. */
export const PERMISSION_FIELDS: FormSpec = Object.fromEntries(
  PERMISSIONS.map(({ id, title, description }) => [
    `why.${id}`,
    { label: title, hint: description, optional: true },
  ]),
)

/** The step that a form names; the first unless it names one. */
export function guideStep(fields: FormFields): GuideStep {
  const step = fields.get(GUIDE_STEP_FIELD) ?? ''
  return Object.hasOwn(GUIDE_STEPS, step) ? (step as GuideStep) : 'about'
}

/** The step before, or after. */
export function stepBeside(step: GuideStep, by: 1 | -1): GuideStep | undefined {
  const steps = Object.keys(GUIDE_STEPS) as GuideStep[]
  return steps[steps.indexOf(step) + by]
}

/** What a form of the guide shows of a definition. */
export function guideFields(step: GuideStep, definition: Part): FormFields {
  switch (step) {
    case 'about':
      return new Map(
        Object.keys(ABOUT_FIELDS).map((name) => {
          const value = definition[name]
          return [name, Array.isArray(value) ? value.join(' ') : textOf(value)]
        }),
      )
    case 'permissions':
      return new Map(
        permissionsOf(definition).map(({ id, purpose }) => [`why.${textOf(id)}`, textOf(purpose)]),
      )
    case 'prices': {
      const option = partAt(definition, OPTION) ?? {}
      const known = PART_FIELDS.option.filter(({ name }) => Object.hasOwn(option, name))
      return new Map(known.map((field) => [partControl(field.name), fieldText(field, option)]))
    }
    case 'settings':
      return new Map()
  }
}

/**
 * Writes what a form of the guide says into a definition.
 *
 * @returns what is wrong with the form, each at its control
 */
export function writeStep(
  step: GuideStep,
  fields: FormFields,
  definition: Part,
): readonly FormProblem[] {
  switch (step) {
    case 'about':
      writeAbout(fields, definition)
      return []
    case 'permissions':
      definition.permissions = PERMISSIONS.flatMap(({ id }) => {
        const purpose = (fields.get(`why.${id}`) ?? '').trim()
        return purpose === '' ? [] : [{ id, purpose }]
      })
      return []
    case 'prices':
      return writePart(OPTION, fields, definition)
    case 'settings':
      return isBlankPart(fields, NEW_SETTING) ? [] : writePart(NEW_SETTING, fields, definition)
  }
}

function writeAbout(fields: FormFields, definition: Part): void {
  for (const name of Object.keys(ABOUT_FIELDS)) {
    const text = multilineText(fields, name).trim()
    if (name === 'partyTypes') definition[name] = text.split(' ')
    else if (text !== '' || !name.endsWith('Url')) definition[name] = text
    else delete definition[name]
  }
  if (definition.id === '') definition.id = idOf(textOf(definition.name))
}

/** `Shelf Watch` -> `shelf-watch`. */
function idOf(name: string): string {
  const words =
    name
      .normalize('NFKD')
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? []
  return words.join('-').slice(0, 64).replace(/-$/, '')
}

function writePart(place: PartPlace, fields: FormFields, definition: Part): FormProblem[] {
  const before = partAt(definition, place) ?? {}
  // The guide does not ask for the ID of its option.
  const typed = (name: string) =>
    place.kind === 'option' && name === 'id'
      ? textOf(before.id)
      : multilineText(fields, partControl(name))
  const part = writtenPart(place.kind, before, typed)
  const problems = partProblems(definition, place, { before, part }, typed)
  if (problems.length > 0) return problems
  const problem = putPart(definition, place, part, (fields.get(KEY_CONTROL) ?? '').trim())
  return problem === undefined ? [] : [{ field: KEY_CONTROL, text: problem }]
}

/** The settings that the guide has made: key -> name. */
export function settingsMade(definition: Part): readonly (readonly [string, string])[] {
  const all = (definition.settings ?? {}) as Record<string, Record<string, Part>>
  return Object.entries(all[OPTION_ID] ?? {}).map(([key, { name }]) => [key, textOf(name)])
}

const STEP_OF: Readonly<Record<string, GuideStep>> = {
  permissions: 'permissions',
  purchaseOptions: 'prices',
  settings: 'settings',
}

/** Where what is wrong with a definition is mended: the form of the guide, and its control. */
export function guideProblem({ pointer, detail }: FieldError): { step: GuideStep } & FormProblem {
  const [, member = '', second = '', third] = pointer.split('/')
  const step = Object.hasOwn(STEP_OF, member) ? (STEP_OF[member] ?? 'about') : 'about'
  if (step === 'about') {
    const known = Object.entries(ABOUT_FIELDS).find(([name]) => name === member)
    if (known === undefined)
      return { step, field: undefined, text: sentence(`${pointer} ${detail}`) }
    const [field, { label }] = known
    return { step, field, text: fieldProblemText(label, detail) }
  }
  const field = step === 'prices' && second === '0' && third ? partControl(third) : undefined
  return { step, field, text: sentence(`${pointer} ${detail}`) }
}

function permissionsOf({ permissions }: Part): readonly Part[] {
  return Array.isArray(permissions) ? (permissions as Part[]) : []
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')
