import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'

/** A connection, and its port on the client's side. */
export type Client = { socket: Socket; localPort: number | undefined }

/** A connection that sends a text, and then a few bytes now and again. */
export async function tricklingClient(
  url: string,
  { text, drip, everyMs }: { text: string; drip: string; everyMs: number },
): Promise<Client> {
  const socket = await connected(url)
  socket.resume().write(text)
  const timer = setInterval(() => socket.write(drip), everyMs)
  socket.once('close', () => clearInterval(timer))
  return { socket, localPort: socket.localPort }
}

/** A connection that reads the beginning of an answer, and then nothing. */
export async function stoppedReader(url: string, request: string): Promise<Client> {
  const socket = await connected(url)
  socket.write(request)
  await once(socket, 'data')
  socket.pause()
  return { socket, localPort: socket.localPort }
}

async function connected(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port) })
  await once(socket, 'connect')
  return socket.on('error', () => {})
}

/** How many of the connections the kernel still has: who reads nothing hears of no end. */
export function openCount(clients: readonly Client[]): number {
  const ESTABLISHED = '01'
  const ports = new Set(
    readFileSync('/proc/net/tcp', 'utf8')
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter(([, , , state]) => state === ESTABLISHED)
      .map(([, local = '']) => Number.parseInt(local.split(':')[1] ?? '', 16)),
  )
  return clients.filter(({ localPort }) => ports.has(localPort ?? 0)).length
}
