import { query } from '../setup/backups.ts'
import { takeFormerRelease } from '../setup/former-release.ts'
import { type ProxiedServers, replacedUnderLoad, withProxiedServers } from './proxied-servers.ts'
import type { Finding, Trial } from './trial.ts'

const SERVERS = 2

/** The former release of the repository (`FORMER_RELEASE`) to this one, and back, under load. */
export const trial: Trial = {
  title: 'upgrade',
  async run() {
    const former = await takeFormerRelease(process.env.FORMER_RELEASE)
    try {
      return await withProxiedServers(
        { count: SERVERS, program: former.server },
        async (target) => {
          const before = await migrationsOf(target)
          const there = await replacedUnderLoad(target, `by this release, from ${former.commit}`)
          const after = await migrationsOf(target)
          const back = await replacedUnderLoad(target, `by ${former.commit} again`, former.server)
          return [there, migrated(before, after), back]
        },
      )
    } finally {
      await former.remove()
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
    what: 'migrations of this release, on the database of the former one',
    seen: `${before} before, ${after} afterwards`,
    target: 'more than before: else this was no upgrade of the schema',
    held: after > before,
  }
}
