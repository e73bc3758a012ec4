import { z } from 'zod'
import { LIMITS } from '../../../base/values/definition-limits.ts'
import { notKnown, ofEachKey } from '../../../base/values/field-errors.ts'
import { countEntries, limited } from '../../../base/values/limited.ts'
import {
  byDisplayOrder,
  DisplayOrder,
  EntryId,
  filledText,
  isInheritedName,
  text,
} from '../../../base/values/text.ts'
import { decimalPlaces, plainDecimal } from '../pricing/decimals.ts'
import { EVEN_IF_INVALID, reportDuplicates, wholeUnion } from '../schema-checks.ts'

const label = filledText('line', LIMITS.nameMaxLength)
  .describe('Display name of the setting (1 to 100 characters).')
  .meta({ id: 'SettingName', examples: ['ERP user'] })

const description = text('paragraph', LIMITS.descriptionMaxLength)
  .optional()
  .describe('Help text beside the control (up to 1000 characters).')
  .meta({ examples: ['The user that the app logs in with, as it is written in your ERP.'] })

const shared = {
  mandatory: z
    .boolean()
    .default(false)
    .describe(
      'Whether a value must be given: a text or password that is not empty, a boolean of either ' +
        'value (to make somebody agree use an acknowledgement).',
    )
    .meta({ id: 'SettingMandatory', examples: [true] }),
  order: DisplayOrder,
  scope: z
    .enum(['user', 'admin'])
    .default('user')
    .describe(
      'Who sets it: `user` = the installing account, at install and later; `admin` = the ' +
        'developer, typically after the install. Users see only their own.',
    )
    .meta({ id: 'SettingScope', examples: ['user'] }),
}

/** Bounded so that a value, its bounds and its step can be compared as exact decimals. */
const bound = z
  .number()
  .min(-LIMITS.settingNumberMax)
  .max(LIMITS.settingNumberMax)
  .refine(
    (value) => !Number.isFinite(value) || decimalPlaces(value) <= LIMITS.settingNumberDecimals,
    `must have at most ${LIMITS.settingNumberDecimals} decimals`,
  )

function strict<Shape extends z.core.$ZodShape>(type: string, shape: Shape) {
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? ofEachKey(issue.keys, (key) =>
            notKnown(
              key,
              Object.keys(shape),
              `is not an attribute of a ${type} setting; it has ${Object.keys(shape).join(', ')}`,
            ),
          )
        : undefined,
  })
}

const TextSetting = strict('text', {
  type: z.literal('text').describe('Free-form text.'),
  name: label,
  description,
  placeholder: text('line', LIMITS.placeholderMaxLength)
    .optional()
    .describe('Example text in the empty control (up to 200 characters).')
    .meta({ examples: ['jane'] }),
  ...shared,
})

const SelectChoice = z
  .strictObject({
    name: filledText('line', LIMITS.selectTextMaxLength)
      .describe('Display text (1 to 200 characters).')
      .meta({ examples: ['Europe'] }),
    value: z
      .union([filledText('line', LIMITS.selectTextMaxLength), bound], {
        error: (issue) =>
          issue.input === undefined
            ? undefined
            : `must be a number or a text of 1 to ${LIMITS.selectTextMaxLength} characters`,
      })
      .describe('Value of the choice, a string or a number; settings keep the type it has here.')
      .meta({ examples: ['eu', 5] }),
  })
  .describe('One entry of the dropdown.')

const SelectSetting = strict('select', {
  type: z.literal('select').describe('Dropdown.'),
  name: label,
  options: limited(
    z
      .array(SelectChoice)
      .min(1)
      .max(LIMITS.selectOptionsMax)
      .superRefine((options, ctx) => {
        // Compared as text: web forms and admin settings carry 1 and "1" alike.
        reportDuplicates(ctx, options, ['value'], (value) => `repeats the value ${value}`)
        reportDuplicates(ctx, options, ['name'], (name) => `repeats the name ${name}`)
      }, EVEN_IF_INVALID),
    LIMITS.selectOptionsMax,
    'entries',
  )
    .describe(
      'The choices in the order of their display, 1 to 50, with distinct names and distinct values (1 and "1" count as the same value).',
    )
    .meta({
      examples: [
        [
          { name: 'Europe', value: 'eu' },
          { name: 'Zone 5', value: 5 },
        ],
      ],
    }),
  ...shared,
})

const NumberSetting = strict('number', {
  type: z.literal('number').describe('Numeric input.'),
  name: label,
  min: bound
    .optional()
    .describe('Smallest allowed value; at most 9 decimals.')
    .meta({ examples: [0] }),
  max: bound
    .optional()
    .describe('Largest allowed value, not below `min`; at most 9 decimals.')
    .meta({ examples: [1] }),
  step: bound
    .refine((step) => !(step <= 0), 'must be greater than 0')
    .optional()
    .describe(
      'Allowed values lie whole steps from `min` (from 0 without it), in exact decimals; ' +
        'without it every number is allowed. Greater than 0, at most 9 decimals.',
    )
    .meta({ examples: [0.05] }),
  ...shared,
}).superRefine((setting, ctx) => {
  const { min, max } = setting
  if (typeof min === 'number' && typeof max === 'number' && min > max) {
    ctx.addIssue({
      code: 'custom',
      path: ['max'],
      message: `must not be below min, which is ${min}`,
    })
  }
}, EVEN_IF_INVALID)

const BooleanSetting = strict('boolean', {
  type: z
    .literal('boolean')
    .describe('Checkbox. An optional one that is not there was never ticked: it means `false`.'),
  name: label,
  ...shared,
})

const PasswordSetting = strict('password', {
  type: z.literal('password').describe('Masked text; once entered it is hidden from the user.'),
  name: label,
  description,
  ...shared,
})

/** A setting as the app's author defines it; `type` says which attributes it has. */
export const SettingDefinition = wholeUnion('type', [
  TextSetting,
  SelectSetting,
  NumberSetting,
  BooleanSetting,
  PasswordSetting,
])
  .describe('Definition of one setting; an attribute that its type does not have is refused.')
  .meta({ id: 'SettingDefinition' })
export type SettingDefinition = z.infer<typeof SettingDefinition>

const SettingKey = z
  .string()
  .regex(
    /^[A-Za-z][A-Za-z0-9_.-]{0,63}$/,
    'is not a valid setting key: a letter, then letters, digits, "_", "." or "-", at most 64 in all',
  )
  .refine((key) => !isInheritedName(key), 'is a reserved name and cannot be a setting key')

export const SettingsProfile = limited(
  z.record(SettingKey, SettingDefinition),
  LIMITS.settingsPerProfileMax,
  'settings',
)
  .describe('The settings of one purchase option: setting key to definition, at most 100.')
  .meta({ maxProperties: LIMITS.settingsPerProfileMax })
export type SettingsProfile = z.infer<typeof SettingsProfile>

export const SettingsConfiguration = limited(
  limited(z.record(EntryId, SettingsProfile), LIMITS.purchaseOptionsMax, 'purchase options'),
  LIMITS.choicesMax,
  'choices in all settings together',
  choicesIn,
).describe(
  'Purchase option id to profile. When a user picks an option, the settings of its profile ' +
    'become configurable; an option without a profile has no settings.',
)
export type SettingsConfiguration = z.infer<typeof SettingsConfiguration>

/** Whether a configuration is refused as a whole, for the number of its profiles or choices. */
export function hasTooManySettings(configuration: object): boolean {
  const { purchaseOptionsMax, choicesMax } = LIMITS
  return countEntries(configuration) > purchaseOptionsMax || choicesIn(configuration) > choicesMax
}

/**
 * The choices of all settings of all profiles, even when other parts of the definition are wrong.
 */
function choicesIn(configuration: unknown): number {
  let count = 0
  for (const profile of entries(configuration)) {
    for (const setting of entries(profile)) {
      if (typeof setting === 'object' && setting !== null && 'options' in setting) {
        count += countEntries(setting.options)
      }
    }
  }
  return count
}

function entries(value: unknown): unknown[] {
  return typeof value === 'object' && value !== null ? Object.values(value) : []
}

/** The profile of a purchase option; empty when it has none. */
export function profileOf(
  settings: SettingsConfiguration,
  purchaseOptionId: string,
): SettingsProfile {
  return Object.hasOwn(settings, purchaseOptionId) ? (settings[purchaseOptionId] ?? {}) : {}
}

/** Leaves out the settings that the app's developer sets. */
export function withoutAdminSettings<Setting extends Pick<SettingDefinition, 'scope'>>(
  settings: Record<string, Record<string, Setting>>,
): Record<string, Record<string, Setting>> {
  const profiles = Object.entries(settings).map(([optionId, profile]) => [
    optionId,
    Object.fromEntries(Object.entries(profile).filter(([, setting]) => setting.scope === 'user')),
  ])
  return Object.fromEntries(profiles)
}

/** The text by which select values are told apart: 1 and `"1"` are the same choice. */
export function choiceText(value: string | number): string {
  return typeof value === 'number' ? plainDecimal(value) : value
}

/** The settings of a profile as they are displayed: by `order`, then as they are written. */
export function settingsInOrder(profile: SettingsProfile): [string, SettingDefinition][] {
  return Object.entries(profile).sort(([, a], [, b]) => byDisplayOrder(a, b))
}
