import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import type { SharedMarketplace } from './app.ts'
import { COMPILE_CACHE } from './compile-cache.ts'
import { freePort } from './free-port.ts'
import { waitUntil } from './server-process.ts'
import type { WebClient } from './web-client.ts'

const EXAMPLE = fileURLToPath(new URL('../../examples/price-checker/', import.meta.url))

/** The example app as a process of its own. */
export type PriceChecker = { origin: string; storeFile: string; stop(): Promise<void> }

/** Starts the example app beside a marketplace. */
export async function startPriceChecker(
  market: SharedMarketplace,
  variables: Record<string, string> = {},
): Promise<PriceChecker> {
  const directory = await mkdtemp(join(tmpdir(), 'price-checker-'))
  await writeFile(join(directory, 'demo.json'), JSON.stringify(market.demo))
  const { PORT = String(await freePort()), ...others } = variables
  const origin = `http://127.0.0.1:${PORT}`
  const storeFile = join(directory, 'store.json')
  let output = ''
  const child = spawn(process.execPath, ['--conditions=@app-marketplace/source', 'src/main.ts'], {
    cwd: EXAMPLE,
    env: {
      PATH: process.env.PATH ?? '',
      NODE_COMPILE_CACHE: COMPILE_CACHE,
      PORT,
      DEMO_FILE: join(directory, 'demo.json'),
      STORE_FILE: storeFile,
      ...others,
    },
  })
  const ended = once(child, 'close')
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  await waitUntil(() => output.includes('Price Checker is at') || child.exitCode !== null)
  expect(output).toBe(`Price Checker is at ${origin}\n`)
  return {
    origin,
    storeFile,
    async stop() {
      child.kill('SIGTERM')
      await ended
      await rm(directory, { recursive: true, force: true })
    },
  }
}

/** Opens an address of the app, and follows it to the marketplace and back. */
export type Visit = (address: string) => Promise<Response>

/** Makes a browser that keeps the cookies of the app. At the marketplace it is the web client. */
export function visitor(market: SharedMarketplace, user: WebClient): Visit {
  const cookies = new Map<string, string>()
  return async function visit(address) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(address, { headers: { cookie }, redirect: 'manual' })
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = line.split(';')[0]?.split('=') ?? []
      cookies.set(name, value)
    }
    const location = response.headers.get('location')
    if (location === null) return response
    if (location.startsWith(market.url)) {
      const { pathname, search } = new URL(location)
      return visit((await user.get(`${pathname}${search}`)).location ?? '')
    }
    return visit(new URL(location, address).href)
  }
}
