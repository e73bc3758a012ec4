import { Webhook } from 'standardwebhooks'
import { Webhook as SvixWebhook } from 'svix'
import { expect, test } from 'vitest'
import {
  newSecret,
  signatureHeader,
} from '../../../../src/marketplace/webhooks/attempts/signature.ts'
import {
  allowing,
  attempt,
  RECEIVER_NAME,
  resolvingTo,
  startCanary,
  startReceiver,
  startTlsReceiver,
  testAgents,
} from '../../../setup/webhook-receivers.ts'

const OK = { outcome: 'succeeded', status: 200, response: 'ok' }

test('a webhook arrives byte for byte over TLS, and both libraries verify it', async () => {
  const receiver = await startTlsReceiver()
  const url = `https://${RECEIVER_NAME}:${receiver.port}/hooks/a%20b?c=%C3%BC&d`
  const body = Buffer.from('{"type":"installation.created","name":"Zoë 🚲"}\n')
  const secrets = [newSecret(), newSecret()]
  const timestamp = Math.floor(Date.now() / 1000)
  const headers = {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatureHeader({ id: 'evt_1', timestamp, body, secrets }),
    'X-Api-Key': 'static',
  }
  const result = await attempt(url, { ...allowing(url), body, headers })
  expect(result).toEqual({ ...OK, durationMs: expect.any(Number) })
  const [received] = receiver.received
  expect(received).toMatchObject({ method: 'POST', url: '/hooks/a%20b?c=%C3%BC&d', body })
  expect(received?.headers).toEqual({
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(timestamp),
    'webhook-signature': headers['webhook-signature'],
    'x-api-key': 'static',
    host: `${RECEIVER_NAME}:${receiver.port}`,
    'content-type': 'application/json',
    'content-length': String(body.length),
    'accept-encoding': 'identity',
    'user-agent': 'App-Marketplace-Webhooks',
    connection: 'keep-alive',
  })
  for (const secret of secrets) {
    for (const Receiver of [Webhook, SvixWebhook]) {
      new Receiver(secret).verify(body, received?.headers as Record<string, string>)
    }
  }
})

test('the certificate of an address is checked against the address', async () => {
  const receiver = await startTlsReceiver()
  const url = `https://127.0.0.1:${receiver.port}/`
  expect(await attempt(url, allowing(url))).toMatchObject(OK)
})

test('a connection is reused', async () => {
  const receiver = await startTlsReceiver()
  const url = `https://${RECEIVER_NAME}:${receiver.port}/`
  const agents = testAgents()
  for (let count = 0; count < 3; count++) {
    expect(await attempt(url, { ...allowing(url), agents })).toMatchObject(OK)
  }
  expect(receiver.connections).toHaveLength(1)
  expect(receiver.received).toHaveLength(3)
})

test('a connection is not reused for another name at the same address', async () => {
  const receiver = await startTlsReceiver()
  const url = `https://${RECEIVER_NAME}:${receiver.port}/`
  const agents = testAgents()
  expect(await attempt(url, { ...allowing(url), agents })).toMatchObject(OK)
  const other = `https://other.example.com:${receiver.port}/`
  expect(await attempt(other, { ...allowing(other), agents })).toMatchObject({
    reason: { code: 'certificate_refused' },
  })
  expect(receiver.received).toHaveLength(1)
})

test.each([
  ['a receiver without TLS', startReceiver, `http://127.0.0.1`],
  ['a receiver with TLS', startTlsReceiver, `https://${RECEIVER_NAME}`],
] as const)('a kept connection that %s has closed is tried once more', async (_, start, origin) => {
  let requests = 0
  const receiver = await start((request, response) => {
    requests += 1
    if (requests === 2) request.socket.destroy()
    else response.end('ok')
  })
  const url = `${origin}:${receiver.port}/`
  const agents = testAgents()
  expect(await attempt(url, { ...allowing(url), agents })).toMatchObject(OK)
  expect(await attempt(url, { ...allowing(url), agents })).toMatchObject(OK)
  expect(receiver.connections).toHaveLength(2)
  expect(receiver.received).toHaveLength(3)
})

test('closing the agents ends requests, and none of them is sent once more', async () => {
  let requests = 0
  const receiver = await startReceiver((_, response) => {
    requests += 1
    if (requests === 1) response.end('ok')
  })
  const url = `http://receiver:${receiver.port}/`
  const agents = testAgents()
  await attempt(url, { ...allowing(url), agents })
  const hanging = attempt(url, { ...allowing(url), agents })
  await expect.poll(() => receiver.received.length).toBe(2)
  const name = Promise.withResolvers<ReturnType<typeof resolvingTo>>()
  const lookup = async (host: string) => (await name.promise)(host)
  const resolving = attempt(url, { ...allowing(url), agents, lookup })
  const proxy = await startCanary()
  const proxied = testAgents({ proxyUrl: `http://127.0.0.1:${proxy.port}` })
  const tunneling = attempt(url, { ...allowing(url), agents: proxied })
  await expect.poll(() => proxy.connections.length).toBe(1)
  agents.close()
  proxied.close()
  for (const { outcome } of await Promise.all([hanging, resolving])) expect(outcome).toBe('failed')
  expect((await tunneling).outcome).toBe('proxy_failed')
  name.resolve(resolvingTo('127.0.0.1'))
  expect(await attempt(url, { ...allowing(url), agents })).toMatchObject({ outcome: 'failed' })
  expect(receiver.connections).toHaveLength(1)
})

test('a kept connection that breaks and a new one that breaks are one failure', async () => {
  let requests = 0
  const receiver = await startReceiver((request, response) => {
    requests += 1
    if (requests === 1) response.end('ok')
    else request.socket.destroy()
  })
  const url = `http://127.0.0.1:${receiver.port}/`
  const agents = testAgents()
  await attempt(url, { ...allowing(url), agents })
  expect(await attempt(url, { ...allowing(url), agents })).toMatchObject({
    ...{ outcome: 'failed', reason: { code: 'connection_lost' } },
  })
  expect(receiver.received).toHaveLength(3)
})

test('a new connection that breaks is not tried again', async () => {
  const receiver = await startReceiver((request) => void request.socket.destroy())
  const url = `http://127.0.0.1:${receiver.port}/`
  expect(await attempt(url, allowing(url))).toEqual({
    outcome: 'failed',
    durationMs: expect.any(Number),
    reason: {
      code: 'connection_lost',
      detail: 'The connection was closed before there was an answer.',
    },
    cause: expect.objectContaining({ code: 'ECONNRESET' }),
  })
  expect(receiver.received).toHaveLength(1)
})

test('a kept connection that breaks after an interim answer is not tried again', async () => {
  let requests = 0
  const receiver = await startReceiver((request, response) => {
    requests += 1
    if (requests === 1) response.end('ok')
    else request.socket.end('HTTP/1.1 103 Early Hints\r\n\r\n')
  })
  const url = `http://127.0.0.1:${receiver.port}/`
  const agents = testAgents()
  await attempt(url, { ...allowing(url), agents })
  expect(await attempt(url, { ...allowing(url), agents })).toMatchObject({
    ...{ outcome: 'failed', reason: { code: 'connection_lost' } },
  })
  expect(receiver.received).toHaveLength(2)
})

test('what one address of a receiver was sent is not sent to the other one', async () => {
  const receiver = await startReceiver((request) => void request.socket.destroy())
  const url = `http://receiver:${receiver.port}/`
  const lookup = resolvingTo('127.0.0.1', '::1')
  expect(await attempt(url, { ...allowing(url), lookup })).toMatchObject({
    ...{ outcome: 'failed', reason: { code: 'connection_lost' } },
  })
})

test.each([
  [200, 'succeeded', undefined],
  [201, 'succeeded', undefined],
  [202, 'succeeded', undefined],
  [204, 'succeeded', undefined],
  [299, 'succeeded', undefined],
  [300, 'failed', 'redirect'],
  [302, 'failed', 'redirect'],
  [304, 'failed', 'redirect'],
  [400, 'failed', 'status'],
  [401, 'failed', 'status'],
  [404, 'failed', 'status'],
  [410, 'gone', 'gone'],
  [429, 'failed', 'status'],
  [500, 'failed', 'status'],
  [503, 'failed', 'status'],
  [600, 'failed', 'status'],
] as const)('the status %i: %s', async (status, outcome, code) => {
  const receiver = await startReceiver((_, response) => void response.writeHead(status).end())
  const url = `http://127.0.0.1:${receiver.port}/`
  const result = await attempt(url, allowing(url))
  expect(result).toMatchObject({ status, outcome, response: '' })
  expect(result.reason?.code).toBe(code)
  expect(result.retryAfterSeconds).toBeUndefined()
})

test.each([
  [503, '120', 120],
  [429, '999999', 86_400],
  [302, '5', 5],
  [500, 'soon', undefined],
  [200, '120', undefined],
])('Retry-After of a %i: %s', async (status, value, seconds) => {
  const receiver = await startReceiver((_, response) => {
    response.writeHead(status, { 'retry-after': value }).end()
  })
  const url = `http://127.0.0.1:${receiver.port}/`
  expect((await attempt(url, allowing(url))).retryAfterSeconds).toBe(seconds)
})

test('the first KiB of an answer is kept as text that can be stored', async () => {
  const answer = Buffer.concat([Buffer.from('a\0b\xff', 'latin1'), Buffer.from('ü'.repeat(5000))])
  const receiver = await startReceiver((_, response) => void response.end(answer))
  const url = `http://127.0.0.1:${receiver.port}/`
  const { response } = await attempt(url, allowing(url))
  expect(response).toBe(`a\ufffdb\ufffd${'ü'.repeat(510)}`)
})

test('an address that cannot be reached is followed by one of the other family', async () => {
  const receiver = await startReceiver()
  const url = `http://receiver:${receiver.port}/`
  const lookup = resolvingTo('::1', '127.0.0.1')
  expect(await attempt(url, { ...allowing(url), lookup })).toMatchObject(OK)
  const deaf = await startCanary()
  const silent = `https://receiver:${deaf.port}/`
  expect(
    await attempt(silent, {
      ...allowing(silent),
      lookup,
      timeouts: { connectMs: 200, totalMs: 10_000, answerMs: 100 },
    }),
  ).toMatchObject({ reason: { code: 'connect_timeout' } })
})

test('a refused connection is a failure that does not reveal the address', async () => {
  const url = 'http://receiver:1/'
  const { cause, ...told } = await attempt(url, allowing(url))
  expect(told).toMatchObject({ outcome: 'failed', reason: { code: 'connect_failed' } })
  expect(JSON.stringify(told)).not.toContain('127.0.0.1')
  expect(cause).toMatchObject({ code: 'ECONNREFUSED', address: '127.0.0.1' })
})

test.each([
  ['', {}],
  ['no url', {}],
  ['https://', {}],
  [`http://127.0.0.1:1/`, { 'x-bad': 'a\r\nb' }],
  [`http://127.0.0.1:1/`, { 'bad name': 'x' }],
  [`http://127.0.0.1:1/`, { 'x-bad': 'ü\u{1f6b2}' }],
])('what cannot be sent is a failure and no exception: %j %j', async (url, headers) => {
  const { allowedHosts } = allowing('http://127.0.0.1:1/')
  const { outcome, reason } = await attempt(url, { allowedHosts, headers: { ...headers } })
  expect({ outcome, code: reason?.code }).toEqual({
    ...{ outcome: 'failed', code: url.startsWith('http:') ? 'not_sent' : 'url_refused' },
  })
})
