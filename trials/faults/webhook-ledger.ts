import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What came of one event: how often, when first, and its numbers. */
type Arrival = {
  times: number
  atMs: number
  position: number
  sequence: number | undefined
  installationId: string | undefined
}

type Answer = (response: ServerResponse) => void

/** A receiver that counts: one line for each event, whatever path it came to. */
export type Ledger = {
  /** `127.0.0.1:port`, for the list of allowed hosts. */
  host: string
  /** By id of the event; requests to `/hang` are not in it. */
  arrivals: Map<string, Arrival>
  /** Requests that were never answered. */
  hanging(): number
  /** Closes the port, as a receiver that is dead; `open` takes it again. */
  shut(): Promise<void>
  open(): Promise<void>
}

const answerOk: Answer = (response) => void response.writeHead(204).end()

/** Starts a receiver on loopback: it answers 204, and on paths that begin with `/hang` never. */
export async function openLedger(answer: Answer = answerOk): Promise<Ledger> {
  const arrivals = new Map<string, Arrival>()
  let hanging = 0
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      if (request.url?.startsWith('/hang')) {
        hanging += 1
        return
      }
      count(arrivals, String(request.headers['webhook-id']), Buffer.concat(chunks).toString())
      answer(response)
    })
  })
  const listen = (port: number) =>
    new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  await listen(0)
  const { port } = server.address() as AddressInfo
  return {
    host: `127.0.0.1:${port}`,
    arrivals,
    hanging: () => hanging,
    shut() {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
    open: () => listen(port),
  }
}

function count(arrivals: Map<string, Arrival>, id: string, body: string): void {
  const known = arrivals.get(id)
  if (known !== undefined) {
    known.times += 1
    return
  }
  const event = JSON.parse(body)
  const { sequence, installationId } = event.data
  const numbers = { position: event.position, sequence, installationId }
  arrivals.set(id, { times: 1, atMs: performance.now(), ...numbers })
}
