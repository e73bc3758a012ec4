import type { Server, Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startJobWorker } from '../../src/base/jobs/job-worker.ts'
import { startMarketplace, type TestMarketplace } from '../setup/app.ts'
import { bridgeTo, throughBridge } from '../setup/bridge.ts'

let market: TestMarketplace
let bridge: Server
const sockets = new Set<Socket>()
beforeAll(async () => {
  market = await startMarketplace()
  bridge = await bridgeTo(market.databaseUrl)
  bridge.on('connection', (socket) => sockets.add(socket))
})
afterAll(async () => {
  bridge.close()
  await market.close()
})

/** As when the machine of Postgres is gone and another one has its address: nothing is answered. */
function silence() {
  for (const socket of sockets)
    socket.removeAllListeners('data').removeAllListeners('drain').pause()
}

test('jobs are taken again when all connections to Postgres fell silent', async () => {
  const taken: string[] = []
  const sendTo = async (endpointIds: string[]) => {
    taken.push(...endpointIds)
  }
  const worker = startJobWorker(throughBridge(bridge, market.databaseUrl), market.deps.log, {
    sendTo,
  })
  await market.deps.jobs.askToSend(['before'])
  await expect.poll(() => taken).toEqual(['before'])
  silence()
  await market.deps.jobs.askToSend(['after'])
  await expect.poll(() => taken).toEqual(['before', 'after'])
  for (const socket of sockets) socket.destroy()
  await worker.stop()
})
