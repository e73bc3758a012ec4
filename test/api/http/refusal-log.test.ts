import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { buildApp } from '../../../src/app.ts'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { call } from '../../setup/client.ts'
import { expectEvents } from '../../setup/logged.ts'
import { failingInserts, sabotaged } from '../../setup/sabotage.ts'
import { demoUser, signedIn } from '../../setup/web-client.ts'

let market: TestMarketplace
let written: string[] = []
beforeAll(async () => {
  market = await startMarketplace({
    config: { logLevel: 'trace' },
    log: (line) => written.push(line),
  })
})
beforeEach(() => {
  written = []
})
afterAll(() => market.close())

const REQUESTS = 40

describe('requests that cannot be served', () => {
  test('are counted warnings without a stack, however many they are', async () => {
    const body = { clientId: 'nobody', password: 'wrong' }
    const answers: string[] = []
    const warnings = () => {
      const events = expectEvents(written.join('').trimEnd().split('\n'))
      return events.filter(({ msg }) => msg === 'requests not served')
    }
    await sabotaged(market, failingInserts('login_failures', '53300'), async () => {
      for (let index = 0; index < REQUESTS; index++) {
        const answer = await call(market, 'POST', '/v1/Auth', { body })
        expect(answer.status).toBe(503)
        answers.push(answer.headers.get('x-request-id') as string)
      }
    })
    // The last ones are counted when the second is over.
    const counted = () => warnings().reduce((sum, { count }) => sum + Number(count), 0)
    await expect.poll(counted).toBe(REQUESTS)
    expect(warnings().length).toBeLessThan(REQUESTS)
    for (const { level, reqId, reason } of warnings()) {
      expect(level).toBe('warn')
      expect(answers).toContain(reqId)
      expect(reason).toMatchObject({ message: expect.any(String) })
      expect(JSON.stringify(reason)).toContain('53300')
    }
    expect(written.join('')).not.toMatch(/"level":"error"|"stack"/)
  })
})

test('a client that hangs up in the middle of its body is no failure of ours', async () => {
  const { hostname, port } = new URL(market.url)
  const problems = () => JSON.stringify(market.deps.measures.problems)
  const before = problems()
  const socket = connect(Number(port), hostname)
  const head = 'POST /v1/Auth HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n'
  const reached = once(market.app.server, 'request')
  socket.write(`${head}content-length: 1000\r\n\r\n{"a":`)
  await reached
  socket.destroy()
  await expect.poll(() => written.join('')).toContain('the client hung up')
  expect(
    expectEvents(written).filter(({ level }) => level === 'warn' || level === 'error'),
  ).toEqual([])
  expect(problems()).toBe(before)
})

describe('a form that is refused', () => {
  test.each([undefined, 'forged'])('is logged with its request id: token %s', async (_csrf) => {
    const browser = await signedIn(market, demoUser(market, 'Seller'))
    written = []
    const answer = await browser.post('/logout', _csrf === undefined ? {} : { _csrf })
    expect(answer.status).toBe(403)
    const reqId = answer.headers.get('x-request-id')
    const warnings = expectEvents(written).filter(({ level }) => level === 'warn')
    expect(warnings).toEqual([
      expect.objectContaining({
        reqId,
        code: 'invalid_csrf_token',
        msg: 'form refused',
      }),
    ])
  })
})

describe('/readyz', () => {
  test('writes nothing but its request while the server drains', async () => {
    const readiness = async () => 'The server is shutting down.'
    const app = await buildApp({ deps: market.deps, version: 'test', readiness })
    expect((await app.inject('/readyz')).statusCode).toBe(503)
    expect(expectEvents(written).map(({ level, msg }) => `${level} ${msg}`)).toEqual([
      'info request',
    ])
    await app.close()
  })
})
