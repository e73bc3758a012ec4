import { type AddressInfo, connect, createServer, type Server } from 'node:net'
import { join } from 'node:path'

/**
 * A port of this machine that leads to the Postgres of the tests, whose socket is its owner's.
 *
 * @param opened until when it holds back what it is sent; open at once unless given
 */
export async function bridgeTo(url: string, opened = Promise.resolve()): Promise<Server> {
  const { hostname, port, searchParams } = new URL(url.replace('@/', '@localhost/'))
  const number = Number(searchParams.get('port') ?? (port || 5432))
  const host = searchParams.get('host') ?? hostname
  const target = host.startsWith('/')
    ? { path: join(host, `.s.PGSQL.${number}`) }
    : { host, port: number }
  const server = createServer((socket) => {
    const postgres = connect(target)
    socket.on('error', () => {}).on('close', () => postgres.destroy())
    postgres.on('error', () => {}).on('close', () => socket.destroy())
    void opened.then(() => socket.pipe(postgres).pipe(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}

/** The address of a database, through a bridge to its Postgres. */
export function throughBridge(bridge: Server, url: string): string {
  const { username, password, pathname } = new URL(url.replace('@/', '@localhost/'))
  const { port } = bridge.address() as AddressInfo
  return `postgresql://${username}:${password}@127.0.0.1:${port}${pathname}?sslmode=disable`
}
