import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const parent = mkdtempSync(join(tmpdir(), 'incomplete-'))
afterAll(() => rmSync(parent, { recursive: true }))

/** What a complete installation has, as far as the check looks. */
const PACKAGES = ['node_modules/fastify/index.js', 'node_modules/node/index.js']
const DEVELOPMENT = ['node_modules/vitest/index.js']
const BINARY = ['node_modules/node/bin/node']
const GENERATED = ['src/base/database/generated/client.ts', 'src/web/assets/scalar.js']

function installation(files: readonly string[]): string {
  const directory = mkdtempSync(join(parent, 'clone-'))
  for (const part of ['scripts', 'package.json', '.npmrc']) {
    cpSync(join(ROOT, part), join(directory, part), { recursive: true })
  }
  for (const file of files) {
    mkdirSync(dirname(join(directory, file)), { recursive: true })
    writeFileSync(join(directory, file), '')
  }
  return directory
}

/** The Node of Debian 12 and of Ubuntu 24.04 are older than what the server needs. */
const OLD_NODE = {
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(
    "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } })",
  )}`,
}

/** Runs npm; its own lines, which begin with `>`, and empty ones are left out. */
function npm(cwd: string, words: readonly string[], env: Record<string, string> = {}) {
  const { promise, resolve } = Promise.withResolvers<{ code: unknown; lines: string[] }>()
  const all = { PATH: process.env.PATH ?? '', HOME: cwd, ...env }
  execFile('npm', words, { cwd, env: all }, (error, stdout, stderr) => {
    const lines = (stdout + stderr).split('\n').filter((line) => line !== '' && line[0] !== '>')
    resolve({ code: error?.code ?? 0, lines })
  })
  return promise
}

const RUN = ['start', 'run cli -- party list', 'run example']
const DEVELOP = ['test', 'run test:fast', 'run check', 'run openapi']

describe('an installation that is not complete ends in one line that says what to do', () => {
  test.each(RUN)('without the install scripts, on an older Node: npm %s', async (words) => {
    const { code, lines } = await npm(installation(PACKAGES), words.split(' '), OLD_NODE)
    expect(lines).toEqual([
      'The install scripts of the packages did not run. Run: npm rebuild && npm run prepare',
    ])
    expect(code).toBe(1)
  })

  test('where a setting forbids the scripts, the line overrides it', async () => {
    const clone = installation([...PACKAGES, ...DEVELOPMENT])
    const { lines } = await npm(clone, ['test'], { ...OLD_NODE, npm_config_ignore_scripts: 'true' })
    expect(lines).toEqual([
      'The install scripts of the packages did not run. Run: ' +
        'npm rebuild --ignore-scripts=false && npm run prepare',
    ])
  })

  test('without the script of this package, on a newer Node', async () => {
    const { code, lines } = await npm(installation([...PACKAGES, ...BINARY]), ['start'])
    expect(lines).toEqual(['The install script of this package did not run. Run: npm run prepare'])
    expect(code).toBe(1)
  })

  test.each(DEVELOP)('without the packages for development: npm %s', async (words) => {
    const clone = installation([...PACKAGES, ...BINARY, ...GENERATED])
    const { code, lines } = await npm(clone, words.split(' '))
    expect(lines).toEqual(['The packages for development were left out. Run: npm ci --include=dev'])
    expect(code).toBe(1)
  })

  test('without any package', async () => {
    const { lines } = await npm(installation([]), ['start'], OLD_NODE)
    expect(lines).toEqual(['The packages are not installed. Run: npm ci'])
  })

  test('with an older Node that npm did not choose', async () => {
    const clone = installation([...PACKAGES, ...BINARY, ...GENERATED])
    const { lines } = await npm(clone, ['start'], OLD_NODE)
    expect(lines).toEqual([
      'Node 22.18 or newer is needed; this is ' +
        `20.20.2. Use npm, or ${join(clone, 'node_modules/node/bin/node')}`,
    ])
  })
})
