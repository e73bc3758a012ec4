import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { fileVariable, loadConfig, VARIABLES } from '../../../../src/config.ts'
import { envExample } from '../../../../src/process/cli/config-docs.ts'

const directory = mkdtempSync(join(tmpdir(), 'secret-files-'))
afterAll(() => rmSync(directory, { recursive: true }))

const KEY = 'q83vEjRWeJASNFZ4mrze8KvN7xI0VniQEjRWeJq83vA='
const SECRETS = {
  SECRET_KEY: KEY,
  SECRET_KEY_PREVIOUS: KEY,
  DATABASE_URL: 'postgresql://market:pass@one.internal/market',
  DATABASE_READ_URL: 'postgresql://market:pass@two.internal/market',
  REDIS_URL: 'redis://:pass@redis.internal',
  SMTP_URL: 'smtps://user:pass@mail.internal:465',
  OIDC_CLIENT_SECRET: 'hunter2',
  WEBHOOK_PROXY_URL: 'http://user:pass@proxy.internal:3128',
}
/** What else these need to be right together. */
const OTHERS = {
  MAIL_FROM: 'market@market.example',
  OIDC_ISSUER: 'https://login.example',
  OIDC_CLIENT_ID: 'market',
}

function fileWith(text: string | Buffer): string {
  const path = join(directory, crypto.randomUUID())
  writeFileSync(path, text)
  return path
}

const problemsOf = (env: Record<string, string>): string[] => {
  try {
    loadConfig(env)
  } catch (error) {
    return (error as Error).message.split('\n').slice(1)
  }
  return []
}

test('each variable that is secret, and no other, can stand in a file', () => {
  const names = Object.keys(VARIABLES).filter((name) => fileVariable(name) !== undefined)
  expect(names.toSorted()).toEqual(Object.keys(SECRETS).toSorted())
  for (const name of names) expect(envExample()).toContain(`# ${name}=\n# ${name}_FILE=\n`)
})

test('a value from a file is the value of the variable; line ends around it do not count', () => {
  const files = Object.entries(SECRETS).map(([name, text], index) => [
    `${name}_FILE`,
    fileWith(`${text}${['', '\n', '\r\n'][index % 3]}`),
  ])
  expect(loadConfig({ ...OTHERS, ...Object.fromEntries(files) })).toEqual(
    loadConfig({ ...OTHERS, ...SECRETS }),
  )
})

test.each(Object.entries(SECRETS))('%s and its file are refused together', (name, text) => {
  const env = { ...OTHERS, ...SECRETS, [name]: text, [`${name}_FILE`]: fileWith(text) }
  expect(problemsOf(env)).toEqual([`  ${name}: is set, and ${name}_FILE too; set one of them`])
})

test('an empty variable counts as unset beside the other one', () => {
  const one = { SECRET_KEY: '', SECRET_KEY_FILE: fileWith(KEY) }
  expect(loadConfig(one).secretKey).toBe(KEY)
  expect(loadConfig({ SECRET_KEY: KEY, SECRET_KEY_FILE: ' ' }).secretKey).toBe(KEY)
})

describe('a file that holds no value is one line', () => {
  const FIFO = join(directory, 'fifo')
  execFileSync('mkfifo', [FIFO])

  test.each<[string, string, string]>([
    ['is not there', join(directory, 'none'), 'the file cannot be read (ENOENT)'],
    ['has a path with NUL', 'a\0b', 'the file cannot be read (ERR_INVALID_ARG_VALUE)'],
    ['is a directory', directory, 'is not the path of a file'],
    ['is a pipe that nobody writes to', FIFO, 'is not the path of a file'],
    ['is a device', '/dev/zero', 'is not the path of a file'],
    ['is empty', fileWith(''), 'the file is empty'],
    ['has blanks only', fileWith(' \n\n'), 'the file is empty'],
    ['is too large', fileWith('x'.repeat(65_537)), 'the file has more than 64 KiB'],
    ['is no text', fileWith(Buffer.from([0xff, 0xfe, 0x41])), 'the file is not text in UTF-8'],
  ])('%s', (_name, path, problem) => {
    const env = { DATABASE_URL: SECRETS.DATABASE_URL, SECRET_KEY_FILE: path }
    expect(problemsOf(env)).toEqual([`  SECRET_KEY_FILE: ${problem}`])
  })

  test('a value that breaks a rule is told by its variable, and never shown', () => {
    const [problem, ...rest] = problemsOf({ SECRET_KEY_FILE: fileWith('hunter2') })
    expect(rest).toEqual([])
    expect(problem).toMatch(/^ {2}SECRET_KEY: /)
    expect(problem).not.toContain('hunter2')
  })
})
