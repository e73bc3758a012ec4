import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inflate } from '@sparticuz/chromium'
import { type Browser, chromium } from 'playwright-core'
import { inject } from 'vitest'

/**
 * Chosen for tests that must see the browser as users have it: unlike the flags that
 * @sparticuz/chromium recommends for Lambda, web security stays on and renderers are processes.
 */
const FLAGS = [
  '--no-sandbox',
  '--no-zygote',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-domain-reliability',
  '--disable-quic',
  '--no-first-run',
  '--no-pings',
  '--font-render-hinting=none',
]

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the browser of the run is asked for. */
    browserService: string
  }
}

/** Connects to the one Chromium of the run; closing it ends what this file has opened there. */
export async function openBrowser(): Promise<Browser> {
  const answer = await fetch(inject('browserService'))
  const text = await answer.text()
  if (!answer.ok) throw new Error(text)
  return chromium.connectOverCDP(text)
}

/**
 * Starts headless Chromium; the caller closes it.
 *
 * On Linux x64 it is the one of the npm package @sparticuz/chromium, with the shared libraries
 * (NSS, NSPR, expat) and the font that the package brings: the machine needs glibc only, no
 * system browser. Elsewhere, or to use another one, set BROWSER_EXECUTABLE to a Chromium's path.
 *
 * @param port where it is controlled from, of this machine alone
 */
export async function launchBrowser(port: number): Promise<Browser> {
  const args = [...FLAGS, `--remote-debugging-port=${port}`]
  const own = process.env.BROWSER_EXECUTABLE
  if (own) return chromium.launch({ executablePath: own, args })
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error('no Chromium for this platform in npm: set BROWSER_EXECUTABLE to one')
  }
  const directory = await unpackedChromium()
  return chromium.launch({
    executablePath: join(directory, 'chromium'),
    args,
    env: {
      ...process.env,
      LD_LIBRARY_PATH: join(directory, 'al2023', 'lib'),
      ...(existsSync('/etc/fonts/fonts.conf') ? {} : { FONTCONFIG_PATH: join(directory, 'fonts') }),
    },
  })
}

/**
 * Unpacks the package's archives into node_modules/.cache, once: into a directory of its own
 * that is then renamed, so that parallel test files never start a half-written binary. The
 * package's own `executablePath()` shares /tmp/chromium between users and races.
 */
async function unpackedChromium(): Promise<string> {
  const require = createRequire(import.meta.url)
  const packageDirectory = dirname(dirname(require.resolve('@sparticuz/chromium')))
  const { version } = require(join(packageDirectory, 'package.json'))
  const cache = fileURLToPath(new URL('../../node_modules/.cache/', import.meta.url))
  const target = join(cache, `chromium-${version}`)
  if (existsSync(target)) return target

  await mkdir(cache, { recursive: true })
  const unpacking = await mkdtemp(join(cache, 'unpacking-'))
  const originalTmp = process.env.TMPDIR
  // `inflate` writes where os.tmpdir() points at the moment of the call.
  process.env.TMPDIR = unpacking
  const archives = ['chromium.br', 'al2023.tar.br', 'fonts.tar.br']
  let done: Promise<unknown>
  try {
    done = Promise.all(archives.map((name) => inflate(join(packageDirectory, 'bin', name))))
  } finally {
    if (originalTmp === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = originalTmp
  }
  await done
  try {
    await rename(unpacking, target)
  } catch (error) {
    await rm(unpacking, { recursive: true, force: true })
    if (!existsSync(target)) throw error
  }
  return target
}
