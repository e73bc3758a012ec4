import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../setup/app.ts'
import { demoInstallation } from '../setup/client.ts'

const run = promisify(execFile)
const inRepository = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))
const DOCUMENT = inRepository('openapi/openapi.json')
const GENERATOR = inRepository('client/node_modules/@hey-api/openapi-ts/bin/run.js')
const COMPILER = inRepository('node_modules/typescript/bin/tsc')
const GENERATION_MS = 120_000

/** What a developer writes on the generated client: the compiler checks each name and type. */
const MAIN_FLOW = `
import { createClient } from './generated/client/index.js'
import * as api from './generated/index.js'

type Credentials = { clientId: string; password: string }

export async function mainFlow(baseUrl: string, body: Credentials, installationId: string) {
  const open = (token?: string) => createClient({ baseUrl, ...(token && { auth: token }) })
  const signedIn = await api.createDeveloperToken({ client: open(), body, throwOnError: true })
  const developer = open(signedIn.data.token)
  const { data: installations } = await api.listInstallations({
    client: developer,
    query: { limit: 10, partyType: 'Seller', status: 'active' },
    throwOnError: true,
  })
  const issued = await api.createInstallationToken({
    client: developer,
    body: { installationId },
    throwOnError: true,
  })
  const app = open(issued.data.token)
  const products = await api.listProducts({
    client: app,
    query: { limit: 2, inStockMin: 1 },
    throwOnError: true,
  })
  const brands: string[] = products.data.map(({ brand }) => brand)
  const { data: profile } = await api.readProfile({ client: app, throwOnError: true })
  return { installations, installationId: issued.data.installationId, brands, profile }
}

export async function refusal(baseUrl: string, body: Credentials) {
  const { error } = await api.createDeveloperToken({ client: createClient({ baseUrl }), body })
  if (error === undefined) return undefined
  switch (error.code) {
    case 'invalid_credentials':
      return 'wrong password'
    case 'too_many_requests':
    case 'unavailable':
      return 'later'
    // @ts-expect-error a sign-in has no cursor
    case 'invalid_cursor':
    default:
      return error.detail
  }
}

export const option: api.PurchaseOption = {
  id: 'free', name: 'Free', pricingModel: 'FlatMonthly', currency: 'USD', monthlyRate: 0,
}
export const change: api.DefinitionChange['kind'] = 'option_price_changed'
export const status: api.InstallationStatus = 'suspended'
`

type Flow = {
  mainFlow(
    url: string,
    credentials: object,
    installationId: string,
  ): Promise<{
    installations: { id: string }[]
    installationId: string
    brands: string[]
    profile: { partyId: number }
  }>
  refusal(url: string, credentials: object): Promise<string | undefined>
}

let market: TestMarketplace
let directory: string
let flow: Flow
beforeAll(async () => {
  market = await startMarketplace()
  directory = await mkdtemp(join(tmpdir(), 'generated-client-'))
  const inDirectory = (name: string) => join(directory, name)
  const generation = {
    input: DOCUMENT,
    output: { path: inDirectory('generated'), module: { extension: '.js' } },
    logs: { file: false },
    plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
  }
  const compilerOptions = {
    target: 'es2024',
    module: 'nodenext',
    lib: ['es2024', 'dom', 'dom.iterable'],
    types: [],
    strict: true,
    rootDir: '.',
    outDir: 'built',
  }
  await writeFile(inDirectory('package.json'), '{"type":"module"}')
  await writeFile(inDirectory('generate.mjs'), `export default ${JSON.stringify(generation)}`)
  await writeFile(
    inDirectory('tsconfig.json'),
    JSON.stringify({ compilerOptions, include: ['generated', 'main-flow.ts'] }),
  )
  await writeFile(inDirectory('main-flow.ts'), MAIN_FLOW)
  await run(process.execPath, [GENERATOR, '-f', inDirectory('generate.mjs')], { cwd: directory })
  const compiled = await run(process.execPath, [COMPILER, '-p', directory]).catch(
    ({ stdout }: { stdout: string }) => ({ stdout }),
  )
  expect(compiled.stdout).toBe('')
  flow = await import(pathToFileURL(inDirectory('built/main-flow.js')).href)
}, GENERATION_MS)
afterAll(async () => {
  await market.close()
  await rm(directory, { recursive: true, force: true })
})

test('a TypeScript client generated from the document compiles and runs the main flow', async () => {
  const installation = demoInstallation(market, 'price-sync', 'Seller')
  const developer = market.demo.developers.find(({ apps }) => apps.includes('price-sync'))
  const { clientId = '', password = '' } = developer ?? {}
  const done = await flow.mainFlow(market.url, { clientId, password }, installation.id)
  expect(done.installationId).toBe(installation.id)
  expect(done.installations.map(({ id }) => id)).toContain(installation.id)
  expect(done.brands).toHaveLength(2)
  expect(done.profile.partyId).toBe(installation.partyId)
})

test('its errors are told apart by the codes of the operation', async () => {
  const wrong = { clientId: 'nobody', password: 'wrong' }
  expect(await flow.refusal(market.url, wrong)).toBe('wrong password')
})
