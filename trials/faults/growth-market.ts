import pg from 'pg'
import { buildApp } from '../../src/app.ts'
import type { Demo } from '../../src/process/demo/demo-file.ts'
import { type Big, type Sizes, seedBigMarketplace } from '../../test/setup/big-marketplace.ts'
import { withWholeOperations } from '../../test/setup/contract.ts'
import { mintedToken } from '../../test/setup/probes.ts'
import { readDemoFile } from '../../test/setup/server-process.ts'
import { signedIn, signedInDeveloper, type WebClient } from '../../test/setup/web-client.ts'
import { startWebhookMarket, type WebhookMarket } from './webhook-market.ts'

/** The demo marketplace, as it is or grown, with everybody who reads in it signed in. */
export type GrowthMarket = {
  url: string
  /** Of things that have much, as far as anything has. */
  ids: Big
  endpointId: string
  tokens: Record<string, string>
  browsers: Record<'operator' | 'user' | 'developer', WebClient>
  close(): Promise<void>
}

/** @param sizes what there is beside the demo; none unless given */
export async function startGrowthMarket(sizes?: Sizes): Promise<GrowthMarket> {
  const market = await startWebhookMarket([], { settings: { max_wal_size: '4GB' } })
  const { url, dataDir } = market.server
  const demo = readDemoFile(dataDir)
  const ids = sizes ? await grown(market, demo, sizes) : await demoIds(market, demo)
  const user = demo.users.find(({ partyType }) => partyType === 'Seller')
  const [developer] = demo.developers
  if (user === undefined || developer === undefined) throw new Error('the demo is not whole')
  const installation = demo.installations.find(({ appId }) => appId === 'catalog-sync')
  const owner = demo.developers.find(({ apps }) => apps.includes('catalog-sync'))
  const ownerToken = await mintedToken(market.server, '/v1/Auth', owner)
  const body = { installationId: installation?.id }
  const site = { url, deps: market.deps, demo }
  return {
    url,
    ids,
    endpointId: await market.endpoint('https://hooks.example.com/events', ids.bigApp),
    tokens: {
      developer: await mintedToken(market.server, '/v1/Auth', developer),
      operator: await mintedToken(market.server, '/v1/Account/Auth', signInOf(demo.operator)),
      account: await mintedToken(market.server, '/v1/Account/Auth', signInOf(user)),
      installation: await mintedToken(market.server, '/v1/Developer/Token', body, ownerToken),
    },
    browsers: {
      operator: await signedIn(site, demo.operator),
      user: await signedIn(site, user),
      developer: await signedInDeveloper(site),
    },
    close: () => market.close(),
  }
}

const signInOf = ({ email, password }: Demo['operator']) => ({ email, password })

/** Fills the database past the time limits of the server. */
async function grown({ deps, postgres }: WebhookMarket, demo: Demo, sizes: Sizes): Promise<Big> {
  const patient = new pg.Client({ connectionString: postgres.superuserConnectionString })
  await patient.connect()
  try {
    await patient.query('SET synchronous_commit = off')
    return await seedBigMarketplace(patient, { demo, deps }, sizes)
  } finally {
    await patient.end()
  }
}

/** The same roles among what the demo has. */
async function demoIds({ deps, developerId, other }: WebhookMarket, demo: Demo): Promise<Big> {
  const partyOf = (type: string) => demo.users.find(({ partyType }) => partyType === type)
  const [installation] = demo.installations.filter(({ appId }) => appId === 'price-sync')
  const email = partyOf('Seller')?.email ?? ''
  // A search finds something in both.
  for (const table of ['parties', 'users', 'developers', 'apps']) {
    await deps.pool.query(`UPDATE ${table} SET name = 'Seeded ' || name`)
  }
  return {
    bigDeveloper: developerId,
    smallDeveloper: other.developerId,
    bigApp: 'price-sync',
    smallApp: demo.developers[0]?.apps.find((id) => id !== 'price-sync') ?? 'price-sync',
    bigParty: partyOf('Seller')?.partyId ?? 0,
    smallParty: partyOf('Buyer')?.partyId ?? 0,
    user: (await deps.db.user.findUniqueOrThrow({ where: { email } })).id,
    installation: installation?.id ?? '',
  }
}

type Operation = { parameters?: { name: string; in: string }[] }
/** Something that can be read: a route, who may read it, and what narrows it. */
export type Readable = { route: string; audience: string; filters: string[]; isList: boolean }

/** Everything that GET reads: operations of the API, and pages. */
export async function readables(): Promise<Readable[]> {
  const market = await startWebhookMarket([])
  try {
    const app = await buildApp({
      deps: market.deps,
      version: 'trial',
      readiness: async () => undefined,
    })
    await app.ready()
    // biome-ignore lint/suspicious/noExplicitAny: the document has a shape of its own
    const document: any = await (await fetch(`${market.server.url}/openapi.json`)).json()
    const { paths } = withWholeOperations(document)
    const all = app.routes.all().filter(({ method, url }) => method === 'GET' && url !== '*')
    const found = all.map(({ url, audience = '' }): Readable => {
      const operation: Operation | undefined = paths[url.replace(/:(\w+)/g, '{$1}')]?.get
      const query = (operation?.parameters ?? []).filter((one) => one.in === 'query')
      const names = query.map(({ name }) => name)
      const filters = names.filter((name) => name !== 'cursor' && name !== 'limit')
      return { route: url, audience, filters, isList: names.includes('cursor') }
    })
    await app.close()
    return found
  } finally {
    await market.close()
  }
}
