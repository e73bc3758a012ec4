import type { z } from 'zod'
import { nextTick } from '../../base/fair-share/next-tick.ts'
import { LIMITS } from '../../base/values/definition-limits.ts'
import {
  type CheckedInput,
  describeIssue,
  fieldErrors,
  isMalformed,
  REPORTED_ERRORS_MAX,
} from '../../base/values/field-errors.ts'
import { hostileValue } from '../../base/values/hostile-json.ts'
import { countEntries } from '../../base/values/limited.ts'
import { EntryId } from '../../base/values/text.ts'
import type { FieldError } from '../../errors.ts'
import { AppDefinition } from './definition.ts'
import { hasTooManySettings, SettingDefinition, SettingsProfile } from './settings/definitions.ts'

/** So many settings and choices are checked at a time. */
const PART_ENTRIES = 1000
const ERROR_MAP = { error: describeIssue, reportInput: true }

type ParsedDefinition =
  | { ok: true; definition: AppDefinition }
  | { ok: false; errors: FieldError[] }

/**
 * Checks a whole definition and reports every problem at once, each with an RFC 6901 pointer to the
 * value (or the unknown key) itself; as many as an answer may name. Defaults are filled in.
 */
export function parseAppDefinition(input: unknown): ParsedDefinition {
  const hostile = hostileValue(input)
  if (hostile !== undefined) return { ok: false, errors: [hostile] }
  const steps = check(input)
  let step = steps.next()
  while (!step.done) step = steps.next()
  return parsed(step.value)
}

/** Parses a definition that nothing hostile is in, and lets other requests in between. */
export async function parseDefinitionInTicks(input: unknown): Promise<ParsedDefinition> {
  return parsed(await checkDefinitionInTicks(input))
}

/** What is behind both, for those who tell malformed definitions from those that break a rule. */
export async function checkDefinitionInTicks(input: unknown): Promise<CheckedInput<AppDefinition>> {
  const steps = check(input)
  let step = steps.next()
  while (!step.done) {
    await nextTick()
    step = steps.next()
  }
  return step.value
}

function parsed(result: CheckedInput<AppDefinition>): ParsedDefinition {
  if (result.success) return { ok: true, definition: result.data }
  return { ok: false, errors: fieldErrors(result.error.issues, result) }
}

/**
 * Settings are the only part of a definition that can be long, valid or wrong: they are checked one
 * by one, with pauses, until there are more problems than an answer names; from then on only for a
 * malformed one, which decides the code of the answer. The schema of the whole then meets the wrong
 * ones alone, and tells of them in their place among all problems. Of what is under a name that is
 * wrong itself it tells nothing: these problems come last.
 */
function* check(input: unknown): Generator<void, CheckedInput<AppDefinition>> {
  const settings = isObject(input) ? input.settings : undefined
  if (!isObject(settings) || hasTooManySettings(settings)) {
    return AppDefinition.safeParse(input, ERROR_MAP)
  }
  const { valid, wrong, hidden, isCut } = yield* checkSettings(settings)
  const rest = AppDefinition.safeParse({ ...(input as object), settings: wrong }, ERROR_MAP)
  if (!rest.success) {
    return { success: false, error: { issues: [...rest.error.issues, ...hidden] }, isCut }
  }
  return { success: true, data: { ...rest.data, settings: valid } }
}

type Profiles<Setting> = Record<string, Record<string, Setting>>

function* checkSettings(settings: Record<string, unknown>) {
  const valid: Profiles<SettingsProfile[string]> = {}
  const wrong: Record<string, unknown> = {}
  const hidden: z.core.$ZodIssue[] = []
  let problems = 0
  let hasMalformed = false
  let entries = 0
  const isCut = () => problems > REPORTED_ERRORS_MAX
  for (const [optionId, profile] of Object.entries(settings)) {
    // Such a one is refused as a whole.
    if (!isObject(profile) || countEntries(profile) > LIMITS.settingsPerProfileMax) {
      wrong[optionId] = profile
      continue
    }
    const validOnes: SettingsProfile = {}
    const wrongOnes: Record<string, unknown> = {}
    const isWrongId = !EntryId.safeParse(optionId).success
    valid[optionId] = validOnes
    wrong[optionId] = wrongOnes
    for (const [key, setting] of Object.entries(profile)) {
      const result = SettingsProfile.safeParse({ [key]: setting }, ERROR_MAP)
      if (result.success) Object.assign(validOnes, result.data)
      else {
        const beneath = isWrongKey(result.error.issues)
          ? below([key], SettingDefinition.safeParse(setting, ERROR_MAP).error?.issues ?? [])
          : []
        const issues = [...result.error.issues, ...beneath]
        if (!isCut()) hidden.push(...below(['settings', optionId], isWrongId ? issues : beneath))
        const isNews: boolean = !hasMalformed && issues.some(isMalformed)
        if (!isCut() || isNews) wrongOnes[key] = setting
        hasMalformed ||= isNews
        problems += fieldErrors(issues).length
        if (isCut() && hasMalformed) return { valid, wrong, hidden, isCut: true }
      }
      entries += 1 + (isObject(setting) ? countEntries(setting.options) : 0)
      if (entries < PART_ENTRIES) continue
      entries = 0
      yield
    }
  }
  return { valid, wrong, hidden, isCut: isCut() }
}

function isWrongKey(issues: readonly z.core.$ZodIssue[]): boolean {
  return issues.some(({ code }) => code === 'invalid_key')
}

/** The issues of a value that stands at a place. */
function below(
  place: readonly PropertyKey[],
  issues: readonly z.core.$ZodIssue[],
): z.core.$ZodIssue[] {
  return issues.map((issue) => ({ ...issue, path: [...place, ...issue.path] }))
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
