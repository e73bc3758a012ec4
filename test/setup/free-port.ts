import { createServer } from 'node:net'

/**
 * Ports below those that systems give by themselves, to `listen(0)` and to clients, and above those
 * that browsers refuse.
 */
const FIRST = 11_000
const COUNT = 20_000

/** Where this process began to look, so that processes at the same time look elsewhere. */
let next = Math.floor(Math.random() * COUNT)

/** A port of 127.0.0.1 that is free, and that nobody gets by chance until it is used. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + (next++ % COUNT)
    if (await isFree(port)) return port
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(false)
      else reject(error)
    })
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
