import type { Command, CommandTable } from './command.ts'
import { UsageError } from './marketplace.ts'
import { meantText, nearestOf } from './option-words.ts'

/**
 * The words to show help on when the command line asks for help; undefined when it names a command.
 */
export function helpAskedFor(commands: CommandTable, argv: string[]): string[] | undefined {
  if (argv[0] === 'help') return argv.slice(1)
  if (argv.some((word) => word === '--help' || word === '-h')) return commandWords(commands, argv)
  // A group's name alone shows the group's help. A command's name runs the command, also when it
  // begins the names of others.
  const named = commandsOf(commands, argv).length
  const isCommand = argv.length > 1 || commandNamed(commands, argv[0] ?? '') !== undefined
  return isCommand || named === 0 ? undefined : argv
}

/** The command of a name; undefined when there is none. */
export function commandNamed(commands: CommandTable, name: string): Command | undefined {
  return Object.hasOwn(commands, name) ? commands[name] : undefined
}

/** The first words of a command line, which name a command or a group of them. */
function commandWords(commands: CommandTable, argv: string[]): string[] {
  const end = argv.findIndex((word) => word.startsWith('-'))
  const words = (end === -1 ? argv : argv.slice(0, end)).slice(0, 2)
  return commandsOf(commands, words).length > 0 ? words : words.slice(0, 1)
}

/** The commands whose names begin with these words. */
function commandsOf(commands: CommandTable, words: string[]): Command[] {
  return Object.entries(commands)
    .filter(([name]) => words.every((word, index) => name.split(' ')[index] === word))
    .map(([, command]) => command)
}

/** The error for a command line that names no command; says which one may have been meant. */
export function noSuchCommand(commands: CommandTable, argv: string[]): UsageError {
  const group = argv.slice(0, 1)
  const shown = commandsOf(commands, group).length > 0 ? group : []
  const names = Object.keys(commands)
  const nearest =
    nearestOf(argv.slice(0, 2).join(' '), names) ??
    (shown.length === 0 ? nearestOf(group.join(), groupsOf(names)) : undefined)
  return new UsageError(
    `${unknownCommand(argv)}${meantText(nearest)}\n\n${helpOn(commands, shown)}`,
  )
}

/** Says which words name no command, if they are short enough to be read. */
function unknownCommand(argv: readonly string[]): string {
  const words = argv.slice(0, 2).join(' ')
  return words === '' || words.length > WORDS_MAX_LENGTH
    ? 'Unknown command.'
    : `Unknown command "${words}".`
}

const WORDS_MAX_LENGTH = 60

/** Names of one word, and the first words of the others. */
function groupsOf(names: readonly string[]): string[] {
  return [...new Set(names.map((name) => name.split(' ', 1).join()))]
}

/** How a command is called. */
export function usageOf({ usage }: Command): string {
  return `Usage: npm run cli -- ${usage}`
}

/**
 * Help on one command, on a group of commands, or on all commands.
 *
 * @throws UsageError when no command begins with these words
 */
export function helpOn(commands: CommandTable, words: string[]): string {
  const named = commandsOf(commands, words)
  if (named.length === 0) throw noSuchCommand(commands, words)
  const [only] = named
  if (only !== undefined && named.length === 1) {
    return `${usageOf(only)}\n\n${only.does}\n`
  }
  const lines = named.map(({ usage, does }) => `  ${usage}\n      ${does}\n`)
  return `Usage: npm run cli -- ${[...words, ''].join(' ')}<command>\n\n${lines.join('')}`
}
