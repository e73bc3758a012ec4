import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What a receiver got. */
type Received = { headers: IncomingHttpHeaders; body: string; atMs: number }

export type Receiver = {
  /** `http://127.0.0.1:port/hook` */
  url: string
  /** `127.0.0.1:port`, for the list of allowed hosts. */
  host: string
  received: Received[]
  /** Answers requests from now on. */
  answerWith(answer: (response: ServerResponse, request: Received) => void): void
  /** Resolves when so many requests have come. */
  until(count: number): Promise<void>
  close(): Promise<void>
}

/** Starts a receiver of webhooks on loopback; it answers 204 unless told otherwise. */
export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = []
  const waiting = new Set<() => void>()
  let answer = (response: ServerResponse, _request: Received) => {
    response.writeHead(204).end()
  }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8')
      const one = { headers: request.headers, body, atMs: Date.now() }
      received.push(one)
      for (const check of waiting) check()
      answer(response, one)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: `http://${host}/hook`,
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
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
