import { EventEmitter } from 'node:events'
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { FastifyRequest } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { nextTick } from '../../../src/base/fair-share/next-tick.ts'
import { readWholeBody } from '../../../src/http/bodies/whole-body.ts'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'

let market: TestMarketplace
beforeAll(async () => {
  market = await startMarketplace()
})
afterAll(() => market.close())

test('of a body that comes byte by byte few pieces are kept apart', async () => {
  setFlagsFromString('--expose-gc')
  const collectGarbage: () => void = runInNewContext('gc')
  const body = Object.assign(new EventEmitter(), { pause() {}, resume() {} })
  const whole = readWholeBody(
    { headers: {}, routeOptions: { bodyLimit: 1_048_576 } } as unknown as FastifyRequest,
    body as unknown as Parameters<typeof readWholeBody>[1],
  )
  const pieces: WeakRef<Buffer>[] = []
  for (let index = 0; index < 20_000; index++) {
    const piece = Buffer.from([97 + (index % 26)])
    pieces.push(new WeakRef(piece))
    body.emit('data', piece)
  }
  // A reference that was looked at holds its object until the turn is over.
  await nextTick()
  collectGarbage()
  expect(pieces.filter((piece) => piece.deref() !== undefined).length).toBeLessThan(1_100)
  body.emit('end')
  const expected = Array.from({ length: 20_000 }, (_, index) => 97 + (index % 26))
  expect((await whole).equals(Buffer.from(expected))).toBe(true)
})

test.each(['application/json', 'application/x-www-form-urlencoded'])(
  'a body of the type %s is read whole, however it comes',
  async (type) => {
    const { clientId, password } = market.demo.developers[0] ?? {}
    const isForm = type !== 'application/json'
    const fields = {
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: password,
    }
    const body = isForm
      ? new URLSearchParams(fields as Record<string, string>).toString()
      : JSON.stringify({ clientId, password, padding: 'é'.repeat(2_000) })
    const path = isForm ? '/oauth/token' : '/v1/Auth'
    const sent = request(market.url + path, { method: 'POST', headers: { 'content-type': type } })
    for (const byte of Buffer.from(body)) sent.write(Buffer.from([byte]))
    sent.end()
    const answer = await new Promise<{ statusCode?: number | undefined }>((resolve, reject) => {
      sent.on('response', resolve).on('error', reject)
    })
    expect(answer.statusCode, await text(answer as never)).toBe(200)
  },
)
