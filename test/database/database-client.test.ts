import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import type { PoolClient } from 'pg'
import { expect, inject, test } from 'vitest'
import { openDatabase } from '../../src/base/database/client.ts'
import { bridgeTo, throughBridge } from '../setup/bridge.ts'
import { runPatiently } from '../setup/database.ts'

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

test('a connection that Postgres ends after its pool is closed is not told as lost', async () => {
  const connectionString = inject('serverUrl')
  const lost: Error[] = []
  const { pool, close } = openDatabase({
    connectionString,
    poolSize: 1,
    onIdleError: (error) => lost.push(error),
  })
  const client = (await pool.connect()) as PoolClient & { connection: { stream: Socket } }
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  client.release()
  const { stream } = client.connection
  const ended = new Promise((resolve) => stream.once('close', resolve))
  // What Postgres says last is read only after the pool is closed, as when both end together.
  stream.pause()
  await runPatiently(connectionString, 'SELECT pg_terminate_backend($1, 60000)', [rows[0]?.pid])
  await close()
  stream.resume()
  await ended
  expect(lost).toEqual([])
})

test('a pool connects again after more failures than it has connections', async () => {
  const url = inject('serverUrl')
  const bridge = await bridgeTo(url)
  let isAway = true
  bridge.prependListener('connection', (socket) => isAway && socket.destroy())
  const { pool, close } = openDatabase({
    connectionString: throughBridge(bridge, url),
    poolSize: 1,
    onIdleError: () => {},
  })
  for (let count = 0; count < 2; count++) await expect(pool.query('SELECT 1')).rejects.toThrow()
  isAway = false
  expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
  await close()
  bridge.close()
})
