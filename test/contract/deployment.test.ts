import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import pkg from '../../package.json' with { type: 'json' }
import { ALLOCATOR_VARIABLES, NODE_FLAGS } from '../../scripts/server-node.js'
import { VARIABLES } from '../../src/config.ts'
import { certificateFor } from '../setup/certificate.ts'
import type { Manifest } from '../setup/chart.ts'
import { hasHaproxy } from '../setup/haproxy.ts'

const ROOT = new URL('../../', import.meta.url)
const read = (file: string) => readFileSync(new URL(file, ROOT), 'utf8')

describe('Dockerfile', () => {
  const dockerfile = read('Dockerfile').replaceAll(/\\\n\s*/g, '')
  const lines = dockerfile.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  const instructions = (name: string, from = lines) =>
    from.filter((line) => line.startsWith(`${name} `))
  const last = lines.slice(lines.findLastIndex((line) => line.startsWith('FROM ')))

  test('builds in a stage of its own, from images of one exact major version', () => {
    expect(instructions('FROM')).toHaveLength(2)
    for (const from of instructions('FROM')) expect(from).toMatch(/^FROM node:24-[\w-]+( AS \w+)?$/)
    for (const copy of instructions('COPY').filter((line) => line.includes('--from='))) {
      expect(copy).toContain('--from=build ')
    }
  })

  test('ends as a user that is not root, with a health check, and starts without a shell', () => {
    expect(instructions('USER', last)).toEqual(['USER node'])
    expect(last.findIndex((line) => line.startsWith('USER '))).toBeLessThan(
      last.findIndex((line) => line.startsWith('CMD ')),
    )
    for (const name of ['CMD', 'HEALTHCHECK']) expect(instructions(name, last)).toHaveLength(1)
    expect(instructions('HEALTHCHECK', last)[0]).toContain('/livez')
    for (const line of instructions('CMD', last)) expect(line).toMatch(/^CMD \["node",/)
  })

  test('holds no secret, fetches nothing by itself, and names directories in full', () => {
    expect(dockerfile).not.toMatch(/^(ADD|ARG (?!BUILD_COMMIT)|MAINTAINER|ONBUILD) ?/m)
    expect(dockerfile).not.toMatch(/SECRET|PASSWORD|TOKEN|curl|wget|sudo|:latest/)
    for (const line of instructions('WORKDIR')) expect(line).toMatch(/^WORKDIR \//)
    for (const run of instructions('RUN')) expect(run).not.toMatch(/apt-get|(^| )cd /)
  })

  test('has every file and directory of the repository that the code reads', () => {
    const sources = readdirSync(new URL('src', ROOT), { recursive: true, encoding: 'utf8' })
    const read = sources
      .filter((file) => file.endsWith('.ts') && !file.startsWith('web/assets'))
      .flatMap((file) => {
        const text = readFileSync(new URL(`src/${file}`, ROOT), 'utf8')
        const named = [...text.matchAll(/'((?:\.\.\/)+(?!\.)[^']*)'/g)]
        return named.map(([, path = '']) => new URL(path, new URL(`src/${file}`, ROOT)).href)
      })
      .map((href) => href.slice(ROOT.href.length).split('/', 1)[0])
    const copied = instructions('COPY', last).map((line) => {
      const [from = '', to = ''] = line.split(' ').slice(-2)
      return (to === './' ? from : to.slice('./'.length)).split('/', 1)[0]
    })
    expect([...new Set(read)].filter((name) => !copied.includes(name))).toEqual([])
    expect(read).toContain('openapi')
  })

  test('sets only variables that the server or Node know', () => {
    const names = instructions('ENV')
      .flatMap((line) => [...line.matchAll(/(\w+)=/g)])
      .map(([, name = '']) => name)
    const others = names.filter((name) => !Object.hasOwn(VARIABLES, name))
    expect(others).toEqual(['NODE_ENV'])
  })
})

describe('the systemd unit', () => {
  const unit = read('ops/app-marketplace.service')
  const values = (name: string) =>
    [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value = '']) => value)

  test('starts the server with the flags and variables of `npm start`', () => {
    const [command = ''] = values('ExecStart')
    expect(command.match(/--\S+/g)).toEqual(NODE_FLAGS)
    expect(command).toMatch(/ src\/server\.ts$/)
    // The Node that `npm ci --omit=dev` installs, not whatever the machine has.
    const [home] = values('WorkingDirectory')
    const { bin } = JSON.parse(read('node_modules/node/package.json'))
    expect(command.split(' ', 1)).toEqual([`${home}/node_modules/node/${bin.node}`])
    expect(Object.keys(pkg.dependencies)).toContain('node')
    const given = values('Environment').join(' ').split(' ')
    for (const [name, value] of Object.entries(ALLOCATOR_VARIABLES)) {
      expect(given).toContain(`${name}=${value}`)
    }
    const own = given.filter((one) => !/^(MALLOC_|NODE_ENV)/.test(one))
    // Commands beside the server do not see its private /tmp, where the socket would be.
    expect(own).toEqual(['DATA_DIR=/var/lib/app-marketplace', 'TMPDIR=/run/app-marketplace'])
    expect(values('RuntimeDirectory')).toEqual(['app-marketplace'])
  })

  test('lets it do no more than it needs, and end in peace', () => {
    for (const [name, value] of [
      ['NoNewPrivileges', 'yes'],
      ['CapabilityBoundingSet', ''],
      ['ProtectSystem', 'strict'],
      ['ProtectHome', 'yes'],
      ['PrivateTmp', 'yes'],
      ['RestrictNamespaces', 'yes'],
      ['SystemCallFilter', '@system-service'],
      ['UMask', '0077'],
    ] as const) {
      expect([name, values(name)]).toEqual([name, [value]])
    }
    expect(values('User')).not.toEqual(['root'])
    // The embedded Postgres needs no variables.
    expect(values('EnvironmentFile')).toEqual(['-/etc/app-marketplace.env'])
    expect(Number(values('TimeoutStopSec')[0])).toBeGreaterThan(
      Number(VARIABLES.SHUTDOWN_GRACE_SECONDS.default),
    )
  })
})

test.skipIf(!hasHaproxy())('HAProxy takes ops/haproxy.cfg, alone and with TLS before it', () => {
  const directory = mkdtempSync(join(tmpdir(), 'haproxy-tls-'))
  const MARKETPLACE_CERTIFICATE = join(directory, 'marketplace.pem')
  const { cert, key } = certificateFor(['localhost'])
  writeFileSync(MARKETPLACE_CERTIFICATE, `${cert}${key}`)
  for (const names of [['haproxy.cfg'], ['haproxy.cfg', 'haproxy-tls.cfg']]) {
    const files = names.flatMap((name) => ['-f', fileURLToPath(new URL(`ops/${name}`, ROOT))])
    const { status, stderr } = spawnSync('haproxy', ['-c', ...files], {
      encoding: 'utf8',
      env: { ...process.env, MARKETPLACE_CERTIFICATE },
    })
    expect(stderr).not.toContain('[ALERT]')
    expect(status).toBe(0)
  }
  rmSync(directory, { recursive: true })
})

test('Compose with TLS mounts the configuration of HAProxy that the repository has', () => {
  const { services, configs } = parse(read('ops/compose.tls.yaml'))
  const command: string[] = services.haproxy.command
  const mounted = services.haproxy.configs.map(({ target }: Manifest) => target)
  const own = command.filter((word) => word.endsWith('haproxy-tls.cfg'))
  expect(mounted).toEqual(expect.arrayContaining(own))
  expect(existsSync(new URL(configs['haproxy-tls'].file, ROOT))).toBe(true)
})
