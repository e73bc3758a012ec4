import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'

type Package = {
  version?: string
  resolved?: string
  integrity?: string
  hasInstallScript?: boolean
  link?: boolean
  dev?: boolean
  optional?: boolean
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
  workspaces?: string[]
}

type Workflow = {
  permissions: Record<string, string>
  jobs: Record<string, { uses?: string; steps?: { uses?: string; run?: string }[] }>
}

const read = (file: string) =>
  JSON.parse(readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8'))
const manifest: Required<Package> & { allowScripts: Record<string, boolean>; overrides?: object } =
  read('package.json')
const lock: { lockfileVersion: number; packages: Record<string, Package> } =
  read('package-lock.json')

/** Folders of this repository that are packages. */
const own = ['', ...manifest.workspaces]
const manifests: Package[] = own.map((folder) => read(join(folder, 'package.json')))
const installed = Object.entries(lock.packages).filter(
  ([path, { link = false, resolved = '' }]) =>
    !own.includes(path) && !(link && own.includes(resolved)),
)
const nameOf = (path: string) => path.slice(path.lastIndexOf('node_modules/') + 13)

describe('the dependencies', () => {
  test('are named by exact versions', () => {
    const named = manifests.flatMap(({ dependencies = {}, devDependencies = {} }) => [
      ...Object.entries(dependencies),
      ...Object.entries(devDependencies),
    ])
    expect(named.length).toBeGreaterThan(60)
    expect(named.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([])
  })

  test('are those of the lock file', () => {
    const root = lock.packages[''] as Package
    expect(root.dependencies).toEqual(manifest.dependencies)
    expect(root.devDependencies).toEqual(manifest.devDependencies)
    const named = { ...manifest.dependencies, ...manifest.devDependencies }
    const locked = Object.keys(named).map((name) => [
      name,
      lock.packages[`node_modules/${name}`]?.version,
    ])
    expect(Object.fromEntries(locked)).toEqual(named)
  })

  test('come from the npm registry, not from an address or a directory', () => {
    const foreign = installed.filter(
      ([, { resolved = 'https://registry.npmjs.org/', link = false }]) =>
        link || !resolved.startsWith('https://registry.npmjs.org/'),
    )
    expect(foreign.map(([path]) => path)).toEqual([])
  })

  // npm leaves the hash out of binaries for platforms other than that of who wrote the lock file.
  test('are locked by the hash of their contents, all that a server runs', () => {
    const unlocked = installed.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'))
    const serving = unlocked.filter(([, { dev = false, optional = false }]) => !(dev && optional))
    expect(serving.map(([path]) => path)).toEqual([])
  })

  test('run at install what `allowScripts` decided on, one by one', () => {
    const scripted = installed.filter(([, { hasInstallScript }]) => hasInstallScript)
    const names = new Set(scripted.map(([path]) => nameOf(path)))
    expect(Object.keys(manifest.allowScripts).sort()).toEqual([...names].sort())
    for (const allowed of Object.values(manifest.allowScripts))
      expect(allowed).toBeTypeOf('boolean')
  })
})

describe('install scripts that nobody decided on', () => {
  const text = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')

  test('are refused by npm, also when the image is built', () => {
    expect(text('.npmrc').split('\n')).toContain('strict-allow-scripts=true')
    const [build = ''] = text('Dockerfile').split('RUN npm ci')
    expect(build).toMatch(/^COPY .*\.npmrc .*package-lock\.json/m)
    expect(text('.dockerignore').split('\n')).not.toContain('.npmrc')
  })
})

describe('the workflows of CI', () => {
  const directory = new URL('../../.github/workflows/', import.meta.url)
  const workflows: Workflow[] = readdirSync(directory).map((file) =>
    parse(readFileSync(new URL(file, directory), 'utf8')),
  )
  const jobs = workflows.flatMap(({ jobs }) => Object.values(jobs))
  const steps = jobs.flatMap(({ steps = [] }) => steps)

  test('run the actions of others at one commit', () => {
    const used = steps.flatMap(({ uses }) => uses ?? [])
    expect(used.length).toBeGreaterThan(5)
    expect(used.filter((action) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/.test(action))).toEqual([])
  })

  test('may write no more than a job needs', () => {
    for (const { permissions } of workflows) expect(permissions).toEqual({ contents: 'read' })
  })

  test('run what this repository has', () => {
    expect(steps.map(({ run }) => run)).toContain('.ci/run')
    const called = jobs.flatMap(({ uses }) => uses ?? [])
    expect(called).toEqual(['./.github/workflows/check.yml'])
  })
})

test('a release has one version: all packages and the chart', () => {
  const chart = parse(
    readFileSync(new URL('../../ops/helm/app-marketplace/Chart.yaml', import.meta.url), 'utf8'),
  )
  const versions = [...manifests.map(({ version }) => version), chart.version, chart.appVersion]
  expect(versions.length).toBe(own.length + 2)
  expect(new Set(versions)).toEqual(new Set([manifest.version]))
})

describe('the papers about security', () => {
  const text = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')
  const model = text('docs/threat-model.md')
  const headingsOf = (paper: string) =>
    [...paper.matchAll(/^##+ (.+)$/gm)].map(([, heading]) => heading)

  test('say how to report, what is supported, and what is not defended', () => {
    expect(headingsOf(text('SECURITY.md'))).toEqual(
      expect.arrayContaining([
        'Reporting a vulnerability',
        'Supported versions',
        'Updates',
        'Dependencies',
      ]),
    )
    expect(headingsOf(model)).toEqual(
      expect.arrayContaining([
        'Assets',
        'Actors and trust boundaries',
        'What is defended',
        'What is not defended',
      ]),
    )
  })

  test('name only tests that exist', () => {
    const named = [...model.matchAll(/\btest\/[\w/-]+\.test\.ts/g)].map(([file]) => file)
    const missing = named.filter((file) => !existsSync(new URL(`../../${file}`, import.meta.url)))
    expect(missing).toEqual([])
    expect(named.length).toBeGreaterThan(10)
  })
})
