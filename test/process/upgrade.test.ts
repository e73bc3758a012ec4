import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { NO_DIRECTORY, query } from '../setup/backups.ts'
import { runCli } from '../setup/cli.ts'
import { call } from '../setup/client.ts'
import { createDemoDatabase } from '../setup/database.ts'
import { makeNewerRelease, type NewerRelease } from '../setup/newer-release.ts'
import { mintedToken } from '../setup/probes.ts'
import { type ServerProcess, serverProcesses } from '../setup/server-process.ts'

const EXPAND = `
  ALTER TABLE parties ADD COLUMN nickname TEXT;
  CREATE INDEX parties_nickname_idx ON parties (nickname);`
const STREAMS = 4

let newer: NewerRelease
beforeAll(async () => {
  newer = await makeNewerRelease()
})
afterAll(() => newer.remove())

const cleanUps: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
})

/** The demo marketplace on a database of its own, and what starts servers on it. */
async function marketplace() {
  const database = await createDemoDatabase()
  cleanUps.push(database.drop)
  const processes = serverProcesses()
  cleanUps.push(processes.cleanUp)
  const env = {
    DATABASE_URL: database.url,
    SECRET_KEY: database.secretKey,
    PUBLIC_URL: 'http://marketplace.example',
    RATE_LIMIT_PER_MINUTE: '0',
  }
  const start = (program?: string) => processes.start({ env, ...(program && { program }) })
  return { ...database, env, start }
}

/** Reads, writes and mints all the time, each at the server whose turn it is. */
function customers(live: ServerProcess[], tokens: { developer: string; installation: string }) {
  const failures: string[] = []
  let count = 0
  let isOver = false
  const requests = [
    ['GET', '/v1/Products?limit=5', tokens.installation, undefined],
    ['GET', '/v1/Developer/Installations', tokens.developer, undefined],
    ['GET', '/v1/User/Profile', tokens.installation, undefined],
    ['POST', '/v1/Products', tokens.installation, { brand: 'Up', partNumber: '1', inStock: 1 }],
  ] as const
  const stream = async () => {
    while (!isOver) {
      const server = live[count % live.length]
      const [method, path, token, body] = requests[count % requests.length] ?? requests[0]
      count += 1
      if (server === undefined) throw new Error('no server is live')
      const answer = await call(server, method, path, { token, ...(body && { body }) })
      if (answer.status >= 300) failures.push(`${method} ${path}: ${answer.status}`)
    }
  }
  const streams = Array.from({ length: STREAMS }, stream)
  return {
    failures,
    count: () => count,
    async stop() {
      isOver = true
      await Promise.all(streams)
    },
  }
}

test('a rolling upgrade and the way back fail no request', async () => {
  const { start, demo } = await marketplace()
  await newer.migrateWith(EXPAND)
  const former = await start()
  await former.ready()
  const live = [former]
  const credentials = demo.developers.find(({ apps }) => apps.includes('catalog-sync'))
  const installation = demo.installations.find(({ appId }) => appId === 'catalog-sync')
  const developer = await mintedToken(former, '/v1/Auth', credentials)
  const body = { installationId: installation?.id }
  const token = await mintedToken(former, '/v1/Developer/Token', body, developer)
  const load = customers(live, { developer, installation: token })

  const replace = async (old: ServerProcess, program?: string) => {
    const next = await start(program)
    await next.ready()
    live.push(next)
    const before = load.count()
    await expect.poll(() => load.count()).toBeGreaterThan(before + 50)
    live.splice(live.indexOf(old), 1)
    expect(await old.end()).toEqual({ code: 0, signal: null })
    return next
  }
  const upgraded = await replace(former, newer.server)
  const back = await replace(upgraded)
  expect(back.stdout()).toContain('the schema is of a newer release that this one works with')
  await load.stop()
  expect(load.failures).toEqual([])
})

describe('a schema of a newer release', () => {
  const atCommand = async (env: Record<string, string>) =>
    await runCli(NO_DIRECTORY, ['party', 'list'], { env })

  test('that this one can work with is left as it is', async () => {
    const { env, url, start } = await marketplace()
    await newer.migrateWith(EXPAND)
    await (await start(newer.server)).ready()
    const [release] = await query(url, 'SELECT version FROM schema_release')
    expect(release).toEqual({ version: newer.migration })
    expect((await atCommand(env)).code).toBe(0)
    expect(await query(url, 'SELECT nickname FROM parties LIMIT 1')).toHaveLength(1)
  })

  test('that needs a newer release is refused with a sentence and exit code 1', async () => {
    const { env, start } = await marketplace()
    await newer.migrateWith(
      `${EXPAND} UPDATE schema_release SET compatible_from = '29990101000000_of_the_next_release'`,
    )
    await (await start(newer.server)).ready()
    const refused = await start()
    expect(await refused.exited).toEqual({ code: 1, signal: null })
    expect(refused.stderr()).toBe(
      `The database has the migration ${newer.migration}, which this release does not know, and ` +
        `its schema needs a release that has ${newer.migration}. Start the release that made it, ` +
        'or a newer one.\n',
    )
    expect(await atCommand(env)).toMatchObject({ code: 1, stdout: '' })
  })
})

test('a database from before the first release is refused at the start and by commands', async () => {
  const { env, url, start } = await marketplace()
  await query(url, `UPDATE _prisma_migrations SET migration_name = '20261121000000_main_flow'`)
  const stderr =
    'This database was made by a version before 0.1.0, which had no release. Export what you need ' +
    'with that version, and begin with an empty database.\n'
  const refused = await start()
  expect(await refused.exited).toEqual({ code: 1, signal: null })
  expect(refused.stderr()).toBe(stderr)
  for (const words of [['migrate'], ['party', 'list'], ['backup', 'none.backup']]) {
    const answer = await runCli(NO_DIRECTORY, words, { env })
    expect([words, answer]).toMatchObject([words, { code: 1, stdout: '', stderr }])
  }
})
