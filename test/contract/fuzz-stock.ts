import { randomUUID } from 'node:crypto'
import { createDeveloper } from '../../src/identity/accounts/developers-service.ts'
import { createParty } from '../../src/identity/accounts/parties-service.ts'
import { createUser } from '../../src/identity/accounts/users-service.ts'
import { addSampleProducts } from '../../src/marketplace/products/sample-service.ts'
import type { TestMarketplace } from '../setup/app.ts'
import { author, draft, flat, installedBy, newId } from '../setup/apps.ts'
import { call } from '../setup/client.ts'
import { EVERY_SETTING, GOOD_SETTINGS } from '../setup/customer.ts'
import { PDF } from './access-cast.ts'
import { CONSUMER_POSITIONS, makeConsumers } from './fuzz-events.ts'
import { factorPools } from './fuzz-factor.ts'
import { installRequestPools } from './fuzz-install-requests.ts'
import { Mutated, mutated } from './fuzz-mutations.ts'
import { oauthPools } from './fuzz-oauth.ts'
import { ownPools } from './fuzz-own.ts'
import { peoplePools } from './fuzz-people.ts'
import { picturePools } from './fuzz-pictures.ts'
import { poolQueries } from './fuzz-pools.ts'
import { resumeAll } from './fuzz-resume.ts'
import { termsPools } from './fuzz-terms.ts'
import { tokenPools } from './fuzz-tokens.ts'
import { definitionOf, PRODUCT_POOLS, Raw, Ref } from './fuzz-values.ts'
import { webhookPools } from './fuzz-webhooks.ts'

/** What the requests refer to: ids, tokens and texts that the marketplace knows just now. */
export type Stock = {
  resolve(value: unknown): unknown
  /** Remembers what answers hand out. */
  keep(pool: 'cursors' | 'etags', value: string): void
  /** Undoes suspensions, adds what was used up, and makes new tokens. */
  refill(): Promise<void>
}

const FEW_BRANDS = new Set(['Wahl', 'Dyson'])
const PARTIES = 12
const APPS = 6
const LIVE_MIN = 40
const NEW_APPS = 5
const KEPT_MAX = 200

/** Fills a marketplace with what a fuzzer needs, beside the demo. */
export async function createStock(market: TestMarketplace): Promise<Stock> {
  const { deps, demo } = market
  const pools = new Map<string, unknown[]>([
    ['cursors', []],
    ['etags', []],
  ])
  const operator = await createUser(deps, {
    email: 'fuzz@marketplace.example',
    name: 'Fuzz',
    operator: true,
  })
  await createDeveloper(deps, { name: 'Another developer' })
  // Requests for events are answered at once, however long they offer to wait.
  deps.eventWaits.end()
  const developer = await author(market)
  const { developerId } = await deps.db.developerCredential.findUniqueOrThrow({
    where: { clientId: String(demo.developers[0]?.clientId) },
  })
  const clientIds = demo.developers.map(({ clientId }) => `'${clientId}'`).join()
  for (let count = 0; count < PARTIES; count++) {
    const type = count % 3 === 0 ? 'Buyer' : 'Seller'
    const { id } = await createParty(deps, { name: `Party ${count}`, type })
    await addSampleProducts(deps.db, id, FEW_BRANDS)
  }
  for (let count = 0; count < APPS; count++) await publish()

  async function publish() {
    const definition = draft(newId(), {
      partyTypes: ['Buyer', 'Seller'],
      permissions: [
        { id: 'products:read', purpose: 'Reads.' },
        { id: 'products:write', purpose: 'Writes.' },
        { id: 'profile:read', purpose: 'Greets.' },
        { id: 'settings:read', purpose: 'Reads.' },
      ],
      purchaseOptions: [flat('free', 0), flat('full', 5)],
      settings: { full: EVERY_SETTING },
    })
    await developer.create(definition)
    await developer.list(definition.id)
    await developer.put({ ...definition, version: '2.0.0', description: 'Newer.' })
  }

  /** Two pools whose n-th entries belong together. */
  const together = async (one: string, other: string, sql: string) => {
    const { rows: pairs } = await deps.pool.query({ text: `${sql} LIMIT 20`, rowMode: 'array' })
    const [left, right] = [0, 1].map((side) => pairs.map((pair) => pair[side]))
    pools.set(one, left ?? [])
    pools.set(other, right ?? [])
  }

  const rows = async (sql: string): Promise<unknown[]> =>
    (await deps.pool.query({ text: sql, rowMode: 'array' })).rows.map(([value]) => value)

  async function refill() {
    await resumeAll(deps.pool)
    await deps.pool.query(
      `INSERT INTO memberships (user_id, party_id) SELECT $1, id FROM parties WHERE closed_at IS NULL ON CONFLICT DO NOTHING`,
      [operator.id],
    )
    await deps.pool.query('DELETE FROM login_failures')
    if ((await liveCount()) < LIVE_MIN) await install()
    await readPools()
    await readAims()
    await readMoreAims()
    const installationIds = pools.get('installations.id') as string[]
    for (const [name, values] of await tokenPools(market, operator.id, installationIds)) {
      pools.set(name, values)
    }
  }

  const liveCount = () => deps.db.installation.count({ where: { live: true } })

  async function install() {
    const own = await rows(
      `SELECT id FROM apps WHERE deleted_at IS NULL AND id LIKE 'app-%' AND listed`,
    )
    if (own.length < APPS) await publish()
    for (const { app, party } of await freeSlots()) await installedBy(market, app, party)
  }

  /** Apps of the fuzzer and parties that do not have them. */
  async function freeSlots() {
    const { rows: slots } = await deps.pool.query<{ app: string; party: number }>(
      `SELECT a.id AS app, p.id AS party FROM apps a CROSS JOIN parties p
       WHERE a.deleted_at IS NULL AND a.listed AND a.id LIKE 'app-%' AND p.type <> 'None'
         AND p.closed_at IS NULL
         AND EXISTS (SELECT 1 FROM purchase_options o
                     WHERE o.app_id = a.id AND o.version = a.version AND o.id = 'free')
         AND NOT EXISTS (SELECT 1 FROM installations i
                         WHERE i.app_id = a.id AND i.party_id = p.id AND i.live)
       ORDER BY random() LIMIT ${LIVE_MIN}`,
    )
    return slots
  }

  /** Whom the fuzzer acts as is not among those that it suspends and removes. */
  async function readPools() {
    const sql = poolQueries(clientIds)
    for (const [pool, text] of Object.entries(sql)) pools.set(pool, await rows(text))
    pools.set(
      'passwords',
      [...demo.users, ...demo.developers].map(({ password }) => password),
    )
    const app = await fetch(`${market.url}/v1/Apps/price-sync`)
    pools.set('hashes', (await app.text()).match(/[0-9a-f]{64}/g) ?? ['0'.repeat(64)])
  }

  /** A listed app that asks for nothing, and a party of the user that does not have it. */
  async function openSlot() {
    const party = await createParty(deps, { name: `Open ${randomUUID()}`, type: 'Seller' })
    await deps.db.membership.create({ data: { partyId: party.id, userId: operator.id } })
    const { id: app } = draft(newId())
    await developer.create(draft(app))
    await developer.list(app)
    return { app, party: party.id }
  }

  /**
   * An installation with an upgrade that asks for nothing: others are as chance has left them.
   *
   * @param terms document of the app
   */
  async function outdatedOne(terms?: string) {
    const parties = await rows(
      `SELECT p.id FROM parties p JOIN memberships m ON m.party_id = p.id
       WHERE m.user_id = '${operator.id}' AND m.role = 'admin' AND p.type = 'Seller'
         AND p.closed_at IS NULL ORDER BY p.id DESC LIMIT 1`,
    )
    const definition = draft(newId())
    await developer.create(definition)
    if (terms !== undefined) {
      await developer.putTerms(definition.id, terms)
      await developer.putTermsPdf(definition.id, PDF)
    }
    await developer.list(definition.id)
    const id = await installedBy(market, definition.id, Number(parties[0]))
    const version = randomUUID()
    await developer.put({ ...definition, version })
    return { id, version }
  }

  /** Whole requests that are to succeed. */
  async function readAims() {
    const { body } = await call(market, 'GET', '/v1/Developer/Apps', { token: developer.token })
    const apps: Record<string, unknown>[] = body ?? []
    pools.set(
      'own.apps',
      apps.map(({ id }) => id),
    )
    pools.set('own.definitions', apps.map(definitionOf))
    const fixed = { ...PRODUCT_POOLS, ...oauthPools(demo) }
    for (const [name, values] of Object.entries(fixed)) pools.set(name, values)
    pools.set('product.files', [new Raw('brand,partNumber,inStock\nAcme,f,1\n')])
    pools.set('terms', [new Raw('# Terms\n'), new Raw('Other terms.')])
    const [open, slots] = [await openSlot(), await freeSlots()]
    pools.set(
      'install.bodies',
      [open, ...slots.flatMap((one) => [one, open])].map(({ app, party }) => ({
        appId: app,
        partyId: party,
        purchaseOptionId: 'free',
      })),
    )
    const fresh = await outdatedOne()
    const termed = await outdatedOne('# Terms')
    pools.set('termed.ids', [termed.id])
    for (const [name, values] of await termsPools(market, developer, termed.id)) {
      pools.set(name, values)
    }
    const { rows: outdated } = await deps.pool.query<{ id: string; version: string }>(
      `SELECT i.id, a.version FROM installations i JOIN apps a ON a.id = i.app_id
       WHERE i.live AND i.installed_version <> a.version AND a.id LIKE 'app-%'
       ORDER BY random() LIMIT 20`,
    )
    const upgradable = [fresh, ...outdated.flatMap((one) => [one, fresh])]
    pools.set(
      'upgrade.ids',
      upgradable.map(({ id }) => id),
    )
    pools.set(
      'upgrade.bodies',
      upgradable.map(({ version }) => ({ version })),
    )
  }

  async function readMoreAims() {
    const unused = draft(newId())
    await developer.create(unused)
    pools.set('unused.apps', [unused.id])
    const made = [
      await webhookPools(market, developer),
      await ownPools(market, developer),
      await factorPools(market, operator.id),
      await installRequestPools(market, operator.id),
      await picturePools(market, developer),
    ]
    for (const [name, values] of made.flatMap((some) => [...some])) pools.set(name, values)
    const people = await peoplePools(market, operator.id, developerId)
    for (const [name, values] of people) pools.set(name, values)
    pools.set(
      'new.definitions',
      Array.from({ length: NEW_APPS }, () => draft(newId())),
    )
    pools.set(
      'own.installations',
      await rows(`SELECT id FROM installations WHERE live AND app_id LIKE 'app-%' LIMIT 20`),
    )
    await together(
      'connected.buyers',
      'connected.sellers',
      'SELECT buyer_id, seller_id FROM connections',
    )
    await together(
      'member.users',
      'member.parties',
      `SELECT user_id, party_id FROM memberships WHERE user_id <> '${operator.id}'`,
    )
    await together(
      'credential.owners',
      'credential.ids',
      `SELECT developer_id, id FROM developer_credentials WHERE removed_at IS NULL AND client_id NOT IN (${clientIds})`,
    )
    pools.set('own.consumers', await makeConsumers(market))
    pools.set('consumer.positions', CONSUMER_POSITIONS)
    pools.set('patch.bodies', [{}, { adminText: 'x' }])
    pools.set('option.bodies', [
      { purchaseOptionId: 'full', userSettings: GOOD_SETTINGS },
      { purchaseOptionId: 'free' },
    ])
  }

  function resolve(value: unknown): unknown {
    if (value instanceof Mutated) return value.steps.reduce(mutated, resolve(value.ref))
    if (!(value instanceof Ref)) return value
    const pool = pools.get(value.pool)
    if (pool === undefined) throw new Error(`no pool ${value.pool}`)
    return pool.length === 0 ? 'none' : pool[value.index % pool.length]
  }

  await refill()
  return {
    refill,
    resolve,
    keep(pool, value) {
      const kept = pools.get(pool) as unknown[]
      if (kept.length < KEPT_MAX) kept.push(value)
    },
  }
}
