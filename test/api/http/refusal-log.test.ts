import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { buildApp } from '../../../src/app.ts'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { call, developerToken } from '../../setup/client.ts'
import { expectEvents } from '../../setup/logged.ts'
import { newProductParty } from '../../setup/product-client.ts'
import { failingInserts, sabotaged } from '../../setup/sabotage.ts'
import { holdRows, untilWaiting } from '../../setup/turns.ts'
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
    // A machine that stalls may lose a connection meanwhile, which is told with its stack.
    const events = expectEvents(written.join('').trimEnd().split('\n'))
    const ofRequests = events.filter(({ reqId }) => answers.includes(String(reqId)))
    expect(ofRequests.length).toBeGreaterThan(REQUESTS)
    expect(JSON.stringify(ofRequests)).not.toMatch(/"level":"error"|"stack"/)
  })
})

/** Sends requests on one connection, and hangs up. */
async function hangUpAfter(text: string, state: () => Promise<unknown>): Promise<void> {
  const { hostname, port } = new URL(market.url)
  const accepted = once(market.app.server, 'connection')
  const client = connect(Number(port), hostname)
  client.write(text)
  const [served] = (await accepted) as [Socket]
  await state()
  client.resetAndDestroy()
  await expect.poll(() => served.closed).toBe(true)
}

const requestLines = () => expectEvents(written).filter(({ msg }) => msg === 'request')

const counted = (route: string) =>
  market.deps.measures.requests.all().find((one) => one.route === route)?.classes ?? []

describe('a client that hangs up', () => {
  test('in the middle of its body is no failure of ours', async () => {
    const problems = () => JSON.stringify(market.deps.measures.problems)
    const before = problems()
    const head = 'POST /v1/Auth HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n'
    await hangUpAfter(`${head}content-length: 1000\r\n\r\n{"a":`, () =>
      once(market.app.server, 'request'),
    )
    await expect.poll(() => written.join('')).toContain('the client hung up')
    expect(
      expectEvents(written).filter(({ level }) => level === 'warn' || level === 'error'),
    ).toEqual([])
    expect(problems()).toBe(before)
    await expect.poll(requestLines).toMatchObject([{ status: 499, aborted: true }])
  })

  test('is logged with its address, which a connection that was reset no longer tells', async () => {
    const bearer = await developerToken(market)
    const read = `GET /v1/Developer/Events?wait=20&after=0&type=webhook.test HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${bearer}\r\n\r\n`
    written = []
    await hangUpAfter(read, () => once(market.app.server, 'request'))
    await expect
      .poll(requestLines)
      .toMatchObject([
        { route: '/v1/Developer/Events', status: 499, aborted: true, address: '127.0.0.1' },
      ])
  })

  test('leaves one line and one count of a change with how it ended, and none of what was not begun', async () => {
    const { partyId, installationId, token } = await newProductParty(market)
    const head = `host: x\r\nauthorization: Bearer ${token}\r\n`
    const body = JSON.stringify({ brand: 'Ghost', partNumber: 'g1', inStock: 1 })
    const write = `POST /v1/Products HTTP/1.1\r\n${head}content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
    const read = `GET /v1/Apps HTTP/1.1\r\n${head}\r\n`
    const before = counted('/v1/Products').concat(counted('/v1/Apps'))
    const party = 'SELECT 1 FROM parties WHERE id = $1 FOR UPDATE'
    const held = await holdRows(market, party, [partyId])
    written = []
    // The second request waits for the answer to the first, which waits for the account.
    await hangUpAfter(write + read, () => untilWaiting(market, 1))
    await held.release()
    await expect.poll(requestLines).toMatchObject([
      {
        route: '/v1/Products',
        status: 201,
        caller: `installation ${installationId}`,
        aborted: true,
        address: '127.0.0.1',
      },
    ])
    const after = counted('/v1/Products').concat(counted('/v1/Apps'))
    expect(after.reduce(sum) - before.reduce(sum, 0)).toBe(1)
  })
})

const sum = (a: number, b: number) => a + b

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
