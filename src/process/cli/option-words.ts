import { parseArgs } from 'node:util'
import { editDistance } from '../../base/values/field-errors.ts'

/** What a command takes behind its name. */
type Taken = { options: readonly string[]; flags: readonly string[] }
type Words = {
  options: Record<string, string | undefined>
  flags: Set<string>
  positionals: string[]
}

/**
 * Sorts the words behind the name of a command: options with their values, flags, and the rest.
 *
 * @returns a text that says what is wrong, when a word is no option of the command or lacks its value
 */
export function sortWords(words: string[], { options, flags }: Taken): Words | string {
  const ofType = (names: readonly string[], type: 'string' | 'boolean') =>
    names.map((name) => [name, { type }] as const)
  const { values, positionals, tokens } = parseArgs({
    args: words,
    options: Object.fromEntries([...ofType(options, 'string'), ...ofType(flags, 'boolean')]),
    allowPositionals: true,
    strict: false,
    tokens: true,
  })
  for (const token of tokens) {
    if (token.kind !== 'option') continue
    const { name, rawName, value, inlineValue } = token
    const isFlag = flags.includes(name)
    if (!rawName.startsWith('--') || !(isFlag || options.includes(name))) {
      const nearest = nearestOf(
        rawName,
        [...options, ...flags].map((one) => `--${one}`),
      )
      return `There is no option ${rawName} here.${meantText(nearest)}`
    }
    if (isFlag && value !== undefined) return `${rawName} takes no value.`
    if (!isFlag && value === undefined) return `${rawName} needs a value.`
    if (!isFlag && !inlineValue && /^-./.test(String(value))) {
      return `${rawName} needs a value; one that begins with a hyphen is given as ${rawName}=-...`
    }
  }
  const given = flags.filter((name) => values[name] === true)
  return { options: values as Words['options'], flags: new Set(given), positionals }
}

/** "Did you mean ...?" behind a sentence, or nothing. */
export function meantText(nearest: string | undefined): string {
  return nearest === undefined ? '' : ` Did you mean "${nearest}"?`
}

/** The name that a mistyped one was most probably meant to be; undefined when none is near. */
export function nearestOf(typed: string, names: readonly string[]): string | undefined {
  // Longer ones are no slip of the fingers, and would take long to compare.
  if (typed.length > 60) return undefined
  const [nearest] = names
    .map((name) => ({ name, distance: editDistance(typed.toLowerCase(), name) }))
    .filter(({ name, distance }) => distance <= (name.length < 5 ? 1 : 2))
    .toSorted((one, other) => one.distance - other.distance)
  return nearest?.name
}
