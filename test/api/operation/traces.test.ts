import { connect } from 'node:net'
import { trace } from '@opentelemetry/api'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { call, demoInstallation, developerToken, installationToken } from '../../setup/client.ts'
import { addEndpoint, switchOften, twoInstallations } from '../../setup/deliveries.ts'
import { registerTracing, type SeenSpan } from '../../setup/tracing.ts'
import { type Receiver, startReceiver } from '../../setup/webhook-receiver.ts'

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const CALLER = 'b7ad6b7169203331'
const traceparent = `00-${TRACE}-${CALLER}-01`

/** What one market logs and sends; with a tracer provider, what it traces. */
function tracedMarket({ isTraced }: { isTraced: boolean }) {
  const lines: Record<string, unknown>[] = []
  const seen = {} as {
    market: TestMarketplace
    receiver: Receiver
    spans: SeenSpan[]
    token: string
    installationId: string
    lines: typeof lines
  }
  let unregister = () => {}
  beforeAll(async () => {
    seen.spans = []
    seen.lines = lines
    if (isTraced) {
      const tracing = registerTracing()
      seen.spans = tracing.spans
      unregister = tracing.unregister
    }
    seen.receiver = await startReceiver()
    seen.market = await startMarketplace({
      config: {
        logLevel: 'info',
        webhookAllowedPrivateHosts: new Set([seen.receiver.host]),
      },
      log: (line) => lines.push(JSON.parse(line)),
      background: { loopMs: 50 },
    })
    seen.token = await developerToken(seen.market)
    seen.installationId = twoInstallations(seen.market)[0]
    await addEndpoint(seen.market, { url: seen.receiver.url })
  })
  beforeEach(() => {
    seen.spans.length = 0
    lines.length = 0
    seen.receiver.received.length = 0
  })
  afterAll(async () => {
    await seen.market.close()
    await seen.receiver.close()
    unregister()
  })
  return seen
}

const suspend = ({ market, token, installationId }: ReturnType<typeof tracedMarket>) =>
  call(market, 'POST', `/v1/Developer/Installations/${installationId}/Suspend`, {
    token,
    body: { reason: 'a test' },
    headers: { traceparent },
  })

describe('without a tracer provider', () => {
  const seen = tracedMarket({ isTraced: false })

  test('the trace of the caller is logged with its request', async () => {
    await call(seen.market, 'GET', '/v1/Apps', { headers: { traceparent } })
    await call(seen.market, 'GET', '/v1/Apps')
    await expect.poll(() => seen.lines.length).toBe(2)
    expect(seen.lines.map(({ traceId }) => traceId)).toEqual([TRACE, undefined])
  })

  test('what is no traceparent is ignored', async () => {
    const headers = { traceparent: `00-${TRACE}-${CALLER}-01","level":"fatal` }
    expect((await call(seen.market, 'GET', '/v1/Apps', { headers })).status).toBe(200)
    await expect.poll(() => seen.lines.length).toBe(1)
    expect(seen.lines[0]).not.toHaveProperty('traceId')
  })

  test('webhooks carry the traceparent of the change that they tell of', async () => {
    expect((await suspend(seen)).status).toBe(200)
    await seen.receiver.until(1)
    expect(seen.receiver.received[0]?.headers.traceparent).toBe(traceparent)
  })

  test('webhooks of a change without a trace have none', async () => {
    await switchOften(seen.market, seen.installationId, 1)
    await seen.receiver.until(1)
    expect(seen.receiver.received[0]?.headers).not.toHaveProperty('traceparent')
  })
})

describe('with a tracer provider', () => {
  const seen = tracedMarket({ isTraced: true })
  const named = (name: string) => seen.spans.filter((span) => span.name === name)

  test('a request is a span of its route in the trace of the caller', async () => {
    const path = '/v1/Products/999999'
    const seller = demoInstallation(seen.market, 'price-sync', 'Seller')
    const token = await installationToken(seen.market, seller)
    await call(seen.market, 'GET', path, { token, headers: { traceparent } })
    await expect.poll(() => named('GET /v1/Products/:id')[0]?.hasEnded).toBe(true)
    const [span] = named('GET /v1/Products/:id')
    expect(span?.context.traceId).toBe(TRACE)
    expect(span?.parentId).toBe(CALLER)
    expect(span?.attributes).toMatchObject({
      'http.request.method': 'GET',
      'http.route': '/v1/Products/:id',
      'http.response.status_code': 404,
    })
  })

  test('a request whose client hangs up ends its span once', async () => {
    const { hostname, port } = new URL(seen.market.url)
    const client = connect(Number(port), hostname)
    const head = 'POST /v1/Auth HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n'
    client.write(`${head}content-length: 10\r\n\r\n{`)
    await expect.poll(() => named('POST /v1/Auth').length).toBe(1)
    client.destroy()
    await expect.poll(() => named('POST /v1/Auth')[0]?.hasEnded).toBe(true)
    expect(named('POST /v1/Auth')[0]?.attributes).toMatchObject({
      'http.response.status_code': 499,
      'app_marketplace.aborted': true,
    })
  })

  test('statements are spans of their request, also of one with a body', async () => {
    await call(seen.market, 'POST', '/v1/Auth', {
      body: { clientId: 'nobody', password: 'wrong-password' },
      headers: { traceparent },
    })
    await expect.poll(() => named('POST /v1/Auth')[0]?.hasEnded).toBe(true)
    const [request] = named('POST /v1/Auth')
    const [statement] = named('login-budget')
    expect(statement?.context.traceId).toBe(TRACE)
    expect(statement?.parentId).toBe(request?.context.spanId)
    expect(statement?.hasEnded).toBe(true)
    expect(named('SELECT').length).toBeGreaterThan(0)
  })

  test('a delivery is a span of the request that made the change, and is sent on', async () => {
    expect((await suspend(seen)).status).toBe(200)
    await seen.receiver.until(1)
    await expect.poll(() => named('webhook delivery')[0]?.hasEnded).toBe(true)
    const [delivery] = named('webhook delivery')
    const [request] = named('POST /v1/Developer/Installations/:installationId/Suspend')
    expect(delivery?.parentId).toBe(request?.context.spanId)
    expect(delivery?.context.traceId).toBe(TRACE)
    expect(delivery?.attributes).toMatchObject({ 'http.response.status_code': 204 })
    const sent = seen.receiver.received[0]?.headers.traceparent
    expect(sent).toBe(`00-${TRACE}-${delivery?.context.spanId}-01`)
  })

  test('a delivery that fails says so', async () => {
    seen.receiver.answerWith((response) => response.writeHead(500).end())
    await switchOften(seen.market, seen.installationId, 1)
    await expect.poll(() => named('webhook delivery')[0]?.status?.code).toBe(2)
    expect(named('webhook delivery')[0]?.attributes['error.type']).toBe('status')
  })

  test('spans hold no path, address, query or text of SQL', async () => {
    await call(seen.market, 'GET', '/v1/Apps?q=secret-word', { headers: { traceparent } })
    await expect.poll(() => named('GET /v1/Apps')[0]?.hasEnded).toBe(true)
    const text = JSON.stringify(seen.spans)
    expect(text).not.toMatch(/secret-word|127\.0\.0\.1|SELECT \w/)
  })
})

test('a provider that was taken away leaves nothing behind', () => {
  expect(trace.getTracer('test').startSpan('x').isRecording()).toBe(false)
})
