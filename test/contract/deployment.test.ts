import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import pkg from '../../package.json' with { type: 'json' }
import { loadConfig, VARIABLES } from '../../src/config.ts'
import { chartValues, type Manifest, renderChart } from '../setup/chart.ts'
import { hasHaproxy } from '../setup/haproxy.ts'

const ROOT = new URL('../../', import.meta.url)
const read = (file: string) => readFileSync(new URL(file, ROOT), 'utf8')
const SECRETS = {
  DATABASE_URL: 'postgresql://marketplace:secret@db.example/marketplace',
  SECRET_KEY: Buffer.from('a key of exactly thirty-two byte').toString('base64'),
}

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
    expect(dockerfile).not.toMatch(/^(ADD|ARG|MAINTAINER|ONBUILD) /m)
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

  test('sets only variables that the server, Node or glibc know', () => {
    const names = instructions('ENV')
      .flatMap((line) => [...line.matchAll(/(\w+)=/g)])
      .map(([, name = '']) => name)
    const others = names.filter((name) => !Object.hasOwn(VARIABLES, name))
    expect(others.toSorted()).toEqual([
      'MALLOC_ARENA_MAX',
      'MALLOC_MMAP_THRESHOLD_',
      'MALLOC_TRIM_THRESHOLD_',
      'NODE_ENV',
    ])
  })
})

describe('the systemd unit', () => {
  const unit = read('ops/app-marketplace.service')
  const values = (name: string) =>
    [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value = '']) => value)

  test('starts the server with the flags and variables of `npm start`', () => {
    const [command = ''] = values('ExecStart')
    expect(command.match(/--\S+/g)).toEqual(pkg.scripts.start.match(/--\S+/g))
    expect(command).toMatch(/ src\/server\.ts$/)
    const given = values('Environment').join(' ').split(' ')
    for (const variable of pkg.scripts.start.match(/MALLOC_\S+/g) ?? []) {
      expect(given).toContain(variable)
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
    expect(Number(values('TimeoutStopSec')[0])).toBeGreaterThan(
      Number(VARIABLES.SHUTDOWN_GRACE_SECONDS.default),
    )
  })
})

describe('the Helm chart', () => {
  const values = { ...chartValues(), secrets: SECRETS }
  const manifests = renderChart(values)
  const ofKind = (kind: string, from = manifests): Manifest =>
    from.find((manifest) => manifest.kind === kind)
  const deployment = ofKind('Deployment')
  const pod = deployment.spec.template.spec
  const [container] = pod.containers

  test('makes one of each kind', () => {
    expect(manifests.map(({ kind }) => kind).toSorted()).toEqual([
      'ConfigMap',
      'Deployment',
      'Ingress',
      'PodDisruptionBudget',
      'Secret',
      'Service',
    ])
    for (const { apiVersion, metadata } of manifests) {
      expect([typeof apiVersion, metadata.name]).toEqual(['string', 'market'])
    }
  })

  test('gives variables that the server knows and takes as they are', () => {
    const given = { ...ofKind('ConfigMap').data, ...ofKind('Secret').stringData }
    for (const name of Object.keys(given)) expect(Object.keys(VARIABLES)).toContain(name)
    expect(loadConfig({ HOST: '0.0.0.0', ...given })).toMatchObject({ drainSeconds: 10 })
    const { stringData } = ofKind('Secret')
    expect(stringData).toEqual(SECRETS)
  })

  test('selects the pods that it makes, by their ports and names', () => {
    const { labels } = deployment.spec.template.metadata
    for (const selector of [
      deployment.spec.selector.matchLabels,
      ofKind('Service').spec.selector,
      ofKind('PodDisruptionBudget').spec.selector.matchLabels,
    ]) {
      expect(selector).toEqual(labels)
    }
    expect(container.ports).toEqual([
      { name: 'http', containerPort: Number(VARIABLES.PORT.default) },
    ])
    const [rule] = ofKind('Ingress').spec.rules
    expect(rule.http.paths[0].backend.service).toEqual({ name: 'market', port: { name: 'http' } })
    expect(container.envFrom).toEqual([
      { configMapRef: { name: 'market' } },
      { secretRef: { name: 'market' } },
    ])
  })

  test('lets pods do no more than they need', () => {
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true })
    expect(pod.automountServiceAccountToken).toBe(false)
    // A Service of the name "metrics" would set METRICS_PORT.
    expect(pod.enableServiceLinks).toBe(false)
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
    expect(container.volumeMounts.map((one: Manifest) => one.mountPath)).toEqual(['/data', '/tmp'])
    expect(container.resources.limits.memory).toBe('1Gi')
  })

  test('replaces pods without a gap: never too few, and time to drain', () => {
    expect(deployment.spec.strategy.rollingUpdate).toEqual({ maxUnavailable: 0, maxSurge: 1 })
    expect(deployment.spec.replicas).toBeGreaterThan(1)
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(
      Number(values.config.SHUTDOWN_GRACE_SECONDS),
    )
    const { startupProbe, livenessProbe, readinessProbe } = container
    expect([startupProbe, livenessProbe, readinessProbe].map((one) => one.httpGet.path)).toEqual([
      '/livez',
      '/livez',
      '/readyz',
    ])
    expect(readinessProbe.periodSeconds * readinessProbe.failureThreshold).toBeLessThan(
      Number(values.config.DRAIN_SECONDS),
    )
  })

  test('makes new pods for a change of a variable or a secret', () => {
    const ofPods = (changed: object) =>
      ofKind('Deployment', renderChart({ ...values, ...changed })).spec.template.metadata
    const { annotations } = deployment.spec.template.metadata
    expect(ofPods({}).annotations).toEqual(annotations)
    const config = { ...values.config, LOG_LEVEL: 'debug' }
    expect(ofPods({ config }).annotations).not.toEqual(annotations)
    const secrets = { ...SECRETS, SECRET_KEY: 'another' }
    expect(ofPods({ secrets }).annotations).not.toEqual(annotations)
  })

  test('takes a Secret of yours, another image, and no ingress', () => {
    const other = renderChart({
      ...values,
      existingSecret: 'mine',
      image: { ...values.image, tag: '2.0.0' },
      ingress: { ...values.ingress, enabled: false },
    })
    expect(other.map(({ kind }) => kind)).not.toContain('Secret')
    expect(other.map(({ kind }) => kind)).not.toContain('Ingress')
    const [changed] = ofKind('Deployment', other).spec.template.spec.containers
    expect(changed.image).toBe('app-marketplace:2.0.0')
    expect(changed.envFrom[1]).toEqual({ secretRef: { name: 'mine' } })
    expect(container.image).toBe(`app-marketplace:${pkg.version}`)
  })

  test('refuses a value that is not there', () => {
    expect(() => renderChart({ ...values, service: {} })).toThrow('.Values.service.port')
  })
})

test.skipIf(!hasHaproxy())('HAProxy takes ops/haproxy.cfg', () => {
  const file = fileURLToPath(new URL('ops/haproxy.cfg', ROOT))
  const { status, stderr } = spawnSync('haproxy', ['-c', '-f', file], { encoding: 'utf8' })
  expect(stderr).not.toContain('[ALERT]')
  expect(status).toBe(0)
})
