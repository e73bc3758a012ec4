import { type ServerProcess, waitUntil } from './server-process.ts'

/**
 * What a server is started with, so that its heap can be looked at. The debugger listens only when it
 * is asked to: before the server does, it could get the server's port.
 */
export const INSPECTED = ['--no-disable-sigusr1', '--inspect-port=127.0.0.1:0']

const LISTENING = /Debugger listening on (ws:\S+)/

/** The heap of a server that was started with `INSPECTED` and is ready. */
export type LiveHeap = {
  /** Bytes that something still refers to: all else is collected first. */
  bytes(): Promise<number>
  close(): void
}

export async function openLiveHeap(server: ServerProcess): Promise<LiveHeap> {
  server.child.kill('SIGUSR1')
  const addressOf = () => LISTENING.exec(server.stderr())?.[1]
  await waitUntil(() => addressOf() !== undefined)
  const address = addressOf() ?? ''
  const socket = new WebSocket(address)
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', reject)
  })
  let lastId = 0
  const ask = (method: string) => {
    const id = ++lastId
    const { promise, resolve } = Promise.withResolvers<Record<string, number>>()
    const take = ({ data }: MessageEvent) => {
      const answer = JSON.parse(String(data))
      if (answer.id !== id) return
      socket.removeEventListener('message', take)
      resolve(answer.result)
    }
    socket.addEventListener('message', take)
    socket.send(JSON.stringify({ id, method }))
    return promise
  }
  return {
    async bytes() {
      await ask('HeapProfiler.collectGarbage')
      const { usedSize = 0, backingStorageSize = 0 } = await ask('Runtime.getHeapUsage')
      return usedSize + backingStorageSize
    },
    close: () => socket.close(),
  }
}
