import { createServer, type IncomingMessage, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { SharedMarketplace } from './app.ts'

/**
 * `drop` ends the connection without a response, `cut` in the middle of the response; `hold` never
 * responds; `miss` answers as a load balancer does that cannot reach the marketplace.
 */
type Fate = 'pass' | 'drop' | 'cut' | 'hold' | 'miss'
type Seen = { method: string; path: string }

export type Gateway = {
  url: string
  /** Every request that came, in their order, such as `PUT /v1/Developer/EventConsumers/erp`. */
  seen: string[]
  /** Says what becomes of each request from now on. */
  decide(fateOf: (request: Seen) => Fate): void
  /** Resolves when so many requests of a kind have come, such as `PUT`. */
  until(prefix: string, count: number): Promise<void>
  close(): Promise<void>
}

/** Starts a proxy before a marketplace which can lose requests. It passes all unless told otherwise. */
export async function startGateway({ url }: Pick<SharedMarketplace, 'url'>): Promise<Gateway> {
  const seen: string[] = []
  const waiting = new Set<() => void>()
  let fateOf = (_request: Seen): Fate => 'pass'
  const server = createServer((request, response) => {
    const { method = '', headers, url: target = '' } = request
    const path = target.split('?')[0] ?? ''
    seen.push(`${method} ${path}`)
    const fate = fateOf({ method, path })
    for (const check of waiting) check()
    if (fate === 'hold') return
    if (fate === 'drop') {
      request.socket.destroy()
      return
    }
    if (fate === 'miss') {
      response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad Gateway</h1>')
      return
    }
    const hangUp = () => request.socket.destroy()
    const passed = send(new URL(target, url), { method, headers }, (answer: IncomingMessage) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      if (fate === 'cut') answer.once('data', (part) => response.write(part.subarray(0, 1), hangUp))
      else answer.pipe(response)
    })
    passed.on('error', () => response.destroy())
    response.on('close', () => passed.destroy())
    request.pipe(passed)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    decide(next) {
      fateOf = next
    },
    until(prefix, count) {
      return new Promise((resolve) => {
        const check = () => {
          if (seen.filter((one) => one.startsWith(prefix)).length < count) return
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
