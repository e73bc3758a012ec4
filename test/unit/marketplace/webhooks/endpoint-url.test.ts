import { describe, expect, test } from 'vitest'
import {
  AllowedHostsVariable,
  LOOPBACK_HOSTS,
} from '../../../../src/marketplace/webhooks/addresses/allowed-hosts.ts'
import {
  endpointUrlProblem,
  endpointUrlProblems,
} from '../../../../src/marketplace/webhooks/addresses/endpoint-url.ts'

const nothing = AllowedHostsVariable.parse('')

describe('the URL of an endpoint', () => {
  test.each([
    'https://hooks.example.com',
    'HTTPS://Hooks.Example.com/a?b=c&d',
    'https://hooks.example.com:8443/',
    'https://hooks.example.com:22/',
    'https://hooks.example.com:65535/',
    'https://bücher.example/cb',
    'https://8.8.8.8/',
    'https://0x08080808/',
    'https://[2606:4700:4700::1111]/',
    'https://localhost.example.com/',
    'https://internal.example.com/',
    `https://hooks.example.com/${'x'.repeat(2000 - 26)}`,
  ])('may be %.60s', (url) => {
    expect(endpointUrlProblems(url, nothing)).toEqual([])
  })

  test.each([
    // schemes and forms
    ['', 'absolute'],
    ['/hook', 'absolute'],
    ['//hooks.example.com/', 'absolute'],
    ['hooks.example.com', 'absolute'],
    ['https:hooks.example.com', 'absolute'],
    ['https://', 'absolute'],
    ['http://hooks.example.com/', 'https'],
    ['ftp://hooks.example.com/', 'absolute'],
    ['gopher://hooks.example.com/', 'absolute'],
    ['file:///etc/passwd', 'absolute'],
    ['wss://hooks.example.com/', 'absolute'],
    ['javascript:alert(1)', 'absolute'],
    ['data:text/plain,x', 'absolute'],
    ['unix:/var/run/docker.sock', 'absolute'],
    [`https://hooks.example.com/${'x'.repeat(2001 - 26)}`, 'at most 2000'],
    [`https://hooks.example.com/${'ü'.repeat(400)}`, 'percent-encoded'],
    // what could hide another host
    ['https://user@hooks.example.com/', 'user name'],
    ['https://user:password@hooks.example.com/', 'password; send them in `headers`'],
    ['https://@hooks.example.com/', 'user name'],
    ['https://hooks.example.com@127.0.0.1/', 'user name'],
    ['https://hooks.example.com\\@127.0.0.1/', 'backslashes'],
    ['https://hooks.example.com\t/', 'white space'],
    ['https://hooks.exam\nple.com/', 'white space'],
    [' https://hooks.example.com/', 'white space'],
    ['https://hooks.example.com/\0', 'control'],
    ['https://hooks.example.com/#part', 'fragment'],
    ['https://hooks.example.com/#', 'fragment'],
    // ports
    ['https://hooks.example.com:0/', 'port'],
    ['https://hooks.example.com:65536/', 'absolute'],
    ['https://hooks.example.com:-1/', 'absolute'],
    // names
    ['https://localhost/', 'private'],
    ['https://LOCALHOST:8443/', 'private'],
    ['https://a.localhost/', 'private'],
    ['https://printer.local/', 'private'],
    ['https://db.internal/', 'private'],
    ['https://metadata.google.internal/', 'private'],
    ['https://router.home.arpa/', 'private'],
    ['https://localhost./', 'dot'],
    ['https://hooks.example.com./', 'dot'],
    ['https://127.0.0.1./', 'private or special'],
    ['https://receiver/', 'full host name'],
    ['https://ｌｏｃａｌｈｏｓｔ/', 'private'],
    ['https://%6cocalhost/', 'private'],
    // IPv4 in all spellings
    ['https://127.0.0.1/', 'private or special'],
    ['https://127.1/', 'private or special'],
    ['https://127.0.1/', 'private or special'],
    ['https://2130706433/', 'private or special'],
    ['https://0x7f000001/', 'private or special'],
    ['https://0x7f.0.0.1/', 'private or special'],
    ['https://0X7F.1/', 'private or special'],
    ['https://017700000001/', 'private or special'],
    ['https://0177.0.0.1/', 'private or special'],
    ['https://0/', 'private or special'],
    ['https://00000/', 'private or special'],
    ['https://１２７.０.０.１/', 'private or special'],
    ['https://127。0。0。1/', 'private or special'],
    ['https://①②⑦.0.0.1/', 'private or special'],
    ['https://%31%32%37.0.0.1/', 'private or special'],
    ['https://10.0.0.1/', 'private or special'],
    ['https://192.168.1.1/', 'private or special'],
    ['https://172.16.0.1:8443/', 'private or special'],
    ['https://100.64.0.1/', 'private or special'],
    ['https://169.254.169.254/latest/meta-data', 'private or special'],
    ['https://2852039166/', 'private or special'],
    ['https://0xa9fea9fe/', 'private or special'],
    ['https://100.100.100.200/', 'private or special'],
    ['https://256.0.0.1/', 'absolute'],
    // IPv6
    ['https://[::1]/', 'private or special'],
    ['https://[0:0:0:0:0:0:0:1]/', 'private or special'],
    ['https://[::]/', 'private or special'],
    ['https://[::ffff:127.0.0.1]/', 'private or special'],
    ['https://[::ffff:7f00:1]/', 'private or special'],
    ['https://[::127.0.0.1]/', 'private or special'],
    ['https://[64:ff9b::127.0.0.1]/', 'private or special'],
    ['https://[2002:7f00:1::]/', 'private or special'],
    ['https://[fe80::1]/', 'private or special'],
    ['https://[fc00::1]/', 'private or special'],
    ['https://[fd00:ec2::254]/', 'private or special'],
    ['https://[fe80::1%25eth0]/', 'absolute'],
    ['https://[fe80::1%eth0]/', 'absolute'],
  ])('may not be %.60j', (url, problem) => {
    expect(endpointUrlProblems(url, nothing)).toEqual([
      { pointer: '/url', detail: expect.stringContaining(problem) },
    ])
  })
})

describe('a host that the operator has allowed', () => {
  const allowed = AllowedHostsVariable.parse(
    '127.0.0.1:9000, receiver:80,[FD00::1]:443,a.b.internal:8443',
  )

  test.each([
    'http://127.0.0.1:9000/hook',
    'https://127.0.0.1:9000/hook',
    'http://2130706433:9000/',
    'http://receiver/',
    'http://RECEIVER:80/',
    'https://[fd00:0::1]/',
    'http://[fd00::1]:443/',
    'https://a.b.internal:8443/',
  ])('may be used with http: %s', (url) => {
    expect(endpointUrlProblem(url, allowed)).toBeNull()
  })

  test.each([
    'http://127.0.0.1:9001/',
    'https://127.0.0.1/',
    'http://127.0.0.2:9000/',
    'http://localhost:9000/',
    'https://receiver/',
    'http://x.receiver/',
    'http://[fd00::1]/',
    'http://[fd00::2]:443/',
    'http://[::ffff:127.0.0.1]:9000/',
    'http://user@127.0.0.1:9000/',
    'http://127.0.0.1:9000/#x',
    'ftp://127.0.0.1:9000/',
  ])('allows no other: %s', (url) => {
    expect(endpointUrlProblem(url, allowed)).not.toBeNull()
  })
})

describe('a demo on its own machine', () => {
  test.each(['http://127.0.0.1:4100/', 'http://localhost:1/x', 'http://[::1]:4100/'])(
    'sends to %s',
    (url) => expect(endpointUrlProblem(url, LOOPBACK_HOSTS)).toBeNull(),
  )
  test.each(['http://127.0.0.2:4100/', 'http://10.0.0.1/', 'http://169.254.169.254/'])(
    'does not send to %s',
    (url) => expect(endpointUrlProblem(url, LOOPBACK_HOSTS)).not.toBeNull(),
  )
})

describe('WEBHOOK_ALLOWED_PRIVATE_HOSTS', () => {
  test('may be empty', () => {
    expect(AllowedHostsVariable.parse('')).toEqual(new Set())
    expect(AllowedHostsVariable.parse(' , ')).toEqual(new Set())
  })

  test('is kept as the URL parser writes hosts', () => {
    expect(AllowedHostsVariable.parse('Receiver.Internal:080,0x7f.1:9000,[0::1]:443')).toEqual(
      new Set(['receiver.internal:80', '127.0.0.1:9000', '[::1]:443']),
    )
  })

  test.each([
    'receiver',
    '::1:80',
    '[::1]',
    'http://receiver:80',
    'receiver:80/path',
    'user@receiver:80',
    'receiver:0',
    'receiver:65536',
    'receiver:x',
    '*:80',
    '127.0.0.1:*',
    '10.0.0.0/8:80',
    ':80',
  ])('may not be %s', (text) => {
    const { success, error } = AllowedHostsVariable.safeParse(`ok:1,${text}`)
    expect({ success, message: error?.issues[0]?.message }).toEqual({
      success: false,
      message: expect.stringContaining(`wrong is ${text}`),
    })
  })
})
