import { getEventListeners } from 'node:events'
import { describe, expect, test } from 'vitest'
import { resolveAddress } from '../../../../src/marketplace/webhooks/sending/resolve-address.ts'
import { resolvingTo } from '../../../setup/webhook-receivers.ts'

const nothing: ReadonlySet<string> = new Set()
const { signal } = new AbortController()
const resolve = (url: string, addresses: string[], allowedHosts = nothing) =>
  resolveAddress({
    ...{ url: new URL(url), allowedHosts, timeoutMs: 60_000, signal },
    lookup: resolvingTo(...addresses),
  })

describe('the addresses of a name', () => {
  test.each([
    [['8.8.8.8'], ['8.8.8.8']],
    [['8.8.8.8', '1.1.1.1'], ['8.8.8.8']],
    [
      ['2606:4700::1', '2606:4700::2', '8.8.8.8', '1.1.1.1'],
      ['2606:4700::1', '8.8.8.8'],
    ],
    [
      ['8.8.8.8', '2606:4700::1'],
      ['8.8.8.8', '2606:4700::1'],
    ],
  ])('%j: the first one and the first one of the other family', async (found, chosen) => {
    expect(await resolve('https://hooks.example.com/', found)).toEqual(chosen)
  })

  test('are all checked, including those that would not be used', async () => {
    for (const found of [
      ['8.8.8.8', '1.1.1.1', '10.0.0.1'],
      ['8.8.8.8', '::1'],
    ]) {
      await expect(resolve('https://hooks.example.com/', found)).rejects.toMatchObject({
        code: 'address_refused',
      })
    }
  })

  test('may be private when the operator allows the host', async () => {
    const allowed = new Set(['receiver:80'])
    expect(await resolve('http://receiver/', ['10.0.0.1'], allowed)).toEqual(['10.0.0.1'])
    await expect(resolve('http://receiver:81/', ['10.0.0.1'], allowed)).rejects.toMatchObject({
      code: 'address_refused',
    })
  })
})

test('a look-up leaves nothing behind that waits for the end of the process', async () => {
  await resolve('https://hooks.example.com/', ['8.8.8.8'])
  await resolve('https://hooks.example.com/', []).catch(() => {})
  expect(getEventListeners(signal, 'abort')).toEqual([])
})

describe('an address in a URL', () => {
  test('is not looked up', async () => {
    expect(await resolve('https://8.8.8.8/', ['10.0.0.1'])).toEqual(['8.8.8.8'])
    expect(await resolve('https://[2606:4700::1]/', ['::1'])).toEqual(['2606:4700::1'])
  })

  test.each(['127.1', '0x7f000001', '017700000001', '[::1]', '[::ffff:8.8.8.8]', '[::127.0.0.1]'])(
    'is checked: %s',
    async (host) => {
      await expect(resolve(`https://${host}/`, ['8.8.8.8'])).rejects.toMatchObject({
        code: 'address_refused',
      })
    },
  )
})

test('allowed hosts are resolved by the operating system', async () => {
  const found = await resolveAddress({
    ...{ url: new URL('http://localhost:80/'), allowedHosts: new Set(['localhost:80']) },
    timeoutMs: 60_000,
    signal,
  })
  expect(found.every((address) => ['127.0.0.1', '::1'].includes(address))).toBe(true)
})
