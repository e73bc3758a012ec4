import { pino } from 'pino'
import { buildApp } from '../../src/app.ts'
import type { Config } from '../../src/config.ts'
import type { App } from '../../src/http/app-type.ts'
import type { SharedMarketplace } from './app.ts'
import type { Answer } from './client.ts'
import { waitUntil } from './server-process.ts'

/** One more server on a marketplace's database, with a configuration of its own. */
export async function serverWith(
  { deps }: Pick<SharedMarketplace, 'deps'>,
  config: Partial<Config>,
): Promise<{ app: App; warnings: string[] }> {
  const warnings: string[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => warnings.push(line) })
  const app = await buildApp({
    deps: { ...deps, config: { ...deps.config, ...config }, log },
    version: 'test',
    readiness: async () => undefined,
  })
  await app.ready()
  return { app, warnings }
}

type Request = {
  method?: 'GET' | 'POST' | 'OPTIONS'
  token?: string
  from?: string
  headers?: Record<string, string>
  body?: unknown
}

/** Sends one request to a server without a port; `from` is the address of its peer. */
export async function ask(
  app: App,
  url: string,
  { method = 'GET', token, from = '192.0.2.1', headers = {}, body }: Request = {},
): Promise<Answer> {
  const answer = await app.inject({
    method,
    url,
    remoteAddress: from,
    headers: { ...(token && { authorization: `Bearer ${token}` }), ...headers },
    ...(body === undefined ? {} : { payload: body as object }),
  })
  const isJson = String(answer.headers['content-type']).includes('json')
  const named = Object.entries(answer.headers).map(([name, value]) => [name, String(value)])
  return {
    status: answer.statusCode,
    headers: new Headers(named as [string, string][]),
    text: answer.body,
    body: isJson && answer.body !== '' ? answer.json() : undefined,
  }
}

/** Sends a request again and again, one after the other. */
export async function statuses(count: number, send: () => Promise<Answer>): Promise<number[]> {
  const seen: number[] = []
  for (let index = 0; index < count; index++) seen.push((await send()).status)
  return seen
}

/** `count` times the same. */
export const times = <Value>(count: number, value: Value): Value[] => Array(count).fill(value)

/** Waits until the ends of all sign-ins are written: some may be written after the answer. */
export function untilSignInsEnded({ deps }: Pick<SharedMarketplace, 'deps'>): Promise<unknown> {
  return waitUntil(async () => {
    const { rowCount } = await deps.pool.query('SELECT 1 FROM login_failures WHERE under_way > 0')
    return rowCount === 0
  })
}

/** Makes all sign-ins that failed look so many seconds older. */
export function ageFailures({ deps }: Pick<SharedMarketplace, 'deps'>, seconds: number) {
  return deps.pool.query(
    'UPDATE login_failures SET window_start = window_start - make_interval(secs => $1)',
    [seconds],
  )
}
