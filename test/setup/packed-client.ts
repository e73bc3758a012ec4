import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const ROOT = fileURLToPath(new URL('../../', import.meta.url))
/** What the package depends on, and what that depends on. */
const DEPENDENCIES = ['standardwebhooks', '@stablelib/base64', 'fast-sha256']

/** A folder with nothing but the client package, as npm packs and installs it. */
export type PackedClient = { directory: string; files: string[]; remove(): Promise<void> }

/** Packs the client and installs it in an empty folder, without any network. */
export async function packedClient(): Promise<PackedClient> {
  const directory = await mkdtemp(join(tmpdir(), 'packed-client-'))
  const packed = await run(
    'npm',
    ['pack', '--json', '--workspace', 'client', '--pack-destination', directory],
    { cwd: ROOT },
  )
  // Before it npm prints what the build prints.
  const [{ files }] = JSON.parse(packed.stdout.slice(packed.stdout.indexOf('[')))
  const [tarball = ''] = (await readdir(directory)).filter((name) => name.endsWith('.tgz'))
  const local = DEPENDENCIES.map((name) => [name, `file:${join(ROOT, 'node_modules', name)}`])
  const dependencies = {
    '@app-marketplace/client': `file:${tarball}`,
    ...Object.fromEntries(local),
  }
  const manifest = { name: 'empty', version: '1.0.0', private: true, type: 'module', dependencies }
  await writeFile(join(directory, 'package.json'), JSON.stringify(manifest))
  const options = ['--offline', '--install-links', '--ignore-scripts', '--no-audit', '--no-fund']
  await run('npm', ['install', ...options], { cwd: directory })
  return {
    directory,
    files: files.map(({ path }: { path: string }) => path),
    remove: () => rm(directory, { recursive: true, force: true }),
  }
}
