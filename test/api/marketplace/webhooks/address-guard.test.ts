import { networkInterfaces } from 'node:os'
import { describe, expect, test } from 'vitest'
import {
  allowing,
  attempt,
  resolvingTo,
  startCanary,
  startProxy,
  startReceiver,
  startTlsReceiver,
  testAgents,
} from '../../../setup/webhook-receivers.ts'

/** Hosts that are loopback, or another private place, in some spelling. */
const PRIVATE_HOSTS = [
  '127.0.0.1',
  '127.1',
  '127.0.1',
  '127.255.255.254',
  '2130706433',
  '0x7f000001',
  '0x7f.0x0.0x0.0x1',
  '0X7F.1',
  '017700000001',
  '0177.0.0.1',
  '0177.0.0.01',
  '00000000000000000000000000000000177.0.0.1',
  '127.0.0.0x1',
  '１２７.０.０.１',
  '127。0。0。1',
  '127．0．0．1',
  '①②⑦.0.0.1',
  '%31%32%37.0.0.1',
  '127.0.0.1.',
  '0',
  '0.0.0.0',
  '0x0',
  '10.0.0.1',
  '172.16.0.1',
  '192.168.0.1',
  '3232235521',
  '100.64.0.1',
  '169.254.0.1',
  '169.254.169.254',
  '2852039166',
  '0xa9fea9fe',
  '0251.0376.0251.0376',
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[0:0:0:0:0:ffff:127.0.0.1]',
  '[::127.0.0.1]',
  '[::7f00:1]',
  '[64:ff9b::127.0.0.1]',
  '[64:ff9b:1::127.0.0.1]',
  '[2002:7f00:1::]',
  '[2001:0:7f00:1::]',
  '[fe80::1]',
  '[fec0::1]',
  '[fc00::1]',
  '[fd00:ec2::254]',
  '[fe80::1%25lo]',
  '[::1%25lo]',
  '[ff02::1]',
  'localhost',
  'LOCALHOST',
  'localhost.',
  'a.localhost',
  'ｌｏｃａｌｈｏｓｔ',
  'printer.local',
  'metadata.google.internal',
  'receiver',
  'user@127.0.0.1',
  'user:password@127.0.0.1',
  'hooks.example.com@127.0.0.1',
  'hooks.example.com\\@127.0.0.1',
  'hooks.example.com#@127.0.0.1',
]

/** What a public name may resolve to: all but the last refused. */
const RESOLVED = [
  ['127.0.0.1'],
  ['127.0.0.2'],
  ['0.0.0.0'],
  ['10.0.0.1'],
  ['172.31.0.1'],
  ['192.168.1.1'],
  ['100.64.0.1'],
  ['169.254.169.254'],
  ['100.100.100.200'],
  ['::1'],
  ['::'],
  ['::ffff:127.0.0.1'],
  ['::127.0.0.1'],
  ['64:ff9b::7f00:1'],
  ['2002:7f00:1::'],
  ['2001:0:7f00:1::'],
  ['fe80::1'],
  ['fe80::1%lo'],
  ['fec0::1'],
  ['fd00:ec2::254'],
  // both
  ['93.184.216.34', '127.0.0.1'],
  ['127.0.0.1', '93.184.216.34'],
  ['2606:4700:4700::1111', '::1'],
  ['93.184.216.34', '::ffff:127.0.0.1'],
  [...Array<string>(50).fill('93.184.216.34'), '10.0.0.1'],
  // no addresses
  ['localhost'],
  ['2130706433'],
  [''],
]

test('no byte reaches a private host in any spelling, with http or https', async () => {
  const canary = await startCanary()
  const loopbacks = Object.values(networkInterfaces()).flatMap((addresses = []) => addresses)
  const hasIPv6 = loopbacks.some(({ address }) => address === '::1')
  const canary6 = hasIPv6 ? await startCanary('::1', canary.port) : canary
  const agents = testAgents()
  expect(PRIVATE_HOSTS.length).toBeGreaterThanOrEqual(60)
  for (const host of PRIVATE_HOSTS) {
    for (const scheme of ['https', 'http']) {
      const url = `${scheme}://${host}:${canary.port}/hook`
      const { outcome, reason } = await attempt(url, { agents })
      expect({ url, outcome, code: reason?.code }).toEqual({
        ...{ url, outcome: 'failed', code: 'url_refused' },
      })
    }
  }
  expect([canary, canary6].map(({ connections }) => connections.length)).toEqual([0, 0])
})

test('no byte reaches a host by another scheme', async () => {
  const canary = await startCanary()
  for (const scheme of ['ftp', 'ws', 'wss', 'gopher', 'file', 'unix', 'javascript', 'http+unix']) {
    const url = `${scheme}://127.0.0.1:${canary.port}/`
    const { reason } = await attempt(url, allowing(`http://127.0.0.1:${canary.port}/`))
    expect({ url, code: reason?.code }).toEqual({ url, code: 'url_refused' })
  }
  expect(canary.connections).toHaveLength(0)
})

test('no byte is sent when one address of a name is not public', async () => {
  const canary = await startCanary()
  const agents = testAgents()
  for (const addresses of RESOLVED) {
    const url = `https://hooks.example.com:${canary.port}/`
    const result = await attempt(url, { agents, lookup: resolvingTo(...addresses) })
    expect({ addresses, ...result }).toMatchObject({
      ...{ addresses, outcome: 'failed', reason: { code: 'address_refused' } },
    })
  }
  expect(canary.connections).toHaveLength(0)
})

test('a name that does not resolve is a failure', async () => {
  const url = 'https://hooks.example.com/'
  const fault = Object.assign(new Error('queryA ENOTFOUND 10.0.0.53'), { code: 'ENOTFOUND' })
  for (const lookup of [resolvingTo(), () => Promise.reject(fault)]) {
    expect(await attempt(url, { lookup })).toMatchObject({
      ...{ outcome: 'failed', reason: { code: 'name_not_resolved' } },
    })
  }
})

test('a name is resolved once an attempt, and the connection goes to that address', async () => {
  const receiver = await startReceiver()
  const canary = await startCanary('127.0.0.2', receiver.port)
  const url = `http://rebind.example.com:${receiver.port}/`
  let lookups = 0
  const lookup = () => {
    lookups += 1
    return resolvingTo(lookups === 1 ? '127.0.0.1' : '127.0.0.2')('')
  }
  expect(await attempt(url, { ...allowing(url), lookup })).toMatchObject({ outcome: 'succeeded' })
  expect(lookups).toBe(1)
  expect(receiver.received).toHaveLength(1)
  expect(canary.connections).toHaveLength(0)
})

test('a name that was public is refused once it resolves to a private address', async () => {
  const receiver = await startTlsReceiver()
  const proxy = await startProxy(receiver.port)
  const agents = testAgents({ proxyUrl: `http://127.0.0.1:${proxy.port}` })
  const url = 'https://receiver.example.com/'
  const first = await attempt(url, { agents, lookup: resolvingTo('93.184.216.34') })
  expect(first).toMatchObject({ outcome: 'succeeded' })
  expect(proxy.requests[0]).toContain('CONNECT 93.184.216.34:443 HTTP/1.1\r\n')
  const second = await attempt(url, { agents, lookup: resolvingTo('127.0.0.1') })
  expect(second).toMatchObject({ outcome: 'failed', reason: { code: 'address_refused' } })
  expect(receiver.received).toHaveLength(1)
  expect(proxy.requests).toHaveLength(1)
})

test('redirects are failures and not followed', async () => {
  const canary = await startCanary()
  const location = `http://127.0.0.1:${canary.port}/`
  for (const status of [300, 301, 302, 303, 307, 308]) {
    const receiver = await startReceiver((_, response) => {
      response.writeHead(status, { location, refresh: `0;url=${location}` }).end()
    })
    const url = `http://127.0.0.1:${receiver.port}/`
    const { allowedHosts } = allowing(url)
    const both = new Set([...allowedHosts, ...allowing(location).allowedHosts])
    const result = await attempt(url, { allowedHosts: both })
    expect(result).toMatchObject({ outcome: 'failed', status, reason: { code: 'redirect' } })
  }
  expect(canary.connections).toHaveLength(0)
})

describe('WEBHOOK_ALLOWED_PRIVATE_HOSTS', () => {
  test('lifts the check only for its hosts and ports', async () => {
    const allowed = await startReceiver()
    const canary = await startCanary()
    const options = allowing(`http://127.0.0.1:${allowed.port}/`)
    for (const host of ['127.0.0.1', '2130706433', '0x7f.1']) {
      const result = await attempt(`http://${host}:${allowed.port}/`, options)
      expect(result).toMatchObject({ outcome: 'succeeded' })
    }
    for (const host of ['127.0.0.2', 'localhost', '[::ffff:127.0.0.1]']) {
      const result = await attempt(`http://${host}:${allowed.port}/`, options)
      expect(result).toMatchObject({ reason: { code: 'url_refused' } })
    }
    await attempt(`http://127.0.0.1:${canary.port}/`, options)
    expect(allowed.received).toHaveLength(3)
    expect(canary.connections).toHaveLength(0)
  })

  test('lets a request reach the canary', async () => {
    const canary = await startCanary()
    const url = `http://127.0.0.1:${canary.port}/`
    const agents = testAgents()
    const sent = attempt(url, { ...allowing(url), agents })
    await expect.poll(() => canary.bytes()).toBeGreaterThan(0)
    agents.close()
    await sent
  })

  test('allows a name whatever it resolves to', async () => {
    const receiver = await startReceiver()
    const url = `http://receiver:${receiver.port}/`
    expect(await attempt(url, allowing(url))).toMatchObject({ outcome: 'succeeded' })
  })
})
