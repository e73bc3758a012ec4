import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import pkg from '../../package.json' with { type: 'json' }
import { loadConfig, VARIABLES } from '../../src/config.ts'
import {
  chartSchema,
  chartValues,
  type Manifest,
  renderChart,
  renderNotes,
} from '../setup/chart.ts'

const ROOT = new URL('../../', import.meta.url)
const read = (file: string) => readFileSync(new URL(file, ROOT), 'utf8')
const SECRETS = {
  DATABASE_URL: 'postgresql://marketplace:secret@db.example/marketplace',
  SECRET_KEY: Buffer.from('a key of exactly thirty-two byte').toString('base64'),
}

describe('the Helm chart', () => {
  const values = { ...chartValues(), secrets: SECRETS }
  const manifests = renderChart(values)
  const on = (name: string) => ({ [name]: { ...values[name], enabled: true } })
  const everything = { ...values, ...on('serviceMonitor'), ...on('networkPolicy'), ...on('backup') }
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
    const all = renderChart(everything)
    expect(all.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['CronJob', 'NetworkPolicy', 'ServiceMonitor']),
    )
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
      { name: 'metrics', containerPort: 9464 },
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

  test('refuses a value that is not there, and to install without secrets', () => {
    expect(() => renderChart({ ...values, service: {} })).toThrow('.Values.service.port')
    expect(() => renderChart(chartValues())).toThrow('Give existingSecret the name of a Secret')
  })

  test('is scraped at the metrics port of each pod, under the job that the alerts know', () => {
    expect(container.env).toEqual([{ name: 'METRICS_PORT', value: '9464' }])
    expect(ofKind('Service').spec.ports).toContainEqual({
      name: 'metrics',
      port: 9464,
      targetPort: 'metrics',
    })
    const { spec } = ofKind('ServiceMonitor', renderChart(everything))
    const { labels } = ofKind('Service').metadata
    expect(spec.selector.matchLabels).toEqual(labels)
    expect(spec.endpoints).toEqual([{ port: 'metrics', interval: '15s' }])
    expect(labels[spec.jobLabel]).toBe('app-marketplace')
    expect(read('ops/alerts.yaml')).toContain(`up{job="${labels[spec.jobLabel]}"}`)
  })

  test('takes variables, files, places and secrets of a registry of yours', () => {
    const given = {
      extraEnv: [{ name: 'NODE_EXTRA_CA_CERTS', value: '/ca/ca.pem' }],
      extraVolumes: [{ name: 'ca', configMap: { name: 'database-ca' } }],
      extraVolumeMounts: [{ name: 'ca', mountPath: '/ca', readOnly: true }],
      imagePullSecrets: [{ name: 'registry' }],
      podAnnotations: { 'example.com/team': 'market' },
      nodeSelector: { disk: 'ssd' },
      tolerations: [{ key: 'shared', operator: 'Exists' }],
      affinity: { nodeAffinity: {} },
      priorityClassName: 'high',
      serviceAccountName: 'market',
    }
    const rendered = renderChart({ ...everything, ...given })
    const { metadata, spec } = ofKind('Deployment', rendered).spec.template
    const job = ofKind('CronJob', rendered).spec.jobTemplate.spec.template.spec
    expect(metadata.annotations).toMatchObject(given.podAnnotations)
    const { imagePullSecrets, nodeSelector, tolerations, affinity, priorityClassName } = given
    expect(spec).toMatchObject({ imagePullSecrets, nodeSelector, tolerations, affinity })
    expect(spec).toMatchObject({ priorityClassName, serviceAccountName: 'market' })
    for (const one of [spec, job]) {
      expect(one.volumes).toEqual(expect.arrayContaining(given.extraVolumes))
      expect(one.containers[0].env).toEqual(expect.arrayContaining(given.extraEnv))
      expect(one.containers[0].volumeMounts).toEqual(
        expect.arrayContaining(given.extraVolumeMounts),
      )
    }
  })

  test('backs up as little privileged as it serves, into a volume that stays', () => {
    const job = ofKind('CronJob', renderChart(everything)).spec.jobTemplate.spec.template.spec
    expect(job.securityContext).toEqual(pod.securityContext)
    expect(job.containers[0].securityContext).toEqual(container.securityContext)
    expect(job.containers[0].command).toEqual(['sh', 'ops/backup.sh', '/backups'])
    expect(read('Dockerfile')).toContain('COPY ops/backup.sh ./ops/')
    expect(job.volumes).toContainEqual({
      name: 'backups',
      persistentVolumeClaim: { claimName: 'marketplace-backups' },
    })
  })

  test('lets only named peers reach the pods where a NetworkPolicy is asked for', () => {
    const { spec } = ofKind('NetworkPolicy', renderChart(everything))
    expect(spec.podSelector.matchLabels).toEqual(deployment.spec.selector.matchLabels)
    expect(spec.ingress.map(({ ports }: Manifest) => ports[0].port)).toEqual(['http', 'metrics'])
    for (const { from } of spec.ingress) expect(from).toHaveLength(1)
  })

  test('believes no address of a client unless it is told whom to trust', () => {
    expect(values.config.TRUST_PROXY).toBe('')
    expect(renderNotes(values)).toContain('config.TRUST_PROXY is empty')
    const told = { ...values, config: { ...values.config, TRUST_PROXY: '10.1.2.0/28' } }
    expect(renderNotes(told)).not.toContain('TRUST_PROXY')
    expect(renderNotes(told)).toContain('operator invite you@example.com')
  })

  test('has a schema that knows each of its values, and keeps ports and secrets out of `config`', () => {
    const { properties } = chartSchema()
    expect(Object.keys(properties).toSorted()).toEqual(Object.keys(chartValues()).toSorted())
    const refused: string[] = properties.config.propertyNames.not.enum
    expect(refused).toEqual(expect.arrayContaining(['PORT', 'HOST', 'METRICS_PORT', 'SECRET_KEY']))
    for (const name of refused) expect(Object.keys(VARIABLES)).toContain(name)
  })
})
