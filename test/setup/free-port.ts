import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Systems give ports from 32,768 on to connections and to servers that ask for any: those could be
 * taken again before the caller listens. Browsers refuse some ports below 12,000.
 */
const FIRST_PORT = 12_000
/** The workers of a test run have ports of their own; 0 is everything else. */
const WORKERS = 4
const PORTS_PER_WORKER = 5_000

const worker = Number(process.env.VITEST_POOL_ID ?? 0) % WORKERS
let last = Math.floor(Math.random() * PORTS_PER_WORKER)

/** A port of 127.0.0.1 that is free, and that nobody else is likely to take. */
export async function freePort(): Promise<number> {
  for (;;) {
    last = (last + 1) % PORTS_PER_WORKER
    const port = FIRST_PORT + worker * PORTS_PER_WORKER + last
    if (await isFree(port)) return port
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch {
    return false
  }
  server.close()
  await once(server, 'close')
  return true
}
