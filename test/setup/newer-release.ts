import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
/** What a server reads of the repository. */
const PARTS = ['package.json', 'src', 'prisma', 'docs', 'demo']

const MIGRATION = '29990101000000_of_the_next_release'

/** A copy of this release with one migration more. */
export type NewerRelease = {
  server: string
  migration: string
  /** Gives its migration another text: the rest stays as it is, compiled. */
  migrateWith(sql: string): Promise<void>
  remove(): Promise<void>
}

/** Copies this release; its migration has no statements yet. */
export async function makeNewerRelease(): Promise<NewerRelease> {
  const directory = await mkdtemp(join(tmpdir(), 'newer-release-'))
  for (const part of PARTS) await cp(join(ROOT, part), join(directory, part), { recursive: true })
  await symlink(join(ROOT, 'node_modules'), join(directory, 'node_modules'))
  const place = join(directory, 'prisma/migrations', MIGRATION)
  await mkdir(place)
  return {
    server: join(directory, 'src/server.ts'),
    migration: MIGRATION,
    migrateWith: (sql) => writeFile(join(place, 'migration.sql'), sql),
    remove: () => rm(directory, { recursive: true, force: true }),
  }
}
