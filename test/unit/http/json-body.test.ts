import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { TICKS_BETWEEN } from '../../../src/base/fair-share/next-tick.ts'
import { acceptJsonBodies } from '../../../src/http/bodies/json-body.ts'

test('of long bodies that come together one is parsed in a turn of the event loop, and none in the turns after it', async () => {
  let turn = 0
  let isCounting = true
  const count = () => {
    turn += 1
    if (isCounting) setImmediate(count)
  }
  setImmediate(count)
  const app = Fastify()
  acceptJsonBodies(app)
  const parsedIn: number[] = []
  app.post('/', async () => 'parsed')
  app.setErrorHandler(async () => {
    parsedIn.push(turn)
    return 'not JSON'
  })
  const send = (payload: string) =>
    app.inject({
      method: 'POST',
      url: '/',
      headers: { 'content-type': 'application/json' },
      payload,
    })
  await app.ready()
  await Promise.all(Array.from({ length: 6 }, () => send(`["${'x'.repeat(100_000)}"`)))
  isCounting = false
  expect(parsedIn).toHaveLength(6)
  const between = parsedIn.slice(1).map((one, index) => one - (parsedIn[index] as number) - 1)
  expect(Math.min(...between)).toBeGreaterThanOrEqual(TICKS_BETWEEN)
})
