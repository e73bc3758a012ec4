import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import { createServer } from '../../http/node-http.ts'
import { METRICS_TYPE } from '../../operation/metrics/metrics-service.ts'

const SLOW_CLIENT_MS = 10_000
const CONNECTIONS_MAX = 64
/** A scrape asks for a few headers. */
const HEADERS_MAX_BYTES = 8 * 1024
/** In all spellings in which the server itself takes it. */
const METRICS_PATH = /^(\/api)?\/metrics\/?$/i

/** Answers `GET /metrics` on a port of its own, to everybody who reaches it. */
export async function startMetricsServer(
  { port, host }: { port: number; host: string },
  metrics: () => Promise<string>,
  log: Logger,
): Promise<{ close(): Promise<void> }> {
  // Scrapes that come while one is under way get its answer.
  let underWay: Promise<string> | undefined
  const joined = () => {
    underWay ??= metrics().finally(() => {
      underWay = undefined
    })
    return underWay
  }
  const server = createServer(
    {
      maxHeaderSize: HEADERS_MAX_BYTES,
      headersTimeout: SLOW_CLIENT_MS,
      requestTimeout: SLOW_CLIENT_MS,
      connectionsCheckingInterval: 1_000,
    },
    (request, response) => {
      answer(request, response, joined).catch((error: unknown) => {
        log.error({ err: error }, 'metrics could not be read')
        send(response, 500, 'The metrics could not be read.\n')
      })
    },
  )
  server.maxConnections = CONNECTIONS_MAX
  // A client that reads nothing is cut off.
  server.setTimeout(SLOW_CLIENT_MS, (socket) => socket.destroy())
  // Each worker has a port of its own, which it shares with none.
  await once(server.listen({ port, host, exclusive: true }), 'listening')
  return {
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

async function answer(
  { url = '', method }: IncomingMessage,
  response: ServerResponse,
  metrics: () => Promise<string>,
): Promise<void> {
  if (!METRICS_PATH.test(url.split('?', 1)[0] ?? ''))
    send(response, 404, 'There is only /metrics here.\n')
  else if (method !== 'GET' && method !== 'HEAD') {
    response.setHeader('allow', 'GET, HEAD')
    send(response, 405, 'This address takes GET.\n')
  } else send(response, 200, await metrics(), METRICS_TYPE)
}

function send(response: ServerResponse, status: number, text: string, type = 'text/plain'): void {
  response
    .writeHead(status, {
      'content-type': type,
      'content-length': Buffer.byteLength(text),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-request-id': randomUUID(),
    })
    .end(text)
}
