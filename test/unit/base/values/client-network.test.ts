import { describe, expect, test } from 'vitest'
import { bareAddress, networkOf } from '../../../../src/base/values/client-network.ts'

describe('the address in a text', () => {
  test.each([
    ['203.0.113.5', '203.0.113.5'],
    ['203.0.113.5:4711', '203.0.113.5'],
    ['::ffff:203.0.113.5', '::ffff:203.0.113.5'],
    ['2001:db8::1', '2001:db8::1'],
    ['2001:db8::1:4711', '2001:db8::1:4711'],
    ['[2001:db8::1]:4711', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['[fe80::1%"Typed\n]:4711', 'fe80::1'],
    ["x'y", undefined],
    ['203.0.113.5:port', undefined],
    ['203.0.113.5:4711:4712', undefined],
    ['g'.repeat(8000), undefined],
    [`fe80::1%${'g'.repeat(8000)}`, undefined],
    ['', undefined],
    [undefined, undefined],
  ])('of %j is %s', (text, address) => {
    expect(bareAddress(text)).toBe(address)
  })
})

describe('the network that a budget belongs to', () => {
  test.each([
    ['203.0.113.5', '203.0.113.5'],
    // IPv4 mapped in IPv6, as each kind of proxy writes it.
    ['::ffff:203.0.113.5', '203.0.113.5'],
    ['::FFFF:203.0.113.5', '203.0.113.5'],
    ['::ffff:cb00:7105', '203.0.113.5'],
    ['::ffff:cb00:7105%eth0', '203.0.113.5'],
    ['0:0:0:0:0:ffff:cb00:7105', '203.0.113.5'],
    ['0000:0000:0000:0000:0000:ffff:203.0.113.5', '203.0.113.5'],
    ['::0:ffff:cb00:7105', '203.0.113.5'],
    ['::ffff:0:0', '0.0.0.0'],
    // NAT64.
    ['64:ff9b::203.0.113.5', '203.0.113.5'],
    ['64:ff9b::cb00:7105', '203.0.113.5'],
    ['0064:ff9b:0:0:0:0:cb00:7105', '203.0.113.5'],
    // What only looks so is IPv6.
    ['64:ff9b:1::cb00:7105', '64:ff9b:1:0'],
    ['64:ff9b::1:0:0', '64:ff9b:0:0'],
    ['::ffff:0:203.0.113.5', '0:0:0:0'],
    ['::1', '0:0:0:0'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:0db8:0001:0002::', '2001:db8:1:2'],
    ['2001:db8::ffff:203.0.113.5', '2001:db8:0:0'],
    ['nonsense', 'unknown'],
    ['', 'unknown'],
  ])('of %j is %s', (address, network) => {
    expect(networkOf(address)).toBe(network)
  })
})
