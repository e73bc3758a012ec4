import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
/** What a server reads of the repository. */
const PARTS = ['package.json', 'src', 'prisma', 'docs', 'demo']

/** A copy of this release with one migration more. */
export type NewerRelease = { server: string; migration: string; remove(): Promise<void> }

/** @param sql of the migration */
export async function makeNewerRelease(sql: string): Promise<NewerRelease> {
  const directory = await mkdtemp(join(tmpdir(), 'newer-release-'))
  for (const part of PARTS) await cp(join(ROOT, part), join(directory, part), { recursive: true })
  await symlink(join(ROOT, 'node_modules'), join(directory, 'node_modules'))
  const migration = '29990101000000_of_the_next_release'
  const place = join(directory, 'prisma/migrations', migration)
  await mkdir(place)
  await writeFile(join(place, 'migration.sql'), sql)
  return {
    server: join(directory, 'src/server.ts'),
    migration,
    remove: () => rm(directory, { recursive: true, force: true }),
  }
}
