import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../setup/app.ts'
import { author, newId } from '../setup/apps.ts'
import { type Answer, call, untilTaken } from '../setup/client.ts'
import { acceptAll, fullDraft, GOOD_SETTINGS, listedApp, newCustomer } from '../setup/customer.ts'
import { serverProcesses } from '../setup/server-process.ts'

const INSTALLS = 200
const APPS = 10
const PARTIES = INSTALLS / APPS
/** More than the server has connections, and few enough that none waits for one in vain. */
const IN_FLIGHT = 32

let market: TestMarketplace
const servers = serverProcesses()
beforeAll(async () => {
  market = await startMarketplace()
})
afterAll(async () => {
  await servers.cleanUp()
  await market.close()
})

type Counts = Record<'settings' | 'secrets' | 'acceptances' | 'audits', number>

describe('kill -9 in the middle of 200 installs', () => {
  test('loses no acknowledged install and leaves no partial one', async () => {
    const developer = await author(market)
    const requests: { appId: string; consent: object }[] = []
    for (let index = 0; index < APPS; index += 1) {
      const acknowledgements = [{ id: 'ack', title: 'Title', text: 'Text', order: 1 }]
      const app = await listedApp(developer, fullDraft({ acknowledgements }))
      await developer.putTerms(app.id, '# Terms')
      requests.push({ appId: app.id, consent: await acceptAll(market, app.id) })
    }
    const customer = await newCustomer(market)
    const partyIds: number[] = []
    for (let index = 0; index < PARTIES; index += 1) {
      const party = await market.deps.db.party.create({ data: { name: newId(), type: 'Seller' } })
      await market.deps.db.membership.create({
        data: { userId: customer.user.id, partyId: party.id },
      })
      partyIds.push(party.id)
    }

    const work = partyIds.flatMap((partyId) => requests.map((request) => ({ partyId, ...request })))
    expect(work).toHaveLength(INSTALLS)
    const install = (url: string, { appId, partyId, consent }: (typeof work)[number]) =>
      call({ url }, 'POST', '/v1/Account/Installations', {
        token: customer.token,
        body: {
          ...{ appId, partyId, purchaseOptionId: 'full', ...consent },
          userSettings: { ...GOOD_SETTINGS, amount: 0.5, pin: '1234' },
        },
      })

    const server = await startServer()
    const acknowledged: string[] = []
    let lost = 0
    await inParallel(work, async (request) => {
      try {
        const { status, body } = await install(server.url, request)
        if (status === 201) acknowledged.push(body.id)
      } catch {
        lost += 1
      }
      if (acknowledged.length === INSTALLS / 4) server.child.kill('SIGKILL')
    })
    expect(await server.exited).toEqual({ code: null, signal: 'SIGKILL' })
    expect(acknowledged.length).toBeGreaterThanOrEqual(INSTALLS / 4)
    expect(lost).toBeGreaterThan(0)
    const after = await expectWhole(partyIds)
    expect(acknowledged.filter((id) => !after.includes(id))).toEqual([])

    // The next server goes on: each install is there already or is made now.
    const { url } = await startServer()
    const again: Answer[] = []
    await inParallel(work, async (request) => {
      // What had to wait too long for its turn is asked for again; it may have been made.
      again.push(await untilTaken(() => install(url, request)))
    })
    const ids = again.map(({ status, body }) => {
      expect([201, 409]).toContain(status)
      return status === 201 ? body.id : body.installationId
    })
    expect(after.filter((id) => !ids.includes(id))).toEqual([])
    expect(ids.toSorted()).toEqual((await expectWhole(partyIds)).toSorted())
    expect(new Set(ids).size).toBe(INSTALLS)
  }, 900_000)
})

/** Works through a list, many at a time. */
async function inParallel<T>(list: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const queue = [...list]
  const worker = async () => {
    for (let one = queue.shift(); one !== undefined; one = queue.shift()) await work(one)
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker))
}

/** Another process on the same database, which takes the same tokens. */
async function startServer() {
  const server = await servers.start({
    env: {
      DATABASE_URL: market.databaseUrl,
      SECRET_KEY: market.deps.secretKey,
      PUBLIC_URL: market.url,
      DEMO: 'false',
      RATE_LIMIT_PER_MINUTE: '0',
    },
  })
  await server.ready()
  return server
}

/** Every installation of the parties is complete; answers their ids. */
async function expectWhole(partyIds: number[]): Promise<string[]> {
  const rows = await installationsOf(partyIds)
  const whole: Counts = { settings: 5, secrets: 2, acceptances: 2, audits: 1 }
  for (const { counts } of rows) expect(counts).toEqual(whole)
  return rows.map(({ id }) => id)
}

async function installationsOf(partyIds: number[]): Promise<{ id: string; counts: Counts }[]> {
  const client = new pg.Client({ connectionString: market.databaseUrl })
  await client.connect()
  try {
    const { rows } = await client.query(
      `SELECT i.id,
         (SELECT count(*)::int FROM setting_values s WHERE s.installation_id = i.id) AS settings,
         (SELECT count(*)::int FROM setting_values s
          WHERE s.installation_id = i.id AND s.secret IS NOT NULL) AS secrets,
         (SELECT count(*)::int FROM acceptances a WHERE a.installation_id = i.id
            AND a.kind <> 'permission') AS acceptances,
         (SELECT count(*)::int FROM audit_events e
          WHERE e.subject_kind = 'installation' AND e.subject_id = i.id::text
            AND e.action = 'installation.created') AS audits
       FROM installations i WHERE i.party_id = ANY($1)`,
      [partyIds],
    )
    return rows.map(({ id, ...counts }) => ({ id, counts }))
  } finally {
    await client.end()
  }
}
