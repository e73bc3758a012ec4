import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../setup/app.ts'
import { flat } from '../setup/apps.ts'
import { accountToken, call } from '../setup/client.ts'
import {
  accountCalls,
  developerCalls,
  EVERY_SETTING,
  fullDraft,
  GOOD_SETTINGS,
  listedApp,
} from '../setup/customer.ts'
import { operatorWithCode } from '../setup/operator.ts'
import { signedInDeveloper, webClient } from '../setup/web-client.ts'

let market: TestMarketplace
/** What it is -> the secret itself. */
const planted = new Map<string, string>()
const log: string[] = []

function plant(name: string, secret = `${randomBytes(12).toString('base64url')} ü`): string {
  if (secret.length < 8) throw new Error(`${name} is too short to be looked for`)
  planted.set(name, secret)
  return secret
}

beforeAll(async () => {
  const previous = plant('SECRET_KEY_PREVIOUS', randomBytes(32).toString('base64'))
  market = await startMarketplace({
    config: { secretKeyPrevious: previous, logLevel: 'trace' },
    log: (line) => log.push(line),
  })
  plant('SECRET_KEY', market.deps.secretKey)
  const { token } = await operatorWithCode(market, market.demo.operator)
  const operator = plant('token of an operator', token)
  const { developer, developerId } = await plantDevelopers(operator)
  const seller = await plantUsers(operator)
  await plantSettings(developer, seller)
  await plantSession(seller)
  await plantDeveloperSession()
  await call(market, 'POST', `/v1/Operator/Developers/${developerId}/Suspend`, {
    ...{ token: operator, body: { reason: 'The end' } },
  })
})
afterAll(() => market.close())

type Login = { token: string; email: string; password: string; partyId: number }

async function operate(token: string, method: string, path: string, body: object) {
  const answer = await call(market, method, `/v1/Operator${path}`, { token, body })
  expect(answer.status, answer.text).toBeLessThan(300)
  return answer.body
}

async function plantDevelopers(operator: string) {
  const password = plant('password of a developer made by the operator')
  const made = await operate(operator, 'POST', '/Developers', {
    ...{ name: 'Planted', clientId: 'planted', password },
  })
  const credentials = `/Developers/${made.id}/Credentials`
  const second = plant('password of a second credential')
  await operate(operator, 'POST', credentials, { clientId: 'planted-2', password: second })
  const generated = await operate(operator, 'POST', '/Developers', { name: 'Generated' })
  plant('password that the server made', generated.password)
  const { body } = await call(market, 'POST', '/v1/Auth', {
    body: { clientId: 'planted', password },
  })
  const wrong = { clientId: 'planted', password: plant('wrong password of a developer') }
  expect((await call(market, 'POST', '/v1/Auth', { body: wrong })).status).toBe(401)
  return { developer: plant('developer token', body.token), developerId: made.id as string }
}

async function plantUsers(operator: string): Promise<Login> {
  const { id: partyId } = await operate(operator, 'POST', '/Parties', {
    ...{ name: 'Planted', type: 'Seller' },
  })
  const email = 'planted@example.com'
  const first = plant('first password of a user')
  const { id } = await operate(operator, 'POST', '/Users', {
    ...{ email, name: 'Planted', password: first, partyIds: [partyId] },
  })
  const password = plant('changed password of a user')
  await operate(operator, 'PUT', `/Users/${id}/Password`, { password })
  const wrong = { email, password: plant('wrong password of a user') }
  expect((await call(market, 'POST', '/v1/Account/Auth', { body: wrong })).status).toBe(401)
  const token = plant('account token', await accountToken(market, { email, password }))
  return { token, email, password, partyId }
}

/** Passwords through every endpoint that takes settings. */
async function plantSettings(token: string, seller: Login) {
  const made = {
    create: (body: unknown) => call(market, 'POST', '/v1/Developer/Apps', { token, body }),
    list: (id: string) => call(market, 'POST', `/v1/Developer/Apps/${id}/List`, { token }),
  }
  const app = await listedApp(
    made,
    fullDraft({
      purchaseOptions: [flat('full', 1), flat('second', 2)],
      settings: { full: EVERY_SETTING, second: EVERY_SETTING },
    }),
  )
  const user = accountCalls(market, seller.token)
  const developer = developerCalls(market, token)
  const installed = await user.install({
    ...{ appId: app.id, purchaseOptionId: 'full' },
    userSettings: { ...GOOD_SETTINGS, secret: plant('password setting of an install') },
  })
  expect(installed.status, installed.text).toBe(201)
  const { id } = installed.body
  const answers = [
    await user.patch(id, { secret: plant('replaced password'), pin: plant('patched password') }),
    await developer.patch(id, { adminSecret: plant('admin password') }),
    await developer.patch(id, { adminSecret: plant('replaced admin password') }),
    await user.changeOption(id, 'second', { pin: plant('password of a change of the option') }),
    await call(market, 'PUT', `/v1/Developer/Apps/${app.id}`, {
      ...{ token, body: { ...app, version: '2' } },
    }),
    await user.upgrade(id, {
      version: '2',
      userSettings: { pin: plant('password of an upgrade') },
    }),
    await call(market, 'POST', `/v1/Developer/Apps/${app.id}/Sandbox`, {
      token,
      body: { purchaseOptionId: 'full', userSettings: { secret: plant('password of a sandbox') } },
    }),
    await developer.read(id),
    await developer.list(),
    await user.read(id),
  ]
  for (const { status, text } of answers) expect(status, text).toBeLessThan(300)
  const minted = await developer.mint(id)
  plant('installation token', minted.body.token)
  await call(market, 'GET', '/v1/Installation', { token: minted.body.token })
  await call(market, 'GET', `/v1/Installation?token=${minted.body.token}`)
  await refuseSecrets(user, developer, id)
}

/** Requests that fail, with secrets in all places where nobody should write them. */
async function refuseSecrets(
  user: ReturnType<typeof accountCalls>,
  developer: ReturnType<typeof developerCalls>,
  id: string,
) {
  const secret = plant('password of a refused request')
  await user.patch(id, { secret: [secret] })
  await user.patch(id, { text: 5, secret, unknown: secret })
  await user.patch(id, `{"secret": "${secret}"`)
  await user.list(`?password=${encodeURIComponent(secret)}`)
  await developer.patch(id, { adminSecret: { nested: secret } })
  await call(market, 'POST', '/v1/Auth', { body: { clientId: secret, password: { secret } } })
  await call(market, 'GET', '/v1/Products', { token: plant('token that is none') })
  // A ciphertext that does not open is a fault of ours, which is logged.
  const { rows } = await market.deps.pool.query(
    `UPDATE setting_values SET secret = secret || '\\x00' WHERE installation_id = $1
       AND key = 'adminSecret' RETURNING key`,
    [id],
  )
  expect(rows).toHaveLength(1)
  expect((await developer.read(id)).status).toBe(500)
}

async function plantSession(seller: Login) {
  const browser = webClient(market)
  const before = new Set(browser.cookies.values())
  await browser.get('/login')
  for (const value of browser.cookies.values()) plant('cookie before the login', value)
  const answer = await browser.login(seller)
  expect(answer.status).toBe(303)
  for (const [name, value] of browser.cookies) {
    if (!before.has(value)) plant(`cookie ${name} after the login`, decodeURIComponent(value))
  }
  await browser.get('/')
}

async function plantDeveloperSession() {
  const browser = await signedInDeveloper(market)
  plant('cookie of a developer', browser.cookies.get('session') ?? '')
  await browser.get('/Developer')
}

/** How a secret could have been written down. */
function spellings(secret: string): string[] {
  const bytes = [Buffer.from(secret), Buffer.from(secret, 'base64')].filter(
    ({ length }) => length >= 8,
  )
  const encoded = bytes.flatMap((one) =>
    (['hex', 'base64', 'base64url', 'latin1'] as const).map((encoding) => one.toString(encoding)),
  )
  const own = [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)]
  // The first half of a signed cookie is the secret, the second its signature.
  const halves = secret.split('.').filter(({ length }) => length >= 16)
  return [...new Set([...own, ...encoded, ...halves])]
}

function found(text: string): string[] {
  return [...planted]
    .filter(([, secret]) => spellings(secret).some((spelling) => text.includes(spelling)))
    .map(([name]) => name)
}

/** Every value of every table: as text, and binary ones as they are. */
async function dump(): Promise<Map<string, string>> {
  const { pool } = market.deps
  const { rows: columns } = await pool.query(
    `SELECT table_name AS "table", column_name AS "column", data_type AS type
     FROM information_schema.columns WHERE table_schema = 'public'`,
  )
  const texts = new Map<string, string>()
  for (const { table, column, type } of columns) {
    const { rows } = await pool.query(
      `SELECT "${column}"::text AS text${type === 'bytea' ? `, "${column}" AS raw` : ''}
       FROM "${table}" WHERE "${column}" IS NOT NULL`,
    )
    const raw = rows.map((row) => (row.raw instanceof Buffer ? row.raw.toString('latin1') : ''))
    texts.set(`${table}.${column}`, [...rows.map(({ text }) => text), ...raw].join('\n'))
  }
  return texts
}

describe('of the planted secrets', () => {
  test('there are at least 20, of every kind', () => {
    expect(planted.size).toBeGreaterThanOrEqual(20)
    expect([...planted.keys()].join()).toMatch(/cookie .*session/i)
  })

  test('the search finds one that is there, however it is written', async () => {
    const secret = planted.get('admin password') ?? ''
    for (const spelling of spellings(secret))
      expect(found(`x${spelling}y`)).toContain('admin password')
    const texts = await dump()
    expect(texts.get('developer_credentials.client_id')).toContain('planted')
    expect(texts.get('setting_values.secret')?.length).toBeGreaterThan(100)
    expect(texts.get('sessions.id')?.length).toBeGreaterThan(30)
  })

  test('none is in the database, in no table and no column', async () => {
    const hits = [...(await dump())].flatMap(([column, text]) =>
      found(text).map((name) => `${column}: ${name}`),
    )
    expect(hits).toEqual([])
  })

  test('none is in the audit trail, which tells of all that happened', async () => {
    const rows = await market.deps.db.auditEvent.findMany()
    const actions = new Set(rows.map(({ action }) => action))
    for (const action of [
      ...['developer.created', 'credential.created', 'user.created', 'installation.created'],
      ...['installation.settings_changed', 'installation.option_changed', 'installation.upgraded'],
    ]) {
      expect(actions).toContain(action)
    }
    const text = JSON.stringify(rows, (_, value) =>
      typeof value === 'bigint' ? `${value}` : value,
    )
    expect(found(text)).toEqual([])
  })

  test('none is in the log, not even at the level trace', () => {
    expect(log.some((line) => line.includes('request failed'))).toBe(true)
    expect(log.filter((line) => line.includes('"level":"debug"')).length).toBeGreaterThan(3)
    expect(log.filter((line) => found(line).length > 0)).toEqual([])
  })
})
