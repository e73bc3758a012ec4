import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { saveCredentials } from '../../../client/src/command-line/credentials.ts'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { COMPILE_CACHE } from '../../setup/compile-cache.ts'
import { freePort } from '../../setup/free-port.ts'
import { credentialsOf } from '../../setup/marketplace-client.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

let market: TestMarketplace
let directory: string
beforeAll(async () => {
  market = await startMarketplace()
  directory = await mkdtemp(join(tmpdir(), 'npm-scripts-'))
  await writeFile(join(directory, 'demo.json'), JSON.stringify(market.demo))
  await saveCredentials(join(directory, 'app-marketplace', 'credentials.json'), {
    baseUrl: market.url,
    ...credentialsOf(market, 'price-sync'),
  })
})
afterAll(async () => {
  await market.close()
  await rm(directory, { recursive: true, force: true })
})

test.each([
  ['npm run example', 'Price Checker is at'],
  ['npm run -s cli -- dev listen --forward-to http://127.0.0.1:9/hook', 'Webhook secret'],
])('a signal to `%s` ends the program, not only npm', async (line, ready) => {
  const [command = '', ...words] = line.split(' ')
  const started = spawn(command, words, {
    cwd: ROOT,
    detached: true,
    env: {
      PATH: process.env.PATH ?? '',
      NODE_COMPILE_CACHE: COMPILE_CACHE,
      PORT: String(await freePort()),
      DEMO_FILE: join(directory, 'demo.json'),
      STORE_FILE: join(directory, 'store.json'),
      XDG_CONFIG_HOME: directory,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    // Closed when the last process that writes to it has ended.
    const ended = once(started.stdout, 'close')
    let text = ''
    const output = started.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })
    for await (const part of output) {
      text += part
      if (text.includes(ready)) break
    }
    expect(text).toContain(ready)
    started.kill('SIGTERM')
    started.stdout.resume()
    await ended
  } finally {
    killGroup(started.pid)
  }
})

/** Ends what a failed test leaves behind. */
function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch (error) {
    // Nothing was left.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
