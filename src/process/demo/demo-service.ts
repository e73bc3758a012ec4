import { readFile } from 'node:fs/promises'
import { type Db, inTransaction } from '../../base/database/transaction.ts'
import { NO_DEADLINE, withDeadline } from '../../base/fair-share/deadline.ts'
import { SYSTEM } from '../../base/values/actor.ts'
import type { PartyType } from '../../base/values/party-type.ts'
import type { Deps } from '../../deps.ts'
import { createConnection } from '../../identity/accounts/connections-service.ts'
import { createDeveloper } from '../../identity/accounts/developers-service.ts'
import { addDeveloperMember } from '../../identity/accounts/members/developer-members-service.ts'
import { createParty } from '../../identity/accounts/parties-service.ts'
import { createUser } from '../../identity/accounts/users-service.ts'
import { parseAppDefinition } from '../../marketplace/apps/check-definition.ts'
import { type AppDefinition, acknowledgementSha256 } from '../../marketplace/apps/definition.ts'
import { createApp } from '../../marketplace/apps/publish-service.ts'
import { findApp } from '../../marketplace/apps/read-apps-service.ts'
import { receiverAddress } from '../../marketplace/apps/receiver-address.ts'
import { putTerms } from '../../marketplace/apps/terms/terms-service.ts'
import { setListed } from '../../marketplace/apps/visibility/visibility-service.ts'
import { installApp } from '../../marketplace/installations/install-service.ts'
import { patchSettings } from '../../marketplace/installations/settings/settings-service.ts'
import { addSampleProducts } from '../../marketplace/products/sample-service.ts'
import type { Demo } from './demo-file.ts'
import { addDemoListing } from './demo-listing-service.ts'

const DEMO_DIR = new URL('../../../demo/', import.meta.url)
const SMALL_CATALOGUE = new Set(['Wahl', 'Waterpik', 'Dyson', 'Frigidaire', 'Honeywell'])

/** Whether the database is still empty. */
async function isEmptyMarketplace({ db }: Pick<Deps, 'db'>): Promise<boolean> {
  const counts = await Promise.all([db.party.count(), db.user.count(), db.developer.count()])
  return counts.every((count) => count === 0)
}

/**
 * Makes the demo marketplace on an empty database: two developers with an owner each and three apps,
 * a Buyer, two Sellers, and installations of every kind. All of it in one transaction.
 *
 * @param save keeps the credentials; it is called before the transaction ends, so that no
 *   marketplace exists whose passwords nobody knows
 * @returns the credentials, or undefined when the marketplace is not empty
 */
export async function createDemo(
  deps: Pick<Deps, 'db' | 'passwords' | 'secrets' | 'config' | 'fillSandbox'>,
  save: (demo: Demo) => Promise<void>,
): Promise<Demo | undefined> {
  const [definitions, terms] = await Promise.all([readDefinitions(), readTerms()])
  const make = async (db: Db) => {
    // Another server may be making the demo at the same time.
    await db.$executeRaw`SET LOCAL lock_timeout = '60s'`
    await db.$executeRaw`SET LOCAL statement_timeout = '60s'`
    await db.$executeRaw`SELECT pg_advisory_xact_lock(hashtext('app-marketplace demo'))`
    if (!(await isEmptyMarketplace({ db }))) return undefined
    const demo = await fill({ ...deps, db }, shown(definitions, deps.config), terms)
    await save(demo)
    return demo
  }
  return withDeadline(NO_DEADLINE, () => inTransaction(deps.db, make, { timeoutMs: 60_000 }))
}

type Definitions = Record<'priceSync' | 'catalogSync' | 'stockWatch', AppDefinition>

async function fill(
  deps: Pick<Deps, 'db' | 'passwords' | 'secrets' | 'config' | 'fillSandbox'>,
  { priceSync, catalogSync, stockWatch }: Definitions,
  terms: Uint8Array<ArrayBuffer>,
): Promise<Demo> {
  const { db } = deps
  const operator = await createUser(deps, {
    email: 'operator@marketplace.example',
    name: 'Olivia Operator',
    operator: true,
  })
  const northwind = await createDeveloper(deps, { name: 'Northwind Tools', clientId: 'northwind' })
  const contoso = await createDeveloper(deps, { name: 'Contoso Sync', clientId: 'contoso' })
  const noel = await owner(deps, northwind, 'Noel Northwind', 'noel@northwind.example')
  const cora = await owner(deps, contoso, 'Cora Contoso', 'cora@contoso.example')
  for (const [developer, definition] of [
    [northwind, priceSync],
    [northwind, stockWatch],
    [contoso, catalogSync],
  ] as const) {
    const author = { developerId: developer.id, actor: SYSTEM }
    await createApp(deps, author, definition)
    if (definition === priceSync) {
      await putTerms(deps, author, {
        appId: definition.id,
        mediaType: 'text/markdown',
        content: terms,
      })
    }
    await addDemoListing(deps, author, definition.id)
    await setListed(deps, author, definition.id, true)
  }

  const keyline = await createParty(deps, { name: 'Keyline Electronics', type: 'Seller' })
  const homewell = await createParty(deps, { name: 'Homewell Supplies', type: 'Seller' })
  const fairmarket = await createParty(deps, { name: 'Fairmarket Stores', type: 'Buyer' })
  await addSampleProducts(db, keyline.id)
  await addSampleProducts(db, homewell.id, SMALL_CATALOGUE)
  await createConnection(deps, { buyerId: fairmarket.id, sellerId: keyline.id })

  const sandbox = {
    id: northwind.sandboxPartyId,
    name: 'Northwind Tools (sandbox)',
    type: 'None' as const,
  }
  const members = [
    { party: keyline, name: 'Kim Keyline', email: 'kim@keyline.example' },
    { party: homewell, name: 'Harper Homewell', email: 'harper@homewell.example' },
    { party: fairmarket, name: 'Fran Fairmarket', email: 'fran@fairmarket.example' },
    { party: sandbox, name: 'Nora Northwind', email: 'nora@northwind.example' },
  ]
  const users: Demo['users'] = []
  for (const { party, name, email } of members) {
    const { password } = await createUser(deps, { email, name, partyIds: [party.id] })
    users.push({
      email,
      password,
      partyId: party.id,
      partyName: party.name,
      partyType: party.type,
    })
  }

  const wanted: DemoInstallation[] = [
    {
      app: priceSync,
      party: keyline,
      option: 'premium',
      userSettings: { erpUser: 'jane', erpPassword: 's3cret-erp', margin: 0.15, dryRun: true },
      adminSettings: { routing: 'eu-west/keyline' },
    },
    {
      app: priceSync,
      party: sandbox,
      option: 'free',
      userSettings: { region: 5 },
    },
    {
      app: stockWatch,
      party: fairmarket,
      option: 'standard',
      userSettings: { threshold: 10, quietOnWeekends: false },
    },
    {
      app: catalogSync,
      party: keyline,
      option: 'pro',
      userSettings: {
        feedUrl: 'https://erp.keyline.example/feed.csv',
        feedPassword: 'feed-s3cret',
        intervalMinutes: 15,
      },
    },
    {
      app: catalogSync,
      party: homewell,
      option: 'free',
      userSettings: { feedUrl: 'https://homewell.example/catalog.csv' },
    },
  ]
  const installations: Demo['installations'] = []
  for (const entry of wanted) installations.push(await install(deps, entry))

  return {
    baseUrl: deps.config.publicUrl,
    operator: { email: operator.email, password: operator.password },
    developers: [
      { ...credentialsOf(northwind), apps: [priceSync.id, stockWatch.id], person: noel },
      { ...credentialsOf(contoso), apps: [catalogSync.id], person: cora },
    ],
    users,
    installations,
  }
}

type DemoInstallation = {
  app: AppDefinition
  party: { id: number; type: PartyType }
  option: string
  userSettings: Record<string, string | number | boolean>
  adminSettings?: Record<string, string>
}

/** Installs as a user would, with everything accepted, and sets the admin settings. */
async function install(
  deps: Pick<Deps, 'db' | 'secrets'>,
  { app, party, option, userSettings, adminSettings }: DemoInstallation,
): Promise<Demo['installations'][number]> {
  const { facts } = await findApp(deps.db, app.id, {})
  const installationId = await installApp(
    deps,
    { party, actor: SYSTEM },
    {
      appId: app.id,
      purchaseOptionId: option,
      userSettings,
      acknowledgements: app.acknowledgements.map((one) => ({
        id: one.id,
        sha256: acknowledgementSha256(one),
      })),
      termsDocument: facts.termsDocument,
    },
  )
  if (adminSettings !== undefined) {
    await patchSettings(deps, {
      installationId,
      where: {},
      scope: 'admin',
      patch: adminSettings,
      expectedRevisions: undefined,
      actor: SYSTEM,
    })
  }
  return { id: installationId, appId: app.id, partyId: party.id }
}

/** A person who opens the console of a developer. */
async function owner(
  deps: Pick<Deps, 'db' | 'passwords'>,
  { id: developerId }: { id: string },
  name: string,
  email: string,
): Promise<{ email: string; password: string }> {
  const { id: userId, password } = await createUser(deps, { email, name })
  await addDeveloperMember(deps, developerId, { userId, role: 'owner' }, SYSTEM)
  return { email, password }
}

function credentialsOf(developer: { name: string; clientId: string; password: string }) {
  const { name, clientId, password } = developer
  return { name, clientId, password }
}

/** The definitions whose return addresses lead to the demo receiver, where there is one. */
function shown(definitions: Definitions, { demo, publicUrl }: Deps['config']): Definitions {
  const led = (definition: AppDefinition): AppDefinition =>
    demo && definition.authReturnUrl !== null
      ? { ...definition, authReturnUrl: receiverAddress(publicUrl, definition.id) }
      : definition
  const { priceSync, catalogSync, stockWatch } = definitions
  return { priceSync: led(priceSync), catalogSync: led(catalogSync), stockWatch: led(stockWatch) }
}

async function readDefinitions(): Promise<Definitions> {
  const [priceSync, catalogSync, stockWatch] = await Promise.all(
    ['price-sync', 'catalog-sync', 'stock-watch'].map(readDefinition),
  )
  return { priceSync, catalogSync, stockWatch } as Definitions
}

async function readDefinition(name: string): Promise<AppDefinition> {
  const text = await readFile(new URL(`apps/${name}.json`, DEMO_DIR), 'utf8')
  const parsed = parseAppDefinition(JSON.parse(text))
  if (!parsed.ok) throw new Error(`demo/apps/${name}.json: ${JSON.stringify(parsed.errors)}`)
  return parsed.definition
}

async function readTerms(): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await readFile(new URL('terms.md', DEMO_DIR)))
}
