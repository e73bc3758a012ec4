import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** A former release, taken out of the repository's history. */
export type FormerRelease = { commit: string; server: string; remove(): Promise<void> }

/**
 * Takes a release out of git, with the packages of this one.
 *
 * @param ref a commit or tag; unless given, the last one without the newest migration
 */
export async function takeFormerRelease(ref?: string): Promise<FormerRelease> {
  const commit = git('rev-parse', '--short', ref ?? `${commitOfNewestMigration()}^`)
  const directory = await mkdtemp(join(tmpdir(), 'former-release-'))
  const archive = join(directory, 'release.tar')
  git('archive', `--output=${archive}`, commit)
  execFileSync('tar', ['-xf', archive, '-C', directory])
  await rm(archive)
  await symlink(join(ROOT, 'node_modules'), join(directory, 'node_modules'))
  for (const program of ['node_modules/prisma/build/index.js', 'scripts/reference-script.ts']) {
    const words = program.includes('prisma') ? [program, 'generate'] : [program]
    execFileSync(process.execPath, words, { cwd: directory, stdio: 'ignore' })
  }
  return {
    commit,
    server: join(directory, 'src/server.ts'),
    remove: () => rm(directory, { recursive: true, force: true }),
  }
}

function commitOfNewestMigration(): string {
  return git(
    'log',
    '-1',
    '--first-parent',
    '-m',
    '--diff-filter=A',
    '--format=%H',
    '--',
    'prisma/migrations',
  )
}

function git(...words: string[]): string {
  return execFileSync('git', words, { cwd: ROOT, encoding: 'utf8' }).trim()
}
