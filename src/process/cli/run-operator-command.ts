import { passingFailure, reasonOf } from '../../base/database/failures.ts'
import { AppError } from '../../errors.ts'
import { PASSWORD_MAX_BYTES } from '../../identity/auth/password-text.ts'
import { startupFailure } from '../start/startup-failure.ts'
import type { Command, Streams } from './command.ts'
import { COMMANDS } from './commands.ts'
import { commandNamed, helpAskedFor, helpOn, noSuchCommand, usageOf } from './help.ts'
import { UsageError } from './marketplace.ts'
import { sortWords } from './option-words.ts'

const PASSWORD_STDIN = 'password-stdin'
const FAILED = 1
const MISUSED = 2

/**
 * Runs a command for operators.
 *
 * @returns the exit code: 0, 1 when the command failed, 2 when the command line is wrong
 */
export async function runOperatorCommand(argv: string[], streams: Streams): Promise<number> {
  const { stdout, stderr } = streams
  const warn = (text: string) => stderr.write(`${text}\n`)
  try {
    const asked = helpAskedFor(COMMANDS, argv)
    if (asked !== undefined) {
      stdout.write(helpOn(COMMANDS, asked))
      return 0
    }
    const { command, rest } = findCommand(argv)
    const given = { ...parse(command, rest), warn, write: (text: string) => stdout.write(text) }
    const result = await command.run(await withPassword(command, given, streams))
    if (result !== undefined) {
      stdout.write(`${typeof result === 'string' ? result : JSON.stringify(result, null, 2)}\n`)
    }
    return 0
  } catch (error) {
    warn(explain(error))
    return error instanceof UsageError ? MISUSED : FAILED
  }
}

function findCommand(argv: string[]): { command: Command; rest: string[] } {
  for (const words of [2, 1]) {
    const command = commandNamed(COMMANDS, argv.slice(0, words).join(' '))
    if (command) return { command, rest: argv.slice(words) }
  }
  throw noSuchCommand(COMMANDS, argv)
}

function parse(command: Command, rest: string[]) {
  const stdin = command.options.includes('password') ? [PASSWORD_STDIN] : []
  const flags = [...(command.flags ?? []), ...stdin]
  const words = sortWords(rest, { options: command.options, flags })
  if (typeof words === 'string') throw new UsageError(`${words}\n\n${usageOf(command)}`)
  const missing = command.required.filter((name) => !words.options[name])
  const { files = 0 } = command
  const [least, most] = typeof files === 'number' ? [files, files] : files
  const count = words.positionals.length
  if (missing.length > 0 || count < least || count > most) {
    const names = missing.map((name) => `--${name}`).join(', ')
    throw new UsageError(`${names && `Missing: ${names}\n\n`}${usageOf(command)}`)
  }
  return { options: words.options, flags: words.flags, files: words.positionals }
}

type Given = Parameters<Command['run']>[0]

/**
 * Reads the password from standard input with `--password-stdin`. A password on the command line
 * would be visible in the list of processes and in the shell's history.
 */
async function withPassword(
  command: Command,
  given: Given,
  { stdin }: Pick<Streams, 'stdin'>,
): Promise<Given> {
  const { options, flags } = given
  if (!flags.has(PASSWORD_STDIN)) {
    if (options.password !== undefined && command.options.includes('password')) {
      given.warn(
        'Others on this machine can read a password on the command line: use --password-stdin.',
      )
    }
    return given
  }
  if (options.password !== undefined) {
    throw new UsageError('Give --password or --password-stdin, not both.')
  }
  const text = await readText(stdin)
  const password = text.replace(/\r?\n$/, '')
  if (password === '') throw new UsageError('There is no password on standard input.')
  return { ...given, options: { ...options, password } }
}

/** Reads what a password may have at most; more is refused as a password that is too long. */
async function readText(stdin: Streams['stdin']): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let text = ''
  try {
    for await (const chunk of stdin) {
      text += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true })
      if (text.length > 3 * PASSWORD_MAX_BYTES + 2) return text
    }
    return text + decoder.decode()
  } catch (error) {
    if ((error as { code?: string }).code !== 'ERR_ENCODING_INVALID_ENCODED_DATA') throw error
    throw new UsageError('The password on standard input is not UTF-8.')
  }
}

function explain(error: unknown): string {
  if (error instanceof AppError) {
    const details = (error.options.errors ?? []).map(
      ({ pointer, detail }) => `  ${pointer.slice(1)}: ${detail}`,
    )
    return [error.message, ...details].join('\n')
  }
  const told = startupFailure(error, undefined)
  if (told !== undefined) return told
  const passing = passingFailure(error)
  if (passing !== undefined) return `${passing.message} (${reasonOf(error)})`
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
