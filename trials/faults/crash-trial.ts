import { setTimeout as sleep } from 'node:timers/promises'
import { createParty } from '../../src/identity/accounts/parties-service.ts'
import { createUser } from '../../src/identity/accounts/users-service.ts'
import { authorWith, draft, flat, newId } from '../../test/setup/apps.ts'
import { call } from '../../test/setup/client.ts'
import { accountCalls, listedApp } from '../../test/setup/customer.ts'
import { mintedToken } from '../../test/setup/probes.ts'
import { readDemoFile, type ServerProcess } from '../../test/setup/server-process.ts'
import type { Finding, Trial } from './trial.ts'
import { startWebhookMarket, type WebhookMarket } from './webhook-market.ts'

const KILLS = 10
const CLIENTS = 20
const INSTALLS = 2_000
const APPS = 10
const PARTIES = INSTALLS / APPS
/** How many installs are answered between two kills. */
const BETWEEN = INSTALLS / (KILLS + 1)

type Work = { appId: string; partyId: number; n: number }
/** What the server has answered for, by installation. */
type Acknowledged = {
  installs: Map<string, Work>
  /** The highest number that a setting was acknowledged to have. */
  settings: Map<string, number>
  products: Set<string>
}

/** The server is killed ten times while accounts install and configure apps and an app writes. */
export const trial: Trial = {
  title: 'crash',
  async run() {
    const market = await startWebhookMarket([])
    try {
      return [await killed(market)]
    } finally {
      await market.close()
    }
  },
}

async function killed(market: WebhookMarket): Promise<Finding> {
  const { work, token, writer } = await prepared(market)
  const queue = [...work]
  const done: Acknowledged = { installs: new Map(), settings: new Map(), products: new Set() }
  let server = market.server
  const port = Number(new URL(server.url).port)
  const client = async () => {
    for (let one = queue.shift(); one !== undefined; one = queue.shift()) {
      await install(market.server, token, one, done)
      await write(market.server, writer, one, done)
    }
  }
  let isOver = false
  const clients = Promise.all(Array.from({ length: CLIENTS }, client)).finally(() => {
    isOver = true
  })
  clients.catch(() => {})
  for (let kills = 1; kills <= KILLS; kills++) {
    while (done.installs.size < kills * BETWEEN && !isOver) await sleep(10)
    await server.end('SIGKILL')
    server = await market.startServer({}, port)
  }
  await clients
  return found(market, done)
}

/** Ten listed apps, and 200 accounts of one user, who is signed in. */
async function prepared(market: WebhookMarket) {
  const { deps, server } = market
  const demo = readDemoFile(server.dataDir)
  const credentials = demo.developers.find(({ apps }) => apps.includes('catalog-sync'))
  const installation = demo.installations.find(({ appId }) => appId === 'catalog-sync')
  const developer = await mintedToken(server, '/v1/Auth', credentials)
  const author = authorWith(server, developer)
  const appIds: string[] = []
  for (let n = 0; n < APPS; n++) {
    const settings = { free: { count: { type: 'number', name: 'Count', min: 0 } } }
    const { id } = await listedApp(
      author,
      draft(newId(), { purchaseOptions: [flat('free', 0)], settings }),
    )
    appIds.push(id)
  }
  const partyIds: number[] = []
  for (let n = 0; n < PARTIES; n++) {
    partyIds.push((await createParty(deps, { name: `Crash ${newId()}`, type: 'Seller' })).id)
  }
  const user = await createUser(deps, {
    email: 'crash@example.com',
    name: 'Casey',
    partyIds: [],
  })
  await deps.db.membership.createMany({
    data: partyIds.map((partyId) => ({ partyId, userId: user.id })),
  })
  const { email, password } = user
  const token = await mintedToken(server, '/v1/Account/Auth', { email, password })
  const body = { installationId: installation?.id }
  const writer = await mintedToken(server, '/v1/Developer/Token', body, developer)
  const pairs = partyIds.flatMap((partyId) => appIds.map((appId) => ({ partyId, appId })))
  return { work: pairs.map((pair, n) => ({ ...pair, n })), token, writer }
}

/** Until it is answered: what a broken connection left is asked for again. */
async function answered<T extends { status: number }>(request: () => Promise<T>): Promise<T> {
  for (;;) {
    const answer = await request().catch(() => undefined)
    if (answer !== undefined && answer.status !== 503) return answer
    await sleep(50)
  }
}

async function install(server: ServerProcess, token: string, work: Work, done: Acknowledged) {
  const { appId, partyId, n } = work
  const account = accountCalls(server, token)
  const userSettings = { count: 0 }
  const { status, body, text } = await answered(() =>
    account.install({ appId, partyId, purchaseOptionId: 'free', userSettings }),
  )
  const id: string | undefined = status === 201 ? body.id : body.installationId
  if (id === undefined) throw new Error(`an install answered ${status}: ${text}`)
  done.installs.set(id, work)
  for (let count = 1; count <= (n % 3) + 1; count++) {
    const changed = await answered(() => account.patch(id, { count }))
    if (changed.status !== 200)
      throw new Error(`a change answered ${changed.status}: ${changed.text}`)
    done.settings.set(id, count)
  }
}

async function write(
  server: ServerProcess,
  token: string,
  { n }: Work,
  { products }: Acknowledged,
) {
  const partNumber = `crash-${n}`
  const body = { brand: 'Trial', partNumber, inStock: n }
  const { status, text } = await answered(() =>
    call(server, 'POST', '/v1/Products', { token, body }),
  )
  if (status !== 200 && status !== 201) throw new Error(`a product answered ${status}: ${text}`)
  products.add(partNumber)
}

type Stored = { id: string; count: number; audits: number; events: number; last: number }

/** Compares what was acknowledged with what is in the database. */
async function found({ deps }: WebhookMarket, done: Acknowledged): Promise<Finding> {
  const { rows } = await deps.pool.query<Stored>(
    `SELECT i.id, (s.value #>> '{}')::int AS count,
       (SELECT count(*)::int FROM audit_events a
        WHERE a.subject_kind = 'installation' AND a.subject_id = i.id::text) AS audits,
       (SELECT count(*)::int FROM events e WHERE e.installation_id = i.id) AS events,
       (SELECT max(e.sequence)::int FROM events e WHERE e.installation_id = i.id) AS last
     FROM installations i
     JOIN parties p ON p.id = i.party_id AND p.name LIKE 'Crash %'
     LEFT JOIN setting_values s ON s.installation_id = i.id AND s.key = 'count'`,
  )
  const stored = new Map(rows.map((row) => [row.id, row]))
  const products = await deps.pool.query<{ partNumber: string }>(
    `SELECT part_number AS "partNumber" FROM products WHERE part_number LIKE 'crash-%'`,
  )
  const known = products.rows.map(({ partNumber }) => partNumber)
  const missing =
    [...done.installs.keys()].filter((id) => !stored.has(id)).length +
    [...done.settings].filter(([id, count]) => stored.get(id)?.count !== count).length +
    [...done.products].filter((partNumber) => !known.includes(partNumber)).length
  const doubled = rows.length - done.installs.size + (known.length - new Set(known).size)
  // An entry of the audit trail and an event for the install and for each change, none twice.
  const half = rows.filter(
    ({ count, audits, events, last }) => audits !== events || events !== last || events < count + 1,
  ).length
  return {
    what: `kill -9 ${KILLS} times under ${done.installs.size} installs, ${[...done.settings.values()].reduce((sum, count) => sum + count, 0)} changes of settings and ${done.products.size} products by ${CLIENTS} clients`,
    seen: `${missing} acknowledged and missing, ${doubled} doubled, ${half} half-written`,
    target: '0 of each',
    held: missing === 0 && doubled === 0 && half === 0 && done.installs.size === INSTALLS,
  }
}
