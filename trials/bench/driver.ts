import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { stopAtEnd } from './run-end.ts'

type Request = { method: string; path: string; body?: string; headers?: Record<string, string> }

/** One load on one server. */
export type Load = {
  url: string
  connections: number
  seconds: number
  headers?: Record<string, string>
  method?: string
  body?: string
  /** What to send instead of `url`: paths drawn at random, or requests in turn. */
  paths?: string[]
  requests?: Request[]
  /** Requests carry these tokens in turn. */
  tokens?: string[]
}

export type Measurement = {
  requestsPerSecond: number
  p50Ms: number
  p99Ms: number
  errors: number
  bytesPerRequest: number
}

/** So many paths are drawn from those of a load, and then asked for in turn. */
const DRAWS = 20_000

/**
 * Sends the requests of the file that `REQUESTS` names in turn, each behind a line with its length.
 * A status of 400 or more is an error.
 */
const SCRIPT = `
local requests, at = {}, 0
function init()
  local file = assert(io.open(os.getenv('REQUESTS'), 'rb'))
  for length in file:lines() do requests[#requests + 1] = file:read(tonumber(length)) end
end
function request()
  at = at % #requests + 1
  return requests[at]
end
function done(summary, latency)
  local e = summary.errors
  io.write(string.format(
    '{"requests":%d,"durationUs":%d,"bytes":%d,"p50Us":%d,"p99Us":%d,"errors":%d}\\n',
    summary.requests, summary.duration, summary.bytes, latency:percentile(50),
    latency:percentile(99), e.connect + e.read + e.write + e.status + e.timeout))
end
`

/**
 * Drives a load with wrk, which takes so little of a processor that the server is what is measured.
 *
 * @throws Error when wrk is missing or fails
 */
export async function drive(load: Load): Promise<Measurement> {
  const directory = await mkdtemp(join(tmpdir(), 'app-marketplace-wrk-'))
  try {
    const script = join(directory, 'load.lua')
    const requests = join(directory, 'requests')
    await writeFile(script, SCRIPT)
    await writeFile(
      requests,
      requestsOf(load)
        .map((one) => `${one.length}\n${one}`)
        .join(''),
    )
    const { url, connections, seconds } = load
    const options = ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '10s', '-s', script]
    const output = await runWrk([...options, new URL(url).origin], { REQUESTS: requests })
    return measurementOf(JSON.parse(output.slice(output.lastIndexOf('{'))))
  } finally {
    await rm(directory, { recursive: true })
  }
}

/** Whether wrk can be run. */
export async function isWrkThere(): Promise<boolean> {
  return runWrk(['-v'], {}).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code !== 'ENOENT',
  )
}

async function runWrk(parameters: readonly string[], env: Record<string, string>) {
  const wrk = spawn('wrk', parameters, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const forget = stopAtEnd(async () => wrk.kill())
  const ended = new Promise<number | null>((resolve, reject) => {
    wrk.once('error', reject).once('exit', resolve)
  })
  const [exitCode, output, problems] = await Promise.all([
    ended.finally(forget),
    text(wrk.stdout),
    text(wrk.stderr),
  ])
  if (exitCode !== 0) throw new Error(`wrk ended with ${exitCode}: ${problems}${output}`)
  return output
}

type Result = Record<'requests' | 'durationUs' | 'bytes' | 'p50Us' | 'p99Us' | 'errors', number>

function measurementOf({ requests, durationUs, bytes, p50Us, p99Us, errors }: Result) {
  return {
    requestsPerSecond: (requests / durationUs) * 1e6,
    p50Ms: p50Us / 1000,
    p99Ms: p99Us / 1000,
    errors,
    bytesPerRequest: Math.round(bytes / Math.max(1, requests)),
  }
}

/** The requests of a load as they are sent; all of them are ASCII. */
function requestsOf({ url, headers, method = 'GET', body, tokens = [], ...load }: Load): string[] {
  const { host, pathname, search } = new URL(url)
  const alone: Request = { method, path: pathname + search, ...(body !== undefined && { body }) }
  const requests = load.requests ??
    (load.paths && drawn(load.paths).map((path): Request => ({ method, path }))) ?? [alone]
  const count = Math.max(requests.length, tokens.length)
  return Array.from({ length: count }, (_, index) => {
    const request = requests[index % requests.length] ?? alone
    const token = tokens[index % tokens.length]
    const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` }
    const fields = { host, ...headers, ...authorization, ...request.headers }
    return textOf(request, fields)
  })
}

function textOf({ method, path, body = '' }: Request, fields: Record<string, string>): string {
  const all = body === '' ? fields : { ...fields, 'content-length': `${body.length}` }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`
}

function drawn(paths: readonly string[]): string[] {
  const count = Math.min(DRAWS, paths.length)
  return Array.from({ length: count }, () => paths[Math.floor(Math.random() * paths.length)] ?? '')
}
