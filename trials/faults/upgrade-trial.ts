import { query } from '../../test/setup/backups.ts'
import { makeNewerRelease } from '../../test/setup/newer-release.ts'
import { type ProxiedServers, replacedUnderLoad, withProxiedServers } from './proxied-servers.ts'
import type { Finding, Trial } from './trial.ts'

const SERVERS = 2

/** This release to the next one, which is this one with a migration more, and back, under load. */
export const trial: Trial = {
  title: 'upgrade',
  async run() {
    const next = await makeNewerRelease()
    try {
      await next.migrateWith(`
        ALTER TABLE parties ADD COLUMN nickname TEXT;
        CREATE INDEX parties_nickname_idx ON parties (nickname);`)
      return await withProxiedServers({ count: SERVERS }, async (target) => {
        const before = await migrationsOf(target)
        const there = await replacedUnderLoad(target, 'by the next release', next.server)
        const after = await migrationsOf(target)
        const back = await replacedUnderLoad(target, 'by this release again')
        return [there, migrated(before, after), back]
      })
    } finally {
      await next.remove()
    }
  },
}

async function migrationsOf({ databaseUrl }: ProxiedServers): Promise<number> {
  const sql = 'SELECT count(*)::int AS count FROM _prisma_migrations'
  const [row] = await query<{ count: number }>(databaseUrl, sql)
  return row?.count ?? 0
}

function migrated(before: number, after: number): Finding {
  return {
    what: 'migrations of the next release, on the database of this one',
    seen: `${before} before, ${after} afterwards`,
    target: 'more than before: else this was no upgrade of the schema',
    held: after > before,
  }
}
