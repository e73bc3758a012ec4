import { connect } from 'node:net'

const CANCEL_REQUEST_BYTES = 16
const CANCEL_REQUEST_CODE = 80_877_102
const PATIENCE_MS = 1_000

/** The parts of a node-postgres connection that its types leave out. */
export type Cancellable = { host: string; port: number; processID: number; secretKey: number }

/**
 * Asks Postgres to cancel the statement of a connection (PostgreSQL, "Canceling Requests in
 * Progress"). The request goes over a connection of its own, without TLS, and gets no answer.
 */
export function cancelStatement({ host, port, processID, secretKey }: Cancellable): void {
  const request = Buffer.alloc(CANCEL_REQUEST_BYTES)
  request.writeInt32BE(CANCEL_REQUEST_BYTES, 0)
  request.writeInt32BE(CANCEL_REQUEST_CODE, 4)
  request.writeInt32BE(processID, 8)
  request.writeInt32BE(secretKey, 12)
  const socket = host.startsWith('/')
    ? connect(`${host}/.s.PGSQL.${port}`)
    : connect({ host, port })
  socket.on('error', () => {}).setTimeout(PATIENCE_MS, () => socket.destroy())
  socket.end(request)
}
