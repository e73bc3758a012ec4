import { parseArgs } from 'node:util'
import { SecretBoxError } from './auth/secret-box.ts'
import type { Command } from './cli-command.ts'
import { COMMANDS } from './cli-commands.ts'
import { UsageError } from './cli-marketplace.ts'
import { ConfigError } from './config.ts'
import { SecretKeyError } from './data-dir.ts'
import { EmbeddedPostgresError } from './database/embedded-error.ts'
import { MigrationError } from './database/migrate.ts'
import { AppError } from './errors.ts'
import { DatabaseError } from './runtime.ts'

const FAILED = 1
const MISUSED = 2
/** Failures whose message says all that the operator needs. */
const EXPECTED = [
  UsageError,
  ConfigError,
  DatabaseError,
  EmbeddedPostgresError,
  MigrationError,
  SecretBoxError,
  SecretKeyError,
]

/**
 * `npm run cli -- <command>`. Answers as JSON on standard output, problems on standard error.
 *
 * @returns the exit code
 */
async function main(argv: string[]): Promise<number> {
  if (argv.length === 0 || ['help', '--help', '-h'].includes(argv[0] ?? '')) {
    process.stdout.write(help())
    return 0
  }
  try {
    const { command, rest } = findCommand(argv)
    const result = await command.run(parse(command, rest))
    process.stdout.write(
      `${typeof result === 'string' ? result : JSON.stringify(result, null, 2)}\n`,
    )
    return 0
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`)
    return error instanceof UsageError ? MISUSED : FAILED
  }
}

function findCommand(argv: string[]): { command: Command; rest: string[] } {
  for (const words of [2, 1]) {
    const command = COMMANDS[argv.slice(0, words).join(' ')]
    if (command) return { command, rest: argv.slice(words) }
  }
  throw new UsageError(`There is no such command.\n\n${help()}`)
}

function parse(command: Command, rest: string[]) {
  const flagNames = command.flags ?? []
  let parsed: ReturnType<typeof parseArgs>
  try {
    parsed = parseArgs({
      args: rest,
      options: Object.fromEntries([
        ...command.options.map((name) => [name, { type: 'string' }] as const),
        ...flagNames.map((name) => [name, { type: 'boolean' }] as const),
      ]),
      allowPositionals: true,
    })
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n\nUsage: ${command.usage}`)
  }
  const options = parsed.values as Record<string, string | undefined>
  const missing = command.required.filter((name) => !options[name])
  if (missing.length > 0 || parsed.positionals.length !== (command.files ?? 0)) {
    const names = missing.map((name) => `--${name}`).join(', ')
    throw new UsageError(`${names && `Missing: ${names}\n\n`}Usage: ${command.usage}`)
  }
  const flags = new Set(flagNames.filter((name) => parsed.values[name] === true))
  return { options, flags, files: parsed.positionals }
}

function help(): string {
  const lines = Object.values(COMMANDS).map(({ usage, does }) => `  ${usage}\n      ${does}\n`)
  return `Usage: npm run cli -- <command>\n\n${lines.join('')}`
}

function explain(error: unknown): string {
  if (error instanceof AppError) {
    const details = (error.options.errors ?? []).map(
      ({ pointer, detail }) => `  ${pointer.slice(1)}: ${detail}`,
    )
    return [error.message, ...details].join('\n')
  }
  const isExpected = EXPECTED.some((kind) => error instanceof kind)
  if (error instanceof Error) return isExpected ? error.message : (error.stack ?? error.message)
  return String(error)
}

// Warnings about how libraries use each other are not for the operator.
process.noDeprecation = true
process.exitCode = await main(process.argv.slice(2))
