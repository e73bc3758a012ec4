import Fastify from 'fastify'
import { describe, expect, test } from 'vitest'
import { ConfigError, loadConfig } from '../../../src/config.ts'

describe('TRUST_PROXY', () => {
  test.each([
    '0.0.0.0/0',
    '::/0',
    '10.0.0.0/00',
    '10.0.0.0/33',
    '::1/129',
    '10.0.0.0/8/8',
    '10.0.0.0/-1',
    '10.0.0.0/',
    '10.0.0.0/1e1',
    '10.0.0',
    'loopback',
    'true',
    '10.0.0.1,',
  ])('%s is told as a problem of the configuration', (value) => {
    expect(() => loadConfig({ TRUST_PROXY: value })).toThrow(ConfigError)
    expect(() => loadConfig({ TRUST_PROXY: value })).toThrow(/TRUST_PROXY: must be IP addresses/)
  })

  test.each([
    '10.0.0.1',
    '10.0.0.0/8, 192.168.0.0/16',
    '10.0.0.0/1',
    '10.0.0.1/32',
    '::1',
    'fd00::/8',
    '::1/128',
    'fe80::1%eth0',
    '::ffff:10.0.0.1',
    '::ffff:10.0.0.0/104',
  ])('%s is what the server can start with', (value) => {
    const { trustProxy } = loadConfig({ TRUST_PROXY: value })
    expect(() => Fastify({ trustProxy: trustProxy as string })).not.toThrow()
  })
})
