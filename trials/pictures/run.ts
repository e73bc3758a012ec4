import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import type { Browser } from 'playwright-core'
import { startEmbeddedPostgres } from '../../src/operation/embedded-postgres/embedded-postgres.ts'
import type { Demo } from '../../src/process/demo/demo-file.ts'
import { launchBrowser } from '../../test/setup/browser.ts'
import { signInOn } from '../../test/setup/browser-pages.ts'
import { freePort } from '../../test/setup/free-port.ts'
import { readDemoFile, serverProcesses } from '../../test/setup/server-process.ts'

const DIRECTORY = fileURLToPath(new URL('../../docs/images/', import.meta.url))
const VIEWPORT = { width: 1120, height: 700 }
const APP = 'price-sync'

type Picture = {
  name: string
  path: string
  as: 'user' | 'operator'
  colorScheme?: 'light' | 'dark'
}

/** Takes the pictures of the README anew, from a server with the demo marketplace. */
async function takePictures(): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'pictures-'))
  const postgres = await startEmbeddedPostgres({ dataDir: join(directory, 'postgres') })
  const processes = serverProcesses()
  let browser: Browser | undefined
  try {
    const server = await processes.start({
      env: {
        DATABASE_URL: postgres.connectionString,
        SECRET_KEY: randomBytes(32).toString('base64'),
        DEMO: 'true',
      },
    })
    await server.ready()
    await writeFigures(postgres.connectionString)
    browser = await launchBrowser(await freePort())
    const demo = readDemoFile(server.dataDir)
    for (const picture of picturesOf(demo)) await take(browser, server, demo, picture)
  } finally {
    await browser?.close()
    await processes.cleanUp()
    await postgres.stop()
    await rm(directory, { recursive: true, force: true })
  }
}

function picturesOf(demo: Demo): Picture[] {
  const installation = demo.installations.find(
    ({ appId, partyId }) => appId === APP && partyId === sellerOf(demo).partyId,
  )
  return [
    { name: 'directory', path: '/Apps', as: 'user' },
    { name: 'listing', path: `/Apps/${APP}`, as: 'user' },
    {
      name: 'installation',
      path: `/Installed/${installation?.id}`,
      as: 'user',
      colorScheme: 'dark',
    },
    { name: 'operator', path: '/Operator', as: 'operator' },
  ]
}

/** A user of one Seller that has the app. */
function sellerOf(demo: Demo): Demo['users'][number] {
  const partyIds = demo.installations.filter(({ appId }) => appId === APP).map((one) => one.partyId)
  const found = demo.users.find(
    ({ partyId, partyType }) => partyType === 'Seller' && partyIds.includes(partyId),
  )
  if (found === undefined) throw new Error(`no Seller of the demo has ${APP}`)
  return found
}

async function take(
  browser: Browser,
  server: { url: string },
  demo: Demo,
  { name, path, as, colorScheme = 'light' }: Picture,
): Promise<void> {
  const page = await browser.newPage({ viewport: VIEWPORT, colorScheme })
  await signInOn(page, server, as === 'operator' ? demo.operator : sellerOf(demo))
  const answer = await page.goto(server.url + path)
  if (!answer?.ok()) throw new Error(`${path}: ${answer?.status()}`)
  await page.screenshot({ path: join(DIRECTORY, `${name}.png`) })
  await page.close()
}

/** A day for the operator's charts: a new marketplace has none behind it. */
async function writeFigures(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    await client.query(`
      INSERT INTO hourly_figures
        (hour, requests, errors, latencies, tokens, installs, deliveries, failures)
      SELECT date_trunc('hour', now()) - make_interval(hours => back),
        4000 + 200 * busy, (back % 11 = 4)::int,
        ARRAY[0, 0, 3000, 900, CASE WHEN busy > 12 THEN 90 ELSE 0 END, 0, 0, 0, 0, 0, 0, 0, 0],
        150 + 12 * busy, (back % 5 = 1)::int, 60 + 8 * busy, (back % 7 = 3)::int * 2
      FROM generate_series(1, 24) AS back,
        LATERAL (SELECT (15 - abs(back - 12)) AS busy) AS load
      ON CONFLICT (hour) DO NOTHING`)
  } finally {
    await client.end()
  }
}

await takePictures()
