import { type ChildProcess, spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../setup/app.ts'
import { author } from '../setup/apps.ts'
import { openBrowser } from '../setup/browser.ts'
import { signOutOn } from '../setup/browser-pages.ts'
import { call } from '../setup/client.ts'
import { freePort } from '../setup/free-port.ts'
import { readGuide } from '../setup/guide.ts'
import { waitUntil } from '../setup/server-process.ts'
import { demoDeveloper } from '../setup/web-client.ts'

let market: TestMarketplace
let browser: Browser
let directory: string
let app: ChildProcess
let origin: string
beforeAll(async () => {
  ;[market, browser] = await Promise.all([startMarketplace(), openBrowser()])
  directory = await mkdtemp(join(tmpdir(), 'first-app-'))
  const port = await freePort()
  origin = `http://127.0.0.1:${port}`
  const guide = (await readGuide('docs/first-app.md'))
    .replaceAll('http://127.0.0.1:4000', origin)
    .replaceAll('listen(4000,', `listen(${port},`)
  const fileOf = (name: string) => new RegExp(`^cat > ${name} <<'\\w+'\\n([\\s\\S]*?)^[A-Z]+$`, 'm')
  const [, definition = ''] = fileOf('first-app.json').exec(guide) ?? []
  const [, program = ''] = fileOf('first-app.mjs').exec(guide) ?? []
  const { token, create } = await author(market)
  expect((await create(JSON.parse(definition))).status).toBe(201)
  await call(market, 'POST', '/v1/Developer/Apps/first-app/Sandbox', { token, body: {} })
  await mkdir(join(directory, '.data'))
  await writeFile(join(directory, '.data/demo.json'), JSON.stringify(market.demo))
  await writeFile(join(directory, 'first-app.mjs'), program)
  app = spawn(process.execPath, ['first-app.mjs'], { cwd: directory })
  let output = ''
  app.stdout?.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  await waitUntil(() => output.includes('First App is at') || app.exitCode !== null)
  expect(output).toBe(`First App is at ${origin}\n`)
})
afterAll(async () => {
  app?.kill()
  await browser?.close()
  await market?.close()
  await rm(directory, { recursive: true, force: true })
})

test('the app of the guide shows products after the clicks that the guide names', async () => {
  const context = await browser.newContext()
  const page = await context.newPage()
  const { email, password } = demoDeveloper(market).person
  await page.goto(`${market.url}/Developer`)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('link', { name: 'First App' }).first().click()
  await page.getByRole('link', { name: 'Open in the sandbox' }).click()
  await page.getByRole('button', { name: 'Open in the sandbox' }).click()
  await page.getByRole('heading', { name: 'Products of Northwind Tools (sandbox)' }).waitFor()
  expect(page.url()).toBe(`${origin}/`)
  expect(await page.getByRole('listitem').count()).toBe(20)
  // The developer was in the sandbox for this one time, and has no account in which the app is.
  await page.getByRole('link', { name: 'Open it for another account' }).click()
  await page.getByRole('heading', { name: 'Page not found' }).waitFor()
  // Both sites are on one machine: the app leaves the session of the marketplace alone.
  await page.goto(`${market.url}/Developer`)
  await page.getByRole('heading', { name: 'Apps' }).waitFor()
  await signOutOn(page)
  await page.getByRole('heading', { name: 'You are signed out' }).waitFor()
  await page.goto(`${origin}/begin`)
  await page.getByLabel('Email').waitFor()
  expect(page.url()).toContain(`${market.url}/login?`)
  await context.close()
})

test('the app of the guide answers what is no page or no address, and goes on', async () => {
  expect((await fetch(`${origin}/elsewhere`)).status).toBe(404)
  expect((await fetch(`${origin}//`)).status).toBe(502)
  const forged = await fetch(`${origin}/auth/return?code=x&state=y`, { redirect: 'manual' })
  expect(forged.headers.get('location')).toContain('/Apps/Authenticate/first-app?')
  expect(app.exitCode).toBeNull()
})

test('the app of the guide says what to do when nobody comes back', async () => {
  const begun = await fetch(`${origin}/begin`, { redirect: 'manual' })
  const state = new URL(begun.headers.get('location') ?? '').searchParams.get('state')
  const cookie = begun.headers.get('set-cookie')?.split(';')[0] ?? ''
  const address = `${origin}/auth/return?error=access_denied&state=${state}`
  const text = await (await fetch(address, { headers: { cookie } })).text()
  expect(text).toContain('You cancelled, or the app is in no account of yours.')
  expect(text).toContain(`href="${market.demo.baseUrl}/Apps/first-app"`)
  expect(text).toContain('href="/begin"')
})
