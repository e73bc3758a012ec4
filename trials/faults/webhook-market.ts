import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLogger } from '../../src/base/log/logger.ts'
import { loadConfig } from '../../src/config.ts'
import type { Deps } from '../../src/deps.ts'
import { startEmbeddedPostgres } from '../../src/operation/embedded-postgres/embedded-postgres.ts'
import { openRuntime } from '../../src/process/start/runtime.ts'
import { draft } from '../../test/setup/apps.ts'
import { mintedToken } from '../../test/setup/probes.ts'
import { installedTokens } from '../../test/setup/replicas.ts'
import {
  readDemoFile,
  type ServerProcess,
  serverProcesses,
} from '../../test/setup/server-process.ts'

/** The app of the demo whose events are sent. */
const APP_ID = 'price-sync'

/** Servers on one Postgres, their developer, and the services in this process beside them. */
export type WebhookMarket = {
  /** The first server; others are started with `startServer`. */
  server: ServerProcess
  postgres: Awaited<ReturnType<typeof startEmbeddedPostgres>>
  deps: Deps
  developerId: string
  appId: string
  /** Another developer of the demo. */
  other: Pick<WebhookMarket, 'developerId' | 'send' | 'endpoint' | 'newApp'>
  startServer(
    env?: Record<string, string>,
    port?: number,
    nodeOptions?: readonly string[],
  ): Promise<ServerProcess>
  /** A request of the developer; throws when it is refused. */
  send(method: string, path: string, body?: unknown, to?: ServerProcess): Promise<Sent>
  /** Makes an endpoint of an app. */
  endpoint(url: string, appId?: string): Promise<string>
  /** Makes a further app of the developer. */
  newApp(id: string): Promise<string>
  /** Makes installations of the app, straight in the database. */
  installations(count: number): Promise<string[]>
  close(): Promise<void>
}

// biome-ignore lint/suspicious/noExplicitAny: trials read what they need of it
type Sent = { status: number; body: any }

/** What differs from the usual: the environment of the first server, settings of Postgres. */
type Options = { env?: Record<string, string>; settings?: Record<string, string> }

/** @param receivers `host:port` that webhooks may be sent to */
export async function startWebhookMarket(
  receivers: readonly string[],
  { env: more = {}, settings = {} }: Options = {},
): Promise<WebhookMarket> {
  const dataDir = await mkdtemp(join(tmpdir(), 'webhook-trial-'))
  const postgres = await startEmbeddedPostgres({ dataDir: join(dataDir, 'postgres'), settings })
  const processes = serverProcesses()
  const env = {
    DATABASE_URL: postgres.connectionString,
    SECRET_KEY: randomBytes(32).toString('base64'),
    // All replicas take the same tokens.
    PUBLIC_URL: 'http://marketplace.example',
    RATE_LIMIT_PER_MINUTE: '0',
    WEBHOOK_ALLOWED_PRIVATE_HOSTS: receivers.join(','),
  }
  const server = await processes.start({ env: { ...env, ...more, DEMO: 'true' } })
  await server.ready()
  const config = loadConfig({ ...env, DATABASE_POOL_SIZE: '16', LOG_LEVEL: 'silent' })
  const { deps, close } = await openRuntime(config, createLogger(config), {
    url: postgres.connectionString,
    close: async () => {},
  })
  const demo = readDemoFile(server.dataDir)
  const isOurs = ({ apps }: (typeof demo.developers)[number]) => apps.includes(APP_ID)
  const developerOf = async (credentials: (typeof demo.developers)[number] | undefined) => {
    const token = await mintedToken(server, '/v1/Auth', credentials)
    const where = { id: String(credentials?.apps[0]) }
    const { developerId } = await deps.db.app.findUniqueOrThrow({ where })
    const send = (method: string, path: string, body?: unknown, to = server) =>
      sendTo(to, { method, path, token, body })
    return {
      developerId,
      send,
      async endpoint(url: string, appId = APP_ID): Promise<string> {
        const { body } = await send('POST', `/v1/Developer/Apps/${appId}/Webhooks`, { url })
        return body.id
      },
      async newApp(id: string) {
        await send('POST', '/v1/Developer/Apps', draft(id))
        return id
      },
    }
  }
  return {
    server,
    postgres,
    deps,
    ...(await developerOf(demo.developers.find(isOurs))),
    appId: APP_ID,
    other: await developerOf(demo.developers.find((developer) => !isOurs(developer))),
    async startServer(its = {}, port, nodeOptions = []) {
      const started = await processes.start({
        nodeOptions,
        env: { ...env, ...its },
        ...(port === undefined ? {} : { port }),
      })
      await started.ready()
      return started
    },
    async installations(count) {
      const like = demo.installations.find(({ appId }) => appId === APP_ID)
      const made = await installedTokens({ deps }, String(like?.id), count)
      return made.map(({ installationId }) => installationId)
    },
    async close() {
      await close()
      await processes.cleanUp()
      await postgres.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

type Request = { method: string; path: string; token: string; body?: unknown }

async function sendTo({ url }: ServerProcess, { method, path, token, body }: Request) {
  const answer = await fetch(url + path, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`)
  return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) }
}
