import { LIMITS } from '../../../base/values/definition-limits.ts'
import { isDecimalOf, isOnGrid, plainDecimal } from '../pricing/decimals.ts'
import { choiceText, type SettingDefinition } from './definitions.ts'

/** A setting value as it is stored and answered (spec, "Installation"): admin settings are text. */
export type SettingValue = string | number

type Parsed = { ok: true; value: SettingValue } | { ok: false; problem: string }

type SelectSetting = Extract<SettingDefinition, { type: 'select' }>
type NumberSetting = Extract<SettingDefinition, { type: 'number' }>

/** Every number in plain digits, and more: the largest has 309 digits, the smallest 324 decimals. */
const DECIMAL_TEXT = /^-?\d{1,400}(\.\d{1,400})?([eE][+-]?\d{1,3})?$/
/** Digits in groups, as 1,500 or 1.234,50 or 1 500 or 1'500. */
const GROUPED_TEXT = /^[+-]?\d{1,3}(?:[., \u00a0\u202f'’]\d{1,3}){1,15}$/

/**
 * Turns one value of a request into the stored one. Booleans become `"true"` or `"false"`; of a
 * select 1 and `"1"` are different values. Admin settings take natural JSON or text and are stored as
 * text.
 */
export function parseSettingValue(setting: SettingDefinition, input: unknown): Parsed {
  const parsed = parseByType(setting, input)
  if (!parsed.ok || setting.scope === 'user') return parsed
  const { value } = parsed
  return { ok: true, value: typeof value === 'number' ? plainDecimal(value) : value }
}

function parseByType(setting: SettingDefinition, input: unknown): Parsed {
  switch (setting.type) {
    case 'text':
    case 'password':
      return parseText(setting.mandatory, input)
    case 'boolean':
      if (input === true || input === 'true') return { ok: true, value: 'true' }
      if (input === false || input === 'false') return { ok: true, value: 'false' }
      return refused('must be true or false')
    case 'number':
      return parseNumber(setting, input)
    case 'select': {
      const given = setting.scope === 'admin' ? choiceValue(setting, input) : input
      const choice = setting.options.find(({ value }) => value === given)
      if (choice !== undefined) return { ok: true, value: choice.value }
      const choices = setting.options.map((option) => JSON.stringify(option.value)).join(', ')
      return refused(`must be one of ${choices}`)
    }
  }
}

function parseText(mandatory: boolean, input: unknown): Parsed {
  if (typeof input !== 'string') return refused('must be a string')
  if (mandatory && input.trim() === '') return refused('is mandatory and must not be empty')
  if (!input.isWellFormed()) return refused('must be well-formed Unicode: it has a lone surrogate')
  if (input.includes('\0')) return refused('must not contain the NUL character')
  if (Buffer.byteLength(input, 'utf8') > LIMITS.settingTextMaxBytes) {
    return refused(`must be at most ${LIMITS.settingTextMaxBytes} bytes of UTF-8`)
  }
  return { ok: true, value: input }
}

function parseNumber(setting: NumberSetting, input: unknown): Parsed {
  const asText = setting.scope === 'admin' && typeof input === 'string' && DECIMAL_TEXT.test(input)
  const value = asText ? Number(input) : input
  if (typeof value !== 'number' || !Number.isFinite(value)) {
    return refused(
      isGrouped(input)
        ? 'must be a number with a decimal point and no thousands separators, such as 1500 or 1.5'
        : 'must be a number',
    )
  }
  if (asText && !isDecimalOf(input, value)) {
    return refused(`has more digits than can be kept: it would become ${value}`)
  }
  const { min, max, step } = setting
  if (min !== undefined && value < min) return refused(`must be at least ${min}`)
  if (max !== undefined && value > max) return refused(`must be at most ${max}`)
  if (step !== undefined && !isOnGrid(value, step, min ?? 0)) {
    return refused(`must be in steps of ${step} counted from ${min ?? 0}`)
  }
  // Adding 0 turns -0, which JSON cannot tell from 0 in text, into 0.
  return { ok: true, value: value + 0 }
}

function isGrouped(input: unknown): boolean {
  if (typeof input !== 'string') return false
  const text = input.trim()
  return GROUPED_TEXT.test(text) && !DECIMAL_TEXT.test(text)
}

/**
 * The value of the choice with this text, where a client can send text only; otherwise the input
 * itself.
 */
export function choiceValue({ options }: SelectSetting, given: unknown): unknown {
  return options.find(({ value }) => choiceText(value) === given)?.value ?? given
}

function refused(problem: string): Parsed {
  return { ok: false, problem }
}
