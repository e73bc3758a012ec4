import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What a receiver got. */
type Received = {
  url: string | undefined
  headers: IncomingHttpHeaders
  body: string
  atMs: number
}

export type Receiver = {
  /** `http://127.0.0.1:port/hook/1` */
  readonly url: string
  /** `127.0.0.1:port`, for the list of allowed hosts. */
  host: string
  received: Received[]
  /** Answers requests from now on. */
  answerWith(answer: (response: ServerResponse, request: Received) => void): void
  /** Resolves when so many requests have come. */
  until(count: number): Promise<void>
  /**
   * Forgets what has come, answers 204 again and takes another URL: requests that are still on
   * their way to a former URL, for endpoints that were removed, are answered and not listed.
   */
  startAfresh(): void
  close(): Promise<void>
}

/** Starts a receiver of webhooks on loopback; it answers 204 unless told otherwise. */
export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = []
  const waiting = new Set<() => void>()
  const accept = (response: ServerResponse, _request: Received) => {
    response.writeHead(204).end()
  }
  let answer = accept
  let generation = 1
  const path = () => `/hook/${generation}`
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8')
      const one = { url: request.url, headers: request.headers, body, atMs: Date.now() }
      if (!`${request.url}/`.startsWith(`${path()}/`)) {
        accept(response, one)
        return
      }
      received.push(one)
      for (const check of waiting) check()
      answer(response, one)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    get url() {
      return `http://${host}${path()}`
    },
    host,
    received,
    answerWith(next) {
      answer = next
    },
    until(count) {
      return new Promise((resolve) => {
        const check = () => {
          if (received.length < count) return
          waiting.delete(check)
          resolve()
        }
        waiting.add(check)
        check()
      })
    },
    startAfresh() {
      received.length = 0
      answer = accept
      generation += 1
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
