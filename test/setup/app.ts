import { buildApp } from '../../src/app.ts'
import { createLogger } from '../../src/base/log/logger.ts'
import { type Config, loadConfig } from '../../src/config.ts'
import type { Deps } from '../../src/deps.ts'
import type { App } from '../../src/http/app-type.ts'
import type { HashCost } from '../../src/identity/auth/passwords.ts'
import type { Demo } from '../../src/process/demo/demo-file.ts'
import { type BackgroundOptions, startBackground } from '../../src/process/start/background.ts'
import { openRuntime } from '../../src/process/start/runtime.ts'
import { CHEAP_HASHES } from './cheap-hashes.ts'
import { createDemoDatabase } from './database.ts'
import { freePort } from './free-port.ts'

/** A server with the demo marketplace on a database of its own. */
export type TestMarketplace = {
  app: App
  deps: Deps
  demo: Demo
  url: string
  databaseUrl: string
  /** Moves the server's clock. */
  advance(seconds: number): void
  close(): Promise<void>
}

/**
 * `log` takes the lines of the log, one a call; the level is that of the configuration. Passwords
 * are hashed cheaply unless `hashCost` says otherwise.
 */
type Options = {
  config?: Partial<Config>
  log?: (line: string) => void
  hashCost?: HashCost
  /** Number events and send webhooks, as a server does. */
  background?: BackgroundOptions
  /** What the names of receivers resolve to when their addresses are saved; to nothing by default. */
  receiverLookup?: Deps['receiverLookup']
  /** The clock stands still unless it is advanced: nothing becomes due because a test takes long. */
  isClockStopped?: boolean
}

/** What the files of a worker share. Its clock goes on by itself, and nobody closes it. */
export type SharedMarketplace = Omit<TestMarketplace, 'advance' | 'close'>

let shared: Promise<SharedMarketplace> | undefined

/**
 * The marketplace that the files of a worker share; it ends with the worker. A file that uses it
 * makes the accounts, users and apps that it needs, and asserts about them alone. A file that
 * changes the configuration, the clock or the demo, or counts what is everybody's, starts one of
 * its own.
 */
export function sharedMarketplace(): Promise<SharedMarketplace> {
  shared ??= startMarketplace()
  return shared
}

/** Starts a listening server; the clock can be advanced. */
export async function startMarketplace({
  config = {},
  log,
  hashCost = CHEAP_HASHES,
  background: backgroundOptions,
  receiverLookup = async () => [],
  isClockStopped = false,
}: Options = {}): Promise<TestMarketplace> {
  const database = await createDemoDatabase()
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const fullConfig: Config = {
    ...loadConfig({
      DATABASE_URL: database.url,
      SECRET_KEY: database.secretKey,
      PUBLIC_URL: url,
      LOG_LEVEL: 'silent',
      DATABASE_POOL_SIZE: '8',
      RATE_LIMIT_PER_MINUTE: '0',
    }),
    ...config,
  }
  const startedAtMs = Date.now()
  let skewMs = 0
  const now = () => new Date((isClockStopped ? startedAtMs : Date.now()) + skewMs)
  const runtime = await openRuntime(
    fullConfig,
    createLogger(fullConfig, log && { write: log }),
    { url: database.url, close: database.drop },
    { now, hashCost, receiverLookup },
  )
  const { deps } = runtime
  const app = await buildApp({ deps, version: 'test', readiness: async () => undefined })
  await app.listen({ port, host: '127.0.0.1' })
  const background =
    backgroundOptions && startBackground(runtime, { isScheduled: false, ...backgroundOptions })
  return {
    app,
    deps,
    demo: { ...database.demo, baseUrl: url },
    url,
    databaseUrl: database.url,
    advance(seconds) {
      skewMs += seconds * 1000
    },
    async close() {
      app.server.closeAllConnections()
      await app.close()
      await background?.stop()
      await runtime.close()
    },
  }
}
