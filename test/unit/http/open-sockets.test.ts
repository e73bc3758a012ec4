import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import type { App } from '../../../src/http/app-type.ts'
import { watchRequestEnds } from '../../../src/http/observability/request-end.ts'
import { watchConnections } from '../../../src/http/open-sockets.ts'

test('an answer that is being compressed at the end of the grace is sent, and not refused as well', async () => {
  const app = Fastify() as unknown as App
  onTestFinished(() => app.close())
  const { watch } = watchRequestEnds(app)
  app.addHook('onRequest', async (request, reply) => watch(request, reply))
  const connections = watchConnections(app.server)
  const [begun, made] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  app.addHook('onSend', async () => {
    begun.resolve()
    await made.promise
  })
  app.get('/', async () => 'made')
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const answer = fetch(`http://127.0.0.1:${port}/`)
  await begun.promise
  connections.refuseRest()
  made.resolve()
  const { status } = await answer
  expect({ status, text: await (await answer).text() }).toEqual({ status: 200, text: 'made' })
})
