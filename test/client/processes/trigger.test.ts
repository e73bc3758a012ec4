import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import {
  changeAdminSettings,
  createApp,
  installAppInSandbox,
  readInstallation,
  readOwnApp,
  showApp,
} from '../../../client/src/generated/index.ts'
import type { Marketplace } from '../../../client/src/index.ts'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { draft, newId } from '../../setup/apps.ts'
import { startDeveloperCli } from '../../setup/developer-cli.ts'
import { startGateway } from '../../setup/gateway.ts'
import { clientOf } from '../../setup/marketplace-client.ts'

let market: TestMarketplace
let marketplace: Marketplace
let home: string
const directories: string[] = []
beforeAll(async () => {
  market = await startMarketplace({ background: {} })
  marketplace = clientOf(market, 'price-sync')
  home = await signedIn(market.url)
})
afterAll(async () => {
  await market.close()
  for (const one of directories) await rm(one, { recursive: true, force: true })
})

/** A directory with the credentials of the developer of Price Sync. */
async function signedIn(url: string): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'trigger-'))
  directories.push(directory)
  const demo = join(directory, 'demo.json')
  await writeFile(demo, JSON.stringify(market.demo))
  const words = ['login', '--client-id', 'northwind', '--demo', demo, '--url', url]
  expect(await startDeveloperCli(directory, words).ended).toMatchObject({ code: 0 })
  return directory
}

const trigger = (type: string, appId: string, directory = home) =>
  startDeveloperCli(directory, ['trigger', type, '--app', appId]).ended

/** What happened to an app, once so many events have their position. */
async function firstEvents(appId: string, type: string[], count: number): Promise<string[]> {
  const types: string[] = []
  for await (const event of marketplace.events({ appId, type: type as never, after: 0 })) {
    if (types.push(event.type) === count) break
  }
  return types
}

const isListed = async (appId: string) =>
  (await readOwnApp({ client: marketplace.client, path: { appId } })).data.listed

/** An app with admin settings, installed in the sandbox. */
async function installed(admin: Record<string, object>) {
  const { client } = marketplace
  const definition = draft(newId())
  const settings = Object.fromEntries(
    Object.entries(admin).map(([key, one], order) => [
      key,
      { name: key, scope: 'admin', order: order + 1, ...one },
    ]),
  )
  await createApp({ client, body: { ...definition, settings: { free: settings } } as never })
  const path = { appId: definition.id }
  const { data } = await installAppInSandbox({ client, path, body: {} })
  const installation = { installationId: data.id }
  return {
    appId: definition.id,
    change: (body: Record<string, unknown>) =>
      changeAdminSettings({ client, path: installation, body }),
    adminSettings: async () =>
      (await readInstallation({ client, path: installation })).data.adminSettings,
  }
}

test.each([
  ['text', { type: 'text' }, 'triggered'],
  ['number', { type: 'number', min: 0.1, max: 0.5, step: 0.1 }, '0.1'],
  [
    'select',
    { type: 'select', options: [1, 2].map((value) => ({ name: `${value}`, value })) },
    '1',
  ],
  ['boolean', { type: 'boolean' }, 'true'],
])('trigger changes a setting of the type %s and puts it back', async (_, setting, stored) => {
  const { appId, change, adminSettings } = await installed({
    secret: { type: 'password' },
    setting,
  })
  const { code, stdout } = await trigger('installation.settings_changed', appId)
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout:
      `installation.settings_changed was triggered for ${appId}. ` +
      'The admin setting "setting" was changed and put back, each with an event.\n',
  })
  expect(await adminSettings()).toEqual({})
  await change({ setting: stored })
  expect((await trigger('installation.settings_changed', appId)).code).toBe(0)
  expect(await adminSettings()).toEqual({ setting: stored })
  expect(await firstEvents(appId, ['installation.settings_changed'], 5)).toHaveLength(5)
})

test('trigger says when no setting can be changed and put back', async () => {
  const { appId, adminSettings } = await installed({
    secret: { type: 'password' },
    needed: { type: 'text', mandatory: true },
    narrow: { type: 'number', max: -1 },
  })
  const { code, stderr } = await trigger('installation.settings_changed', appId)
  expect(code).toBe(2)
  expect(stderr).toContain(`${appId} has no admin setting that can be changed and put back.`)
  expect(await adminSettings()).toEqual({})
})

test('trigger names another purchase option that has a setting to change', async () => {
  const { code, stderr } = await trigger('installation.settings_changed', 'price-sync')
  expect(code).toBe(2)
  expect(stderr).toContain('Run: sandbox price-sync --option premium')
})

test.each(['app.unlisted', 'app.listed'])('trigger %s leaves a listed app listed', async (type) => {
  const { client } = marketplace
  const { id: appId } = (await createApp({ client, body: draft(newId()) as never })).data as {
    id: string
  }
  await showApp({ client, path: { appId } })
  const { code, stdout } = await trigger(type, appId)
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout:
      `${type} was triggered for ${appId}. ` +
      'It was out of the catalogue for a moment: app.unlisted, then app.listed.\n',
  })
  expect(await isListed(appId)).toBe(true)
  const events = await firstEvents(appId, ['app.listed', 'app.unlisted'], 3)
  expect(events).toEqual(['app.listed', 'app.unlisted', 'app.listed'])
})

test.each(['app.unlisted', 'app.listed'])('trigger %s shows no unlisted app', async (type) => {
  const { appId } = await installed({})
  const { code, stderr } = await trigger(type, appId)
  expect(code).toBe(2)
  expect(stderr).toContain(`${appId} is not listed, and trigger does not show it to accounts.`)
  expect(await isListed(appId)).toBe(false)
})

test('trigger suspends only what is active and resumes only what is suspended', async () => {
  const { appId } = await installed({})
  const said = async (type: string) => {
    const { code, stderr } = await trigger(type, appId)
    return { code, stderr }
  }
  expect(await said('installation.resumed')).toEqual({
    code: 2,
    stderr:
      `${appId} is not suspended in your sandbox. ` +
      `Suspend it first: trigger installation.suspended --app ${appId}\n`,
  })
  expect(await said('installation.suspended')).toEqual({ code: 0, stderr: '' })
  expect(await said('installation.suspended')).toEqual({
    code: 2,
    stderr:
      `${appId} is suspended in your sandbox already. ` +
      `Resume it first: trigger installation.resumed --app ${appId}\n`,
  })
  expect(await said('installation.resumed')).toEqual({ code: 0, stderr: '' })
  const events = await firstEvents(appId, ['installation.suspended', 'installation.resumed'], 2)
  expect(events).toEqual(['installation.suspended', 'installation.resumed'])
})

test('trigger says what is left when the marketplace goes away in the middle', async () => {
  const gateway = await startGateway(market)
  onTestFinished(() => gateway.close())
  const behind = await signedIn(gateway.url)
  const { appId } = await installed({})
  await showApp({ client: marketplace.client, path: { appId } })
  gateway.decide(({ path }) => (path.endsWith('/List') ? 'drop' : 'pass'))
  const { code, stderr } = await trigger('app.unlisted', appId, behind)
  expect(code).toBe(1)
  expect(stderr).toMatch(new RegExp(`^${appId} is no longer listed: The marketplace cannot be`))
  expect(await isListed(appId)).toBe(false)
})
