import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { hasCode, MarketplaceError } from '../errors.ts'
import type { DefinitionChange } from '../generated/types.gen.ts'
import { createMarketplace } from '../marketplace.ts'
import { changeLine } from './app-commands.ts'
import type { Command, Streams } from './command.ts'
import { COMMANDS } from './commands.ts'
import { type Credentials, readCredentials } from './credentials.ts'
import { credentialsFile } from './environment.ts'
import { UsageError } from './usage-error.ts'
import { whyFailed } from './why-failed.ts'

const FAILED = 1
const MISUSED = 2

/**
 * Runs a command for developers.
 *
 * @returns the exit code: 0, 1 when the command failed, 2 when the command line is wrong
 */
export async function runDeveloperCommand(argv: string[], streams: Streams): Promise<number> {
  const { stdout, stderr } = streams
  const [first] = argv
  if (first === '--version') {
    stdout.write(`${await clientVersion()}\n`)
    return 0
  }
  const isHelp = argv.length === 0 || argv.some((word) => /^(help|--help|-h)$/.test(word))
  if (isHelp) {
    stdout.write(helpText(argv.filter((word) => !/^(help|--help|-h)$/.test(word))))
    return 0
  }
  let address: string | undefined
  const noteAddress = ({ baseUrl }: Credentials) => {
    address = baseUrl
  }
  try {
    const result = await runNamed(argv, streams, noteAddress)
    if (result !== undefined) {
      stdout.write(`${typeof result === 'string' ? result : JSON.stringify(result, null, 2)}\n`)
    }
    return 0
  } catch (error) {
    stderr.write(`${explain(error, address)}\n`)
    return error instanceof UsageError ? MISUSED : FAILED
  }
}

async function runNamed(
  argv: string[],
  streams: Streams,
  onOpen: (credentials: Credentials) => void,
): Promise<unknown> {
  const found = commandIn(argv)
  if (found === undefined)
    throw new UsageError(`Unknown command "${argv.slice(0, 2).join(' ')}".\n\n${helpText()}`)
  const { command, rest } = found
  const file = credentialsFile()
  return command.run({
    ...streams,
    ...parse(command, rest),
    credentialsFile: file,
    async open(given) {
      const credentials = given ?? (await readCredentials(file))
      onOpen(credentials)
      return createMarketplace(credentials)
    },
  })
}

function parse({ usage, options: names, required = [], words = [0, 0] }: Command, rest: string[]) {
  let parsed: ReturnType<typeof parseArgs>
  try {
    const options = Object.fromEntries(names.map((name) => [name, { type: 'string' }] as const))
    parsed = parseArgs({ args: rest, options, allowPositionals: true })
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n\nUsage: ${usage}`)
  }
  const options = parsed.values as Record<string, string | undefined>
  const { positionals } = parsed
  const [least, most] = words
  const isComplete = required.every((name) => options[name])
  if (!isComplete || positionals.length < least || positionals.length > most) {
    throw new UsageError(`Usage: ${usage}`)
  }
  return { options, words: positionals }
}

/**
 * The command that words begin with, of two words or one, and the words that follow it.
 *
 * @returns undefined when there is none
 */
function commandIn(argv: readonly string[]): { command: Command; rest: string[] } | undefined {
  for (const count of [2, 1]) {
    const name = argv.slice(0, count).join(' ')
    const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
    if (command !== undefined) return { command, rest: argv.slice(count) }
  }
  return undefined
}

/** Help for the command that the words name, for those that begin with the first word, or for all. */
function helpText(words: readonly string[] = []): string {
  const named = commandIn(words)?.command
  const [group] = words
  const begun = Object.entries(COMMANDS).filter(([name]) => name.split(' ', 1)[0] === group)
  const shown = named ? [named] : begun.map(([, command]) => command)
  const lines = (shown.length > 0 ? shown : Object.values(COMMANDS)).map(
    ({ usage, does }) => `  ${usage}\n      ${does}\n`,
  )
  const heading = shown.length > 0 ? '' : 'Commands for developers of apps:\n\n'
  return `${heading}${lines.join('')}`
}

/** The version of this package. */
async function clientVersion(): Promise<string> {
  const file = new URL('../../package.json', import.meta.url)
  const { name, version } = JSON.parse(await readFile(file, 'utf8'))
  return `${name} ${version}`
}

/** @param address of the marketplace, if the command has opened one */
function explain(error: unknown, address: string | undefined): string {
  if (error instanceof MarketplaceError) {
    const problems = error.errors.map(({ pointer, detail }) => `  ${pointer || '/'}: ${detail}`)
    const changes = (error.members.changes ?? []) as DefinitionChange[]
    const isElsewhere = hasCode(error, 'unreachable', 'unexpected_response')
    const why = hasCode(error, 'unreachable') ? ` The attempt ended so: ${whyFailed(error)}` : ''
    const hint = isElsewhere && address ? [`Is a marketplace running at ${address}?${why}`] : []
    return [
      error.message,
      ...hint,
      ...problems,
      ...changes.map((one) => `  ${changeLine(one)}`),
    ].join('\n')
  }
  if (error instanceof UsageError) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
