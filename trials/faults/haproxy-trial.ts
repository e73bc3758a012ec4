import { query } from '../../test/setup/backups.ts'
import { probe } from '../../test/setup/probes.ts'
import {
  type ProxiedServers,
  replacedUnderLoad,
  signedInAtProxy,
  withProxiedServers,
} from './proxied-servers.ts'
import type { Finding, Trial } from './trial.ts'

const SERVERS = 3
const TOKENS = 50
const WRONG_PASSWORDS = 15
/** Of one client id and address, a minute. */
const WRONG_ALLOWED = 10

/** Three servers on one Postgres, behind HAProxy. */
export const trial: Trial = {
  title: 'haproxy',
  run: () =>
    withProxiedServers({ count: SERVERS }, async (target) => [
      await firstStart(target.databaseUrl),
      await revocations(target),
      await wrongPasswords(target),
      await replacedUnderLoad(target, 'by the same release'),
    ]),
}

async function firstStart(url: string): Promise<Finding> {
  const [applied] = await query<{ rows: number; names: number; developers: number }>(
    url,
    `SELECT count(*)::int AS rows, count(DISTINCT migration_name)::int AS names,
       (SELECT count(*)::int FROM developers) AS developers FROM _prisma_migrations`,
  )
  const { rows = 0, names = 0, developers = 0 } = applied ?? {}
  return {
    what: `${SERVERS} servers start at once on an empty database`,
    seen: `${rows} migrations applied, ${names} different; ${developers} developers of the demo`,
    target: 'each migration once, one demo of 2 developers',
    held: rows === names && rows > 0 && developers === 2,
  }
}

/** Revoked through the proxy, asked for at every server at once. */
async function revocations(target: ProxiedServers): Promise<Finding> {
  const { developer, mint } = await signedInAtProxy(target)
  let before = 0
  let after = 0
  for (let n = 0; n < TOKENS; n++) {
    const token = await mint()
    const statuses = () =>
      Promise.all(
        target.servers.map(
          async (server) => (await probe(server, { path: '/v1/User/Profile', token })).status,
        ),
      )
    before += (await statuses()).filter((status) => status === 200).length
    await probe(target.proxy, {
      path: '/v1/Developer/Token/Revoke',
      token: developer,
      body: { token },
    })
    after += (await statuses()).filter((status) => status !== 401).length
  }
  return {
    what: `${TOKENS} tokens revoked through HAProxy, then shown to each server`,
    seen: `${before} accepted before, ${after} afterwards`,
    target: `${TOKENS * SERVERS} before, none afterwards`,
    held: before === TOKENS * SERVERS && after === 0,
  }
}

async function wrongPasswords({ proxy, demo }: ProxiedServers): Promise<Finding> {
  const body = { clientId: demo.developers[0]?.clientId, password: 'not the password' }
  const statuses: number[] = []
  for (let n = 0; n < WRONG_PASSWORDS; n++) {
    statuses.push((await probe(proxy, { path: '/v1/Auth', body })).status)
  }
  const refused = statuses.filter((status) => status === 401).length
  const limited = statuses.filter((status) => status === 429).length
  return {
    what: `${WRONG_PASSWORDS} wrong passwords through HAProxy`,
    seen: `${refused} times 401, ${limited} times 429`,
    target: `${WRONG_ALLOWED} times 401, then 429`,
    held: refused === WRONG_ALLOWED && limited === WRONG_PASSWORDS - WRONG_ALLOWED,
  }
}
