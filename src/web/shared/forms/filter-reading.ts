import { hasMoreCharacters } from '../../../base/values/text.ts'
import type { FormProblem } from './form-problems.ts'
import type { FormFields } from './settings-form.ts'

const TEXT_MAX_LENGTH = 200

/**
 * Reads the filters of a list from its address. What is empty is not asked for; what cannot be read
 * is a problem, with which the list shows nothing: all of it is not what was asked for.
 */
export type FilterReader = {
  problems: readonly FormProblem[]
  text(name: string): string | undefined
  /**
   * One of several values.
   *
   * @param none what is said of another, in a sentence
   */
  oneOf<Value extends string>(
    name: string,
    values: readonly Value[],
    none?: string,
  ): Value | undefined
  /** @param words what it must be when it does not fit, such as "a date" */
  fitting(name: string, fits: (text: string) => boolean, words: string): string | undefined
  /** Says what is wrong with a filter, in a sentence, and what may have been meant. */
  refuse(name: string, sentence: string, choices?: FormProblem['choices']): undefined
}

/** @param labels of the filters that have a control; links set the others */
export function filterReader(
  fields: FormFields,
  labels: Readonly<Record<string, string>>,
): FilterReader {
  const problems: FormProblem[] = []
  const labelOf = (name: string) => labels[name] ?? `“${name}” in the address`
  const reader: FilterReader = {
    problems,
    refuse(name, text, choices) {
      const field = Object.hasOwn(labels, name) ? name : undefined
      problems.push({ field, text, ...(choices && { choices }) })
      return undefined
    },
    fitting(name, fits, words) {
      const text = fields.get(name)?.trim() ?? ''
      if (text === '' || fits(text)) return text || undefined
      return reader.refuse(name, `${labelOf(name)} must be ${words}.`)
    },
    text: (name) =>
      reader.fitting(
        name,
        (text) => !hasMoreCharacters(text, TEXT_MAX_LENGTH),
        `at most ${TEXT_MAX_LENGTH} characters`,
      ),
    oneOf<Value extends string>(name: string, values: readonly Value[], none?: string) {
      const text = fields.get(name)?.trim() ?? ''
      if (text === '') return undefined
      const known = values.find((value) => value === text)
      return known ?? reader.refuse(name, none ?? `${labelOf(name)}: choose one from the list.`)
    },
  }
  return reader
}
