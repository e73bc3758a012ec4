import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, test } from 'vitest'
import { openDatabase } from '../../src/database/client.ts'

/** A server that answers the request for TLS with no, in one byte, which is no message. */
async function withoutTls() {
  const server = createServer((socket) => socket.once('data', () => socket.end('N')))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return { port: (server.address() as AddressInfo).port, close: () => server.close() }
}

test('a server without TLS is an error for an address that asks for TLS', async () => {
  const { port, close } = await withoutTls()
  const database = openDatabase({
    connectionString: `postgresql://user:password@127.0.0.1:${port}/app?sslmode=verify-full`,
    poolSize: 1,
    onIdleError: () => {},
  })
  await expect(database.pool.query('SELECT 1')).rejects.toThrow('does not support SSL')
  await database.close()
  close()
})
