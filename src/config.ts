import { availableParallelism } from 'node:os'
import { z } from 'zod'
import { DATABASE_VARIABLES, databaseProblems } from './base/database/database-variables.ts'
import { readSecretFile } from './base/files/secret-file.ts'
import { MAIL_VARIABLES, mailProblems } from './base/mail/mail-variables.ts'
import { describeIssue } from './base/values/field-errors.ts'
import {
  addressesOrNetworks,
  bytes,
  integer,
  originAt,
  secretKey,
  siteOrigin,
  trueFalse,
} from './base/values/variable-shapes.ts'
import { OperatorError } from './errors.ts'
import { SIGN_IN_VARIABLES, signInProblems } from './identity/single-sign-on/sign-in-variables.ts'
import { limitDefaults, TOKEN_VARIABLES, tokenProblems } from './identity/tokens/token-variables.ts'
import type { AllowedHosts } from './marketplace/webhooks/addresses/allowed-hosts.ts'
import { allowedReceivers, WEBHOOK_VARIABLES } from './marketplace/webhooks/webhook-variables.ts'
import {
  PROCESS_VARIABLES,
  processProblems,
  workersMax,
} from './process/start/process-variables.ts'

/**
 * Every environment variable the server reads: name -> schema and meaning. What is secret can also be
 * given as the path of a file, in the variable with `_FILE` behind its name.
 *
 * Some are declared in the folder that they are about, beside a function for the problems that they
 * can have together. A new group of variables is spread into this table, and `loadConfig` calls its
 * function:
 * - `src/base/database/database-variables.ts`: Postgres and its connections
 * - `src/identity/tokens/token-variables.ts`: lifetimes of tokens
 * - `src/identity/single-sign-on/sign-in-variables.ts`: single sign-on, passwords, second factors
 * - `src/marketplace/webhooks/webhook-variables.ts`: webhooks
 * - `src/base/mail/mail-variables.ts`: the mail server and the sender
 * - `src/process/start/process-variables.ts`: workers, logs, metrics and the end of a process
 *
 * After a change, `npm run cli -- config-docs` renews the table of the README and `.env.example`;
 * `test/unit/process/cli/config-docs.test.ts` compares both with this. `test/contract/compose.test.ts` and
 * `deployment.test.ts` fail when `compose.yaml`, the `Dockerfile` or `ops/helm` name a variable that
 * is not here, or give it a value that is refused.
 */
export const VARIABLES = {
  PORT: { schema: integer(1, 65_535), default: '3000', meaning: 'Port to listen on.' },
  HOST: { schema: z.string().min(1), default: '127.0.0.1', meaning: 'Address to listen on.' },
  PUBLIC_URL: {
    schema: siteOrigin,
    default: undefined,
    meaning:
      'Address under which browsers and clients reach the server, without a path; also the `iss` ' +
      'of tokens. Default: `http://HOST:PORT`.',
  },
  ...DATABASE_VARIABLES,
  DATA_DIR: {
    schema: z.string().min(1),
    default: '.data',
    meaning: 'Directory of the embedded database, generated secrets and `demo.json`.',
  },
  SECRET_KEY: {
    schema: secretKey,
    default: undefined,
    secret: true,
    meaning:
      '32 random bytes in base64: encrypts stored secrets, such as password settings and signing ' +
      'keys, and signs forms. Required with `DATABASE_URL`; otherwise made once and kept in `DATA_DIR`.',
  },
  SECRET_KEY_PREVIOUS: {
    schema: secretKey,
    default: undefined,
    secret: true,
    meaning: 'The key before the last rotation; decrypts only.',
  },
  ...TOKEN_VARIABLES,
  SESSION_TTL_SECONDS: {
    schema: integer(300, 2_592_000),
    default: '43200',
    meaning: 'Longest time a browser stays signed in.',
  },
  SESSION_IDLE_SECONDS: {
    schema: integer(60, 2_592_000),
    default: '3600',
    meaning: 'A browser that does nothing for so long is signed out.',
  },
  ...SIGN_IN_VARIABLES,
  ARGON2_CONCURRENCY: {
    schema: integer(1, 64),
    default: undefined,
    meaning:
      'Password hashes computed at once; workers share them. Default: cores - 1, at least 1, at ' +
      'most 3 for each worker.',
  },
  TRUST_PROXY: {
    schema: addressesOrNetworks,
    default: undefined,
    meaning:
      'Addresses or networks of reverse proxies, comma-separated, whose `X-Forwarded-For` counts.',
  },
  RATE_LIMIT_PER_MINUTE: {
    schema: integer(0, 1_000_000),
    default: '600',
    meaning:
      'Requests a minute that one installation may make (of each process, unless `REDIS_URL` counts ' +
      'for all); a developer or user 5 times, an address without a valid token 10 times as many. 0 turns this off, but never the limit ' +
      'of wrong passwords.',
  },
  PAGE_CACHE_BYTES: {
    schema: bytes(),
    default: '67108864',
    meaning:
      'Bytes of ready product pages that one server process keeps in memory at most, ' +
      'compressed ones included. 0 keeps none.',
  },
  IMPORT_MAX_BYTES: {
    schema: bytes(),
    default: '1073741824',
    meaning: 'Bytes that one import of products may have, decompressed.',
  },
  REDIS_URL: {
    schema: z
      .string()
      .refine(
        (value) =>
          /^rediss?:\/\//.test(value) && /^\/?\d{0,4}$/.test(URL.parse(value)?.pathname ?? 'none'),
        'must be a URL that starts with redis:// or rediss://, with the number of a database or no path',
      ),
    default: undefined,
    secret: true,
    meaning:
      'Redis or Valkey that counts requests for all replicas together. Unset: each replica ' +
      'counts for itself.',
  },
  ...WEBHOOK_VARIABLES,
  ...MAIL_VARIABLES,
  ...PROCESS_VARIABLES,
  DEMO: {
    schema: trueFalse,
    default: undefined,
    meaning:
      'Make a demo marketplace on an empty database and write its credentials to ' +
      '`DATA_DIR/demo.json`. Default: `true` on the embedded database, `false` with ' +
      '`DATABASE_URL`.',
  },
} as const satisfies Record<
  string,
  { schema: z.ZodType; default: string | undefined; meaning: string; secret?: true }
>

/** Ends the name of a variable that names a file. */
const FILE = '_FILE'

type Variables = typeof VARIABLES
type Variable = keyof Variables
type Value<Name extends Variable> =
  | z.output<Variables[Name]['schema']>
  | (Variables[Name]['default'] extends string ? never : undefined)
/** `TOKEN_TTL_SECONDS` -> `tokenTtlSeconds` */
type CamelCase<Name extends string> = Name extends `${infer Word}_${infer Rest}`
  ? `${Lowercase<Word>}${Capitalize<CamelCase<Rest>>}`
  : Lowercase<Name>
type Values = { [Name in Variable as CamelCase<Name>]: Value<Name> }

/**
 * The server's configuration: each variable in camel case. `loadConfig` alone reads the
 * environment.
 */
export type Config = Omit<Values, 'workers' | 'webhookAllowedPrivateHosts'> & {
  publicUrl: string
  demo: boolean
  workers: number
  argon2Concurrency: number
  webhookAllowedPrivateHosts: AllowedHosts
}

/** The variable with the path of a file that holds a secret; undefined where there is none. */
export function fileVariable(name: string): string | undefined {
  const variable: { schema: z.ZodType; secret?: true } | undefined = VARIABLES[name as Variable]
  return variable?.secret ? `${name}${FILE}` : undefined
}

/** All problems of the environment at once, one line each. */
export class ConfigError extends OperatorError {
  constructor(problems: readonly string[]) {
    super(`The configuration has problems:\n${problems.map((line) => `  ${line}`).join('\n')}`)
  }
}

/**
 * Reads and checks the environment.
 *
 * An empty variable counts as unset, as `${NAME:-}` in a compose file. Blanks and line ends around a
 * value do not count, nor around what a file of `NAME_FILE` holds.
 *
 * @throws ConfigError naming every variable that is wrong
 */
export function loadConfig(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Config {
  const problems: string[] = []
  const env = Object.fromEntries(
    Object.keys(VARIABLES).map((name) => [name, given(name, environment, problems)]),
  )
  const read = Object.fromEntries(
    Object.entries(VARIABLES).map(([name, variable]) => [
      camelCase(name),
      readVariable(name, variable, env[name], problems),
    ]),
  ) as Values
  const values = limitDefaults(read, env)
  const wrong = new Set(problems.flatMap((line) => namesIn(line).slice(0, 1)))

  const { host, port, databaseUrl } = values
  const publicUrl = values.publicUrl ?? originAt(host, port)
  const workers =
    values.workers === 'auto'
      ? Math.min(availableParallelism(), workersMax(databaseUrl))
      : values.workers
  const together = [
    ...processProblems({ ...values, workers }),
    ...databaseProblems({ ...values, workers }),
    ...tokenProblems(values),
    ...mailProblems(values),
    ...signInProblems(values),
  ]
  if (databaseUrl !== undefined && !env.SECRET_KEY) {
    together.push(
      'SECRET_KEY: is required with DATABASE_URL; make one with: openssl rand -base64 32',
    )
  }
  if (publicUrl === undefined) {
    together.push(
      'HOST: makes no URL with PORT; give an address or a name alone, or set PUBLIC_URL',
    )
  }
  // A variable that is set, but wrong, looks as if it was missing.
  problems.push(...together.filter((line) => !namesIn(line).some((name) => wrong.has(name))))
  if (problems.length > 0 || publicUrl === undefined) throw new ConfigError(problems)
  const demo = values.demo ?? databaseUrl === undefined
  const named = values.webhookAllowedPrivateHosts
  return {
    ...values,
    publicUrl,
    demo,
    webhookAllowedPrivateHosts: allowedReceivers({ named, demo, databaseUrl, publicUrl }),
    workers,
    argon2Concurrency: values.argon2Concurrency ?? defaultHashes(workers),
  }
}

/**
 * Hashes that a server computes at once by default. They run on the four threads of libuv's pool, one
 * of which stays free in each worker for signatures, files and names.
 */
function defaultHashes(workers: number): number {
  return Math.min(Math.max(1, availableParallelism() - 1), 3 * workers)
}

/** The text of a variable, which may stand in a file. */
function given(
  name: string,
  environment: Readonly<Record<string, string | undefined>>,
  problems: string[],
): string | undefined {
  const text = environment[name]?.trim()
  const fileName = fileVariable(name)
  const path = fileName && environment[fileName]?.trim()
  if (!path) return text
  if (text) {
    problems.push(`${name}: is set, and ${fileName} too; set one of them`)
    return undefined
  }
  const file = readSecretFile(path)
  const problem = file.problem ?? (file.text.trim() === '' ? 'the file is empty' : undefined)
  if (problem !== undefined) problems.push(`${fileName}: ${problem}`)
  return file.problem === undefined ? file.text.trim() : undefined
}

/** A variable that is wrong has no value: comparisons with it find nothing. */
function readVariable(
  name: string,
  variable: Variables[Variable],
  given: string | undefined,
  problems: string[],
): unknown {
  const text = given || variable.default
  if (text === undefined) return undefined
  const result = variable.schema.safeParse(text, { error: describeIssue })
  if (result.success) return result.data
  const rules = new Set(result.error.issues.map((issue) => issue.message))
  problems.push(`${name}: ${[...rules].join('; ')}`)
  return undefined
}

/** The variables that a line about a problem names, beginning with the one that it is about. */
function namesIn(problem: string): string[] {
  return (problem.match(/[A-Z][A-Z0-9_]+/g) ?? [])
    .map((name) => (name.endsWith(FILE) ? name.slice(0, -FILE.length) : name))
    .filter((name) => Object.hasOwn(VARIABLES, name))
}

function camelCase(name: string): string {
  return name.toLowerCase().replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase())
}
