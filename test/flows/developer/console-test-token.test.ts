import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { SYSTEM } from '../../../src/base/values/actor.ts'
import {
  addDeveloperMember,
  removeDeveloperMember,
} from '../../../src/identity/accounts/members/developer-members-service.ts'
import { setPassword } from '../../../src/identity/accounts/user-passwords-service.ts'
import { createUser } from '../../../src/identity/accounts/users-service.ts'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { call, demoInstallation } from '../../setup/client.ts'
import { type DeveloperConsole, developerConsole } from '../../setup/console.ts'
import { newAddress } from '../../setup/people.ts'
import { hiddenFields, signedIn } from '../../setup/web-client.ts'

const run = promisify(execFile)

let market: TestMarketplace
let developer: DeveloperConsole
let path: string
const lines: string[] = []

beforeAll(async () => {
  const log = (line: string) => lines.push(line)
  market = await startMarketplace({ config: { logLevel: 'info' }, log })
  developer = await developerConsole(market)
  path = `/Installations/${demoInstallation(market, 'price-sync', 'Seller').id}/TestToken`
})
afterAll(() => market?.close())

const plain = (text: string) =>
  text
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
const tokenIn = (page: { text: string }) => /TOKEN='([^']+)'/.exec(plain(page.text))?.[1] ?? ''
const make = async (fields: Record<string, string> = { 'permission.products:read': 'yes' }) => {
  const page = await developer.send(path, fields)
  return { page, token: tokenIn(page) }
}
/** The code of the page in a language. */
const sample = (text: string, language: string) =>
  plain(new RegExp(`The call in ${language}"><code>(.*?)</code>`, 's').exec(text)?.[1] ?? '')

describe('a test token', () => {
  test('may do what was chosen, for as long as was chosen', async () => {
    const { page, token } = await make({ 'permission.profile:read': 'yes', lifetime: '300' })
    expect(page.status).toBe(200)
    const profile = await call(market, 'GET', '/v1/User/Profile', { token })
    expect([profile.status, profile.body.user]).toEqual([200, null])
    expect((await call(market, 'GET', '/v1/Products', { token })).status).toBe(403)
    market.advance(270)
    expect((await call(market, 'GET', '/v1/User/Profile', { token })).status).toBe(200)
    market.advance(31)
    expect((await call(market, 'GET', '/v1/User/Profile', { token })).status).toBe(401)
  })

  test('is never more than the installation was granted, nor longer than offered', async () => {
    const { token } = await make({
      'permission.products:write': 'yes',
      'permission.products:read': 'yes',
      lifetime: '86400',
    })
    const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
    expect([claims.scope, claims.exp - claims.iat]).toEqual(['products:read', 900])
  })

  test('is shown once, kept from proxies and from the log, and stands in the history', async () => {
    const page = await developer.get(path)
    const csrf = /name="_csrf" value="([^"]+)"/.exec(page.text)?.[1] ?? ''
    const sent = await developer.client.submit(`/Developer${path}`, { _csrf: csrf })
    const first = await developer.client.get(sent.location ?? '')
    expect(first.headers.get('cache-control')).toContain('no-transform')
    const token = tokenIn(first)
    expect(token).not.toBe('')
    expect((await developer.client.get(sent.location ?? '')).text).not.toContain(token)
    expect(lines.join('')).not.toContain(token.split('.')[2])
    const entries = await market.deps.db.auditEvent.findMany({
      where: { action: 'installation.test_token_made' },
      select: { after: true },
    })
    expect(entries.length).toBeGreaterThan(0)
    expect(JSON.stringify(entries)).not.toContain(token.split('.')[2])
    const history = await developer.get(path.replace('/TestToken', ''))
    expect(history.text).toContain('Test token made')
  })

  test('comes with lines that work as they are', async () => {
    const { page, token } = await make()
    const env = { PATH: process.env.PATH ?? '', TOKEN: token }
    const { stdout: fetched } = await run('sh', ['-c', sample(page.text, 'curl')], { env })
    expect(JSON.parse(fetched)).toHaveLength(3)
    const code = sample(page.text, 'JavaScript')
    const module = ['--input-type=module', '--eval', code]
    expect((await run(process.execPath, module, { env })).stdout).toMatch(/^200 \[/)
    expect(sample(page.text, 'Python')).toContain(`'${market.url}/v1/Products?limit=3'`)
  })

  test('ends when it is revoked', async () => {
    const { token } = await make()
    await developer.send(path.replace('/TestToken', '/Tokens'))
    expect((await call(market, 'GET', '/v1/Products', { token })).status).toBe(401)
  })

  test('ends with the person who made it: when suspended, and when gone from the developer', async () => {
    const { db } = market.deps
    const { developerId } = await db.app.findUniqueOrThrow({ where: { id: 'price-sync' } })
    const person = await createUser(market.deps, { email: 'pat@tokens.example', name: 'Pat' })
    const userId = person.id
    await addDeveloperMember(market.deps, developerId, { userId, role: 'member' }, SYSTEM)
    const browser = await signedIn(market, person)
    const page = await browser.get(`/Developer${path}`)
    const fields = { ...hiddenFields(page.text), 'permission.products:read': 'yes' }
    const token = tokenIn(await browser.post(`/Developer${path}`, fields))
    const read = async () => (await call(market, 'GET', '/v1/Products', { token })).status
    expect(await read()).toBe(200)
    const suspend = (suspendedAt: Date | null) =>
      db.user.update({ where: { id: userId }, data: { suspendedAt } })
    await suspend(new Date())
    expect(await read()).toBe(401)
    await suspend(null)
    expect(await read()).toBe(200)
    const change = { actor: SYSTEM, keepsAnOwner: false }
    await removeDeveloperMember(market.deps, { userId, developerId }, change)
    expect(await read()).toBe(401)
  })

  test('of a person ends with the next password, and stays dead when the person rejoins', async () => {
    const { db } = market.deps
    const { developerId } = await db.installation.findFirstOrThrow({
      where: { appId: 'price-sync' },
    })
    const email = newAddress()
    const user = await createUser(market.deps, { email, name: 'Pat Person' })
    const join = () =>
      addDeveloperMember(market.deps, developerId, { userId: user.id, role: 'member' }, SYSTEM)
    const makes = async ({ password }: { password: string }) => {
      const browser = await signedIn(market, { email, password })
      const fields = hiddenFields((await browser.get(`/Developer${path}`)).text)
      const chosen = { ...fields, 'permission.products:read': 'yes' }
      const page = await browser.post(`/Developer${path}`, chosen)
      return /TOKEN='([^']+)'/.exec(plain(page.text))?.[1] ?? ''
    }
    const use = async (token: string) =>
      (await call(market, 'GET', '/v1/Products', { token })).status
    await join()
    const token = await makes(user)
    expect(await use(token)).toBe(200)
    const changed = await setPassword(market.deps, user.id, {}, SYSTEM)
    expect(await use(token)).toBe(401)
    const later = await makes({ password: changed.password ?? '' })
    expect(await use(later)).toBe(200)
    await removeDeveloperMember(
      market.deps,
      { developerId, userId: user.id },
      { actor: SYSTEM, keepsAnOwner: false },
    )
    await join()
    expect(await use(later)).toBe(401)
  })

  test("is not made for another developer's installation, or for one that is suspended", async () => {
    const other = await developerConsole(market, 1)
    expect((await other.get(path)).status).toBe(404)
    expect((await other.send(path)).status).toBe(404)
    onTestFinished(async () => {
      await developer.send(path.replace('/TestToken', '/Resume'))
    })
    await developer.send(path.replace('/TestToken', '/Suspend'), { reason: 'For a while.' })
    expect((await developer.send(path)).status).toBe(404)
  })
})
