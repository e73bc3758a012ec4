import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call, demoInstallation, installationToken } from '../../setup/client.ts'
import { expectEvents, type LoggedMarketplace, startLogged } from '../../setup/logged.ts'
import { type OperatorCalls, operatorCalls } from '../../setup/operator.ts'
import { failingInserts, sabotaged } from '../../setup/sabotage.ts'

let market: LoggedMarketplace
let operator: OperatorCalls
let token: string
beforeAll(async () => {
  market = await startLogged()
  operator = await operatorCalls(market)
  token = await installationToken(market, demoInstallation(market, 'price-sync', 'Seller'))
})
afterAll(() => market.close())

describe('nobody can write a line of the log', () => {
  const FORGED = '{"level":"info","msg":"forged"}'

  /** Bytes that a well-behaved client refuses to send. */
  function raw(bytes: Buffer | string): Promise<void> {
    const { hostname, port } = new URL(market.url)
    return new Promise((resolve) => {
      const socket = connect(Number(port), hostname, () => socket.end(bytes))
      socket.on('error', () => {}).on('data', () => {})
      socket.on('close', () => resolve())
    })
  }
  const latin1 = (text: string) => Buffer.from(text, 'latin1')
  const request = (path: string, more = '') =>
    latin1(`GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${more}\r\n`)

  test.each<[string, () => Promise<unknown>]>([
    ['line feeds in the address', () => raw(request(`/v1/Apps/%0a${encodeURIComponent(FORGED)}`))],
    ['a bare line feed in the request line', () => raw(request(`/v1/Apps\n${FORGED}\n`))],
    ['C1 controls in the address', () => raw(request('/livez?\u009b31m\u0085forged'))],
    ['ANSI in a header', () => raw(request('/livez', 'x-forwarded-for: \u001b[31mforged\r\n'))],
    ['a line in X-Forwarded-For', () => raw(request('/livez', `x-forwarded-for: ${FORGED}\r\n`))],
    ['a folded header', () => raw(request('/livez', `x-a: b\r\n ${FORGED}\r\n`))],
    ['a line in the method', () => raw(latin1(`G\n${FORGED}\nET / HTTP/1.1\r\n\r\n`))],
    [
      'a line in a client id',
      () =>
        call(market, 'POST', '/v1/Auth', { body: { clientId: `\n${FORGED}\n`, password: 'x' } }),
    ],
    [
      'separators in a client id',
      () =>
        call(market, 'POST', '/v1/Auth', {
          body: { clientId: `\u2028${FORGED}\u2029`, password: 'x' },
        }),
    ],
    [
      'a line in a name that breaks a rule of the database',
      async () => {
        const create = () =>
          operator('POST', 'Parties', { name: `x\u001b[2J${FORGED}`, type: 'Seller' })
        await sabotaged(market, failingInserts('parties', '22P02'), create)
      },
    ],
  ])('%s', async (_name, send) => {
    const written = await market.loggedDuring(send)
    const events = expectEvents(written)
    expect(events.filter(({ msg }) => msg === 'forged')).toEqual([])
    const text = written.join('\n')
    expect(text).not.toContain('forged')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
    expect(text.replaceAll('\n', '')).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/)
  })

  test.each([
    ['a page that leads to the sign-in', '/Developer/Apps/Typed123', {}],
    ['a zone in X-Forwarded-For', '/livez', { 'x-forwarded-for': 'fe80::1%Typed123' }],
  ])('%s writes nothing that the client chose', async (_name, path, headers) => {
    const written = await market.loggedDuring(() =>
      fetch(market.url + path, { headers, redirect: 'manual' }),
    )
    expect(expectEvents(written).length).toBeGreaterThan(0)
    expect(written).not.toContain('Typed123')
  })

  test('what a request line of the log says, and that it says no more', async () => {
    const written = await market.loggedDuring(() =>
      call(market, 'GET', `/v1/Products?limit=1`, {
        token,
        headers: { 'x-forwarded-for': '203.0.113.7:4711' },
      }),
    )
    // A client of another test may ask at the port that was somebody else's before.
    const events = expectEvents(written).filter(({ path }) => path === '/v1/Products')
    expect(events).toEqual([
      {
        level: 'info',
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        reqId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        method: 'GET',
        route: '/v1/Products',
        path: '/v1/Products',
        status: 200,
        durationMs: expect.any(Number),
        address: '203.0.113.7',
        caller: `installation ${demoInstallation(market, 'price-sync', 'Seller').id}`,
        msg: 'request',
      },
    ])
  })
})
