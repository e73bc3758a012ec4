import { execFile } from 'node:child_process'
import { cp, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { demoInstallation } from '../../setup/client.ts'
import { credentialsOf } from '../../setup/marketplace-client.ts'
import { type PackedClient, packedClient } from '../../setup/packed-client.ts'

const run = promisify(execFile)
const CLIENT = fileURLToPath(new URL('../../../client/', import.meta.url))

/** What a developer writes first. */
const PROGRAM = `
import { createMarketplace, hasCode } from '@app-marketplace/client'
import { readInstallation } from '@app-marketplace/client/api'
import { openInstallation } from '@app-marketplace/client/browser'
import { verify } from '@app-marketplace/client/webhooks'

const { BASE_URL: baseUrl, CLIENT_ID: clientId, PASSWORD: password, INSTALLATION: id } = process.env
const marketplace = createMarketplace({ baseUrl, clientId, password })
const { client } = marketplace
const { data: record } = await readInstallation({ client, path: { installationId: id } })
const brands = []
for await (const product of marketplace.installation(id).products({ limit: 2 })) {
  brands.push(product.brand)
  if (brands.length === 3) break
}
const page = openInstallation({ baseUrl, token: () => marketplace.token(id) })
const { partyId } = await page.profile()
let refusal
try {
  verify('{}', {}, 'whsec_AAAA')
} catch (error) {
  refusal = hasCode(error, 'invalid_webhook')
}
console.log(JSON.stringify({ appId: record.appId, brands: brands.length, partyId, refusal }))
`

let market: TestMarketplace
let packed: PackedClient
beforeAll(async () => {
  market = await startMarketplace()
  packed = await packedClient()
})
afterAll(async () => {
  await market.close()
  await packed.remove()
})

test('the package holds what was built, and nothing else', () => {
  const others = packed.files.filter((path) => !path.startsWith('dist/'))
  expect(others.sort()).toEqual(['LICENSE', 'README.md', 'bin.js', 'package.json'])
  expect(packed.files).toEqual(expect.arrayContaining(['dist/index.js', 'dist/index.d.ts']))
})

test('it runs in an empty folder beside its one dependency', async () => {
  await writeFile(join(packed.directory, 'program.js'), PROGRAM)
  const { id, partyId } = demoInstallation(market, 'price-sync', 'Seller')
  const { clientId, password } = credentialsOf(market, 'price-sync')
  const { stdout } = await run(process.execPath, ['program.js'], {
    cwd: packed.directory,
    env: { BASE_URL: market.url, CLIENT_ID: clientId, PASSWORD: password, INSTALLATION: id },
  })
  expect(JSON.parse(stdout)).toEqual({ appId: 'price-sync', brands: 3, partyId, refusal: true })
})

test('it has one dependency', async () => {
  const manifest = JSON.parse(
    await readFile(
      join(packed.directory, 'node_modules/@app-marketplace/client/package.json'),
      'utf8',
    ),
  )
  expect(Object.keys(manifest.dependencies)).toEqual(['standardwebhooks'])
})

test('its command runs', async () => {
  const command = join(packed.directory, 'node_modules/.bin/app-marketplace')
  const { stdout } = await run(process.execPath, [command, 'help'])
  expect(stdout).toContain('listen --forward-to URL')
})

test('its command runs in a checkout, where nothing was built', async () => {
  const checkout = join(packed.directory, 'checkout')
  for (const name of ['bin.js', 'package.json', 'src']) {
    await cp(join(CLIENT, name), join(checkout, name), { recursive: true })
  }
  const { bin } = JSON.parse(await readFile(join(checkout, 'package.json'), 'utf8'))
  // As npm links it: the file itself is executable.
  const { stdout } = await run(join(checkout, bin['app-marketplace']), ['help'], {
    env: { PATH: `${dirname(process.execPath)}:${process.env.PATH}` },
  })
  expect(stdout).toContain('listen --forward-to URL')
})
