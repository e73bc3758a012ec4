import { execFileSync, spawn } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import type { SharedMarketplace } from './app.ts'
import { COMPILE_CACHE } from './compile-cache.ts'

/** Where the guides find the server. */
const EXAMPLE_SERVER = 'http://127.0.0.1:3000'
/** Where they start a receiver of webhooks. */
const EXAMPLE_RECEIVER = '127.0.0.1:4100'
const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const CLI = join(ROOT, 'src/process/cli/main.ts')
const EXAMPLE = join(ROOT, 'examples/price-checker/src/main.ts')
/** Where the guides open the example app. */
const EXAMPLE_APP = '127.0.0.1:4000'
const EXAMPLES = new RegExp(`(?:${EXAMPLE_SERVER}|${EXAMPLE_RECEIVER}|${EXAMPLE_APP})(?!\\d)`, 'g')

/** Whether there are a shell, openssl and a curl that the guides can be run with: they use %header{...}. */
export function hasTools(): boolean {
  try {
    const tools = 'openssl version >&2 && curl --version'
    const version = execFileSync('bash', ['-c', tools], { encoding: 'utf8', stdio: 'pipe' })
    const [, major = 0, minor = 0] = /^curl (\d+)\.(\d+)/.exec(version) ?? []
    return Number(major) > 7 || (Number(major) === 7 && Number(minor) >= 84)
  } catch {
    return false
  }
}

/** The text of a file of the repository. */
export function readGuide(file: string): Promise<string> {
  return readFile(join(ROOT, file), 'utf8')
}

let python: boolean | undefined

/** Whether there is a Python that the guides can be run with. */
export function hasPython(): boolean {
  python ??= findPython()
  return python
}

function findPython(): boolean {
  try {
    const atLeast = 'import sys; sys.exit(sys.version_info < (3, 9))'
    execFileSync('python3', ['-c', atLeast], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** The blocks of commands of a guide that are meant to be run as they stand. */
export function commandsOf(text: string): string[] {
  return blocksOf(text, 'sh').map(({ block }) => block)
}

/** The programs of a guide in Python, which are run as they stand, too. */
export function pythonOf(text: string): string[] {
  return blocksOf(text, 'python').map(({ block }) => block)
}

type Language = 'sh' | 'python'

function blocksOf(text: string, ...languages: Language[]): { language: string; block: string }[] {
  return [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```/gm)]
    .map(([, language = '', block = '']) => ({ language, block }))
    .filter(({ language }) => languages.some((one) => one === language))
}

/** The blocks of a guide as one script; each program in Python runs where it stands. */
function scriptOf(text: string): string {
  return blocksOf(text, 'sh', 'python')
    .filter(({ language }) => language === 'sh' || hasPython())
    .map(({ language, block }) =>
      language === 'sh' ? block : `python3 - <<'END_OF_PYTHON'\n${block}END_OF_PYTHON\n`,
    )
    .join('\n')
}

/**
 * Runs the commands of a guide on a server of the test and a port for what they start themselves, in a directory with what `npm start` leaves
 * there, and expects that none fails.
 *
 * @returns what they print
 */
export async function runGuide(
  market: SharedMarketplace,
  file: string,
  receiverPort: number,
): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'guide-'))
  try {
    await mkdir(join(directory, '.data'))
    await writeFile(join(directory, '.data/demo.json'), JSON.stringify(market.demo))
    await writeFile(join(directory, '.data/secret-key'), market.deps.secretKey)
    await symlink(join(ROOT, 'demo'), join(directory, 'demo'))
    await symlink(join(ROOT, 'examples'), join(directory, 'examples'))
    await symlink(join(ROOT, 'node_modules'), join(directory, 'node_modules'))
    const script = scriptOf(await readGuide(file))
      // At once, and whole ports only: the port of the test's server may begin like one of these.
      .replaceAll(EXAMPLES, (example) =>
        example === EXAMPLE_SERVER ? market.url : `127.0.0.1:${receiverPort}`,
      )
      .replaceAll(/listen\(4[01]00,/g, `listen(${receiverPort},`)
      .replaceAll(/npm run (-s )?cli --/g, `"${process.execPath}" "${CLI}"`)
      .replaceAll(
        'npm run example',
        `"${process.execPath}" --conditions=@app-marketplace/source "${EXAMPLE}"`,
      )
    return await runScript(script, directory, {
      PORT: String(receiverPort),
      DEMO_FILE: join(directory, '.data/demo.json'),
      XDG_CONFIG_HOME: join(directory, 'config'),
      DATABASE_URL: market.databaseUrl,
      SECRET_KEY: market.deps.secretKey,
    })
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

async function runScript(
  script: string,
  cwd: string,
  env: Record<string, string>,
): Promise<string> {
  // A variable that nothing sets fails, and so does any part of a pipe.
  const told = `trap 'echo "Status $? of: $BASH_COMMAND" >&2' ERR\n${script}`
  const child = spawn('bash', ['-e', '-u', '-E', '-o', 'pipefail', '-c', told], {
    cwd,
    env: { PATH: process.env.PATH ?? '', NODE_COMPILE_CACHE: COMPILE_CACHE, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  const code = await new Promise((resolve) => child.once('close', resolve))
  expect({ code, output: code === 0 ? '' : output }).toEqual({ code: 0, output: '' })
  return output
}

/**
 * What a guide says that its commands print: comments with JSON, and those right below a command
 * or a `print` of Python; `...` stands for anything.
 */
export function promisedOutput(
  text: string,
  { url }: SharedMarketplace,
): { line: string; pattern: RegExp }[] {
  const shown = text.replaceAll(EXAMPLE_SERVER, url)
  const ofCommands = commandsOf(shown).flatMap((block) => {
    const lines = block.split('\n')
    return lines.filter(
      (line, index) => /^# [{[]/.test(line) || (line.startsWith('# ') && lines[index - 1]),
    )
  })
  const ofPython = hasPython()
    ? pythonOf(shown).flatMap((block) => {
        const lines = block.split('\n').map((line) => line.trim())
        return lines.filter(
          (line, index) => line.startsWith('# ') && lines[index - 1]?.startsWith('print('),
        )
      })
    : []
  return [...ofCommands, ...ofPython].map((line) => ({ line, pattern: patternOf(line.slice(2)) }))
}

function patternOf(promise: string): RegExp {
  const parts = promise.split('...').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(parts.join('[\\s\\S]*?'))
}
