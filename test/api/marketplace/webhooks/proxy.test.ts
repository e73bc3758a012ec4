import { expect, onTestFinished, test, vi } from 'vitest'
import { certificateFor } from '../../../setup/certificate.ts'
import {
  allowing,
  attempt,
  RECEIVER_NAME,
  resolvingTo,
  startCanary,
  startProxy,
  startReceiver,
  startTlsReceiver,
  testAgents,
} from '../../../setup/webhook-receivers.ts'

const PROXY_FAILED = {
  outcome: 'proxy_failed',
  durationMs: expect.any(Number),
  reason: {
    code: 'proxy_failed',
    detail: 'The proxy of the marketplace could not pass the request on.',
  },
  cause: expect.any(Error),
}
const lookup = resolvingTo('93.184.216.34')
const url = `https://${RECEIVER_NAME}/hook`

const agentsFor = (port: number, user = '') =>
  testAgents({ proxyUrl: `http://${user}127.0.0.1:${port}` })

test('a webhook goes to its checked address through the proxy, and the connection is kept', async () => {
  const receiver = await startTlsReceiver()
  const proxy = await startProxy(receiver.port)
  const agents = agentsFor(proxy.port, 'us%3Aer:p%40ss@')
  for (let count = 0; count < 3; count++) {
    expect(await attempt(url, { agents, lookup })).toMatchObject({ outcome: 'succeeded' })
  }
  const credentials = Buffer.from('us:er:p@ss').toString('base64')
  expect(proxy.requests).toHaveLength(1)
  expect(proxy.requests[0]).toMatch(/^CONNECT 93\.184\.216\.34:443 HTTP\/1\.1\r\n/)
  expect(proxy.requests[0]?.toLowerCase()).toContain('host: 93.184.216.34:443\r\n')
  expect(proxy.requests[0]).toContain(`Basic ${credentials}\r\n`)
  expect(receiver.received).toHaveLength(3)
  expect(receiver.received[0]?.headers).toMatchObject({ host: RECEIVER_NAME })
  expect(receiver.received[0]?.headers).not.toHaveProperty('proxy-authorization')
})

test('an IPv6 address has its brackets', async () => {
  const receiver = await startTlsReceiver()
  const proxy = await startProxy(receiver.port)
  const agents = agentsFor(proxy.port)
  const options = { agents, lookup: resolvingTo('2606:4700:4700::1111') }
  expect(await attempt(url, options)).toMatchObject({ outcome: 'succeeded' })
  expect(proxy.requests[0]).toContain('CONNECT [2606:4700:4700::1111]:443 HTTP/1.1\r\n')
  expect(proxy.requests[0]).not.toContain('authorization')
})

test('http to an allowed host goes through CONNECT as well', async () => {
  const receiver = await startReceiver()
  const proxy = await startProxy(receiver.port)
  const agents = agentsFor(proxy.port)
  const internal = 'http://receiver:8080/'
  const options = { ...allowing(internal), agents, lookup: resolvingTo('10.0.0.5') }
  expect(await attempt(internal, options)).toMatchObject({ outcome: 'succeeded' })
  expect(proxy.requests[0]).toContain('CONNECT 10.0.0.5:8080 HTTP/1.1\r\n')
})

test.each([
  'HTTP/1.1 407 Proxy Authentication Required\r\nproxy-authenticate: Basic\r\n\r\n',
  'HTTP/1.1 403 Forbidden\r\ncontent-length: 5\r\n\r\nsorry',
  'HTTP/1.1 500 Internal Server Error\r\n\r\n',
  'HTTP/1.1 503 Service Unavailable\r\n\r\n',
  'HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1/\r\n\r\n',
  'nonsense\r\n\r\n',
  `HTTP/1.1 500 No\r\nx: ${'y'.repeat(100_000)}\r\n\r\n`,
])('an answer of the proxy that is a fault of the proxy: %.40j', async (answer) => {
  const receiver = await startTlsReceiver()
  const proxy = await startProxy(receiver.port, answer)
  expect(await attempt(url, { agents: agentsFor(proxy.port), lookup })).toEqual(PROXY_FAILED)
  expect(receiver.connections).toHaveLength(0)
  await expect.poll(() => proxy.connections.every(({ destroyed }) => destroyed)).toBe(true)
})

test.each([
  'HTTP/1.1 502 Bad Gateway\r\n\r\n',
  'HTTP/1.1 504 Gateway Timeout\r\ncontent-length: 5\r\n\r\nsorry',
])('a receiver that the proxy could not reach has failed: %.40j', async (answer) => {
  const receiver = await startTlsReceiver()
  const proxy = await startProxy(receiver.port, answer)
  expect(await attempt(url, { agents: agentsFor(proxy.port), lookup })).toMatchObject({
    ...{ outcome: 'failed', reason: { code: 'connect_failed' } },
  })
  expect(receiver.connections).toHaveLength(0)
})

test('an unreachable proxy is a fault of the proxy', async () => {
  expect(await attempt(url, { agents: agentsFor(1), lookup })).toEqual(PROXY_FAILED)
})

test.each([
  { connectMs: 200, totalMs: 5000, answerMs: 100 },
  { connectMs: 5000, totalMs: 200, answerMs: 100 },
])('a proxy that does not answer is a fault of the proxy: %j', async (timeouts) => {
  const proxy = await startCanary()
  expect(await attempt(url, { agents: agentsFor(proxy.port), lookup, timeouts })).toEqual(
    PROXY_FAILED,
  )
  await expect.poll(() => proxy.connections.every(({ destroyed }) => destroyed)).toBe(true)
})

test('the log has the response of the proxy', async () => {
  const proxy = await startProxy(1, 'HTTP/1.1 407 Who are you\r\n\r\n')
  const { cause } = await attempt(url, { agents: agentsFor(proxy.port), lookup })
  expect(cause).toMatchObject({ message: 'the proxy answered 407' })
})

test("faults of the receiver behind the proxy are the receiver's", async () => {
  const stranger = await startTlsReceiver(undefined, certificateFor([RECEIVER_NAME]))
  const proxy = await startProxy(stranger.port)
  expect(await attempt(url, { agents: agentsFor(proxy.port), lookup })).toMatchObject({
    ...{ outcome: 'failed', reason: { code: 'certificate_refused' } },
  })
  const deaf = await startCanary()
  const second = await startProxy(deaf.port)
  const timeouts = { connectMs: 60_000, totalMs: 120_000, answerMs: 100 }
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const hanging = attempt(url, { agents: agentsFor(second.port), lookup, timeouts })
  // The proxy has connected: the handshake has begun.
  await expect.poll(() => deaf.bytes()).toBeGreaterThan(0)
  vi.advanceTimersByTime(60_000)
  expect(await hanging).toMatchObject({
    ...{ outcome: 'failed', reason: { code: 'connect_timeout' } },
  })
})

test('private addresses are refused before the proxy gets a request', async () => {
  const proxy = await startCanary()
  const options = { agents: agentsFor(proxy.port), lookup: resolvingTo('10.0.0.5') }
  expect(await attempt(url, options)).toMatchObject({ reason: { code: 'address_refused' } })
  expect(proxy.connections).toHaveLength(0)
})
