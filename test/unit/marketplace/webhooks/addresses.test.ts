import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isPublicAddress } from '../../../../src/marketplace/webhooks/addresses/public-addresses.ts'

describe('a public address', () => {
  test.each([
    '1.1.1.1',
    '8.8.8.8',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.1',
    '169.253.255.255',
    '169.255.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '192.167.255.255',
    '192.169.0.0',
    '198.17.255.255',
    '198.20.0.0',
    '223.255.255.255',
    '2606:4700:4700::1111',
    '2001:4860:4860::8888',
    '2a00:1450:4001::200e',
    '2001:200::1',
    '2003::1',
    '3fff:1000::1',
  ])('%s may be connected to', (address) => {
    expect(isPublicAddress(address)).toBe(true)
  })
})

describe('an address that is not public', () => {
  test.each([
    // 0.0.0.0/8, loopback, private, shared
    '0.0.0.0',
    '0.1.2.3',
    '127.0.0.1',
    '127.255.255.254',
    '10.0.0.1',
    '10.255.255.255',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.0.1',
    '192.168.255.255',
    '100.64.0.1',
    '100.127.255.255',
    // link-local, metadata
    '169.254.0.1',
    '169.254.169.254',
    '169.254.170.2',
    '100.100.100.200',
    '192.0.0.192',
    '168.63.129.16',
    'fd00:ec2::254',
    // documentation, benchmarking, reserved, multicast, broadcast
    '192.0.0.1',
    '192.0.2.1',
    '198.51.100.1',
    '203.0.113.1',
    '198.18.0.1',
    '198.19.255.255',
    '192.88.99.1',
    '192.31.196.1',
    '192.52.193.1',
    '192.175.48.1',
    '224.0.0.1',
    '239.255.255.250',
    '240.0.0.1',
    '255.255.255.255',
    // IPv6
    '::',
    '::1',
    '0:0:0:0:0:0:0:1',
    'fe80::1',
    'febf::1',
    'fec0::1',
    'feff::1',
    'fc00::1',
    'fdff:ffff::1',
    'ff02::1',
    'ff0e::1',
    '100::1',
    '2001:2::1',
    '2001:10::1',
    '2001:20::1',
    '2001:db8::1',
    '3fff::1',
    '3fff:fff::1',
    '5f00::1',
    '4000::1',
    '8000::1',
    '200::1',
    // IPv6 that holds IPv4, private or public
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:8.8.8.8',
    '::ffff:0:127.0.0.1',
    '::127.0.0.1',
    '::7f00:1',
    '::8.8.8.8',
    '64:ff9b::127.0.0.1',
    '64:ff9b::a9fe:a9fe',
    '64:ff9b::8.8.8.8',
    '64:ff9b:1::10.0.0.1',
    '64:ff9b:1:ffff::1',
    '2002:7f00:1::',
    '2002:a00:1::1',
    '2002:808:808::1',
    '2001::1',
    '2001:0:4136:e378:8000:63bf:3fff:fdd2',
    // zone ids
    'fe80::1%eth0',
    'fe80::1%1',
    '2606:4700:4700::1111%eth0',
    '::1%lo',
    // no addresses as DNS or the URL parser writes them
    '',
    'localhost',
    '2130706433',
    '0x7f.0.0.1',
    '0177.0.0.1',
    '127.1',
    '8.8.8.8/32',
    ' 8.8.8.8',
    '8.8.8.8 ',
    '[2606:4700:4700::1111]',
    '8.8.8.8:443',
    '１２７.0.0.1',
  ])('%s is refused', (address) => {
    expect(isPublicAddress(address)).toBe(false)
  })

  test('is every IPv4 address inside an IPv6 form', () => {
    const prefixes = ['::ffff:', '::', '64:ff9b::', '64:ff9b:1::', '::ffff:0:']
    fc.assert(
      fc.property(fc.constantFrom(...prefixes), fc.ipV4(), (prefix, address) => {
        expect(isPublicAddress(`${prefix}${address}`)).toBe(false)
      }),
    )
  })

  test('is every IPv6 address outside 2000::/3', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(0xffff), { minLength: 8, maxLength: 8 }),
        ([first = 0, ...rest]) => {
          fc.pre(first >> 13 !== 1)
          const groups = [first, ...rest].map((group) => group.toString(16))
          expect(isPublicAddress(groups.join(':'))).toBe(false)
        },
      ),
    )
  })
})
