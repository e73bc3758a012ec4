import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SYSTEM } from '../../../../src/base/values/actor.ts'
import { removeUser } from '../../../../src/identity/accounts/remove-user-service.ts'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { type Author, author, draft, newId } from '../../../setup/apps.ts'
import { accountToken, call } from '../../../setup/client.ts'
import {
  acceptAll,
  accountCalls,
  type Customer,
  developerCalls,
  listedApp,
  newCustomer,
  newMember,
} from '../../../setup/customer.ts'
import { expectProblem } from '../../../setup/expect-problem.ts'
import { operatorCalls } from '../../../setup/operator.ts'

const RISK = { id: 'risk', title: 'Overwrites', text: 'It overwrites prices.', order: 1 }
const PURPOSE = 'Reads your products.'
const TERMS = '# Terms\n\nBe kind.'
const PDF = '%PDF-1.7\n%%EOF'

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')
const wordsHash = (title: string, text: string) => hashOf(JSON.stringify([title, text]))

let market: TestMarketplace
let developer: Author
let customer: Customer
beforeAll(async () => {
  market = await startMarketplace()
  developer = await author(market)
  customer = await newCustomer(market)
})
afterAll(() => market.close())

/** An app that asks for an acknowledgement, terms and a permission. */
async function askingApp(changes: Record<string, unknown> = {}, terms = TERMS) {
  const app = await listedApp(developer, draft(newId(), { acknowledgements: [RISK], ...changes }))
  const { status, text } = await developer.putTerms(app.id, terms)
  if (status !== 200) throw new Error(text)
  return app
}

async function installedApp(by = customer, changes: Record<string, unknown> = {}) {
  const app = await askingApp(changes)
  const consent = await acceptAll(market, app.id)
  const { body, status, text } = await by.install({
    ...{ appId: app.id, purchaseOptionId: 'free', ...consent },
  })
  if (status !== 201) throw new Error(text)
  return { app, id: body.id as string }
}

const pathOf = (id: string, more = '') => `/${id}/Acceptances${more}`
const listOf = (id: string, more = '') => customer.send('GET', pathOf(id, more))

describe('what was accepted at an install', () => {
  test('is listed with its words, by whom, when and in which version', async () => {
    const before = Date.now()
    const { id } = await installedApp()
    const answer = await listOf(id)
    expect(answer.status, answer.text).toBe(200)
    const common = {
      version: '1.0.0',
      acceptedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      acceptedBy: { kind: 'user', id: customer.user.id, name: 'Casey Customer' },
    }
    const { title, text } = RISK
    expect(answer.body).toEqual([
      {
        ...{ kind: 'acknowledgement', id: 'risk', title, text, mediaType: null },
        ...{ sha256: wordsHash(title, text), ...common },
      },
      {
        ...{ kind: 'terms', id: null, title: null, text: TERMS, mediaType: 'text/markdown' },
        ...{ sha256: hashOf(TERMS), ...common },
      },
      {
        ...{ kind: 'permission', id: 'products:read', title: 'Read products', text: PURPOSE },
        ...{ mediaType: null, sha256: wordsHash('Read products', PURPOSE), ...common },
      },
    ])
    for (const { acceptedAt } of answer.body) {
      expect(Date.parse(acceptedAt)).toBeGreaterThanOrEqual(before)
    }
  })

  test('keeps its words when the developer changes them under the same version', async () => {
    const { app, id } = await installedApp()
    const changed = await developer.put({
      ...app,
      permissions: [{ id: 'products:read', purpose: 'Another purpose.' }],
    })
    expect(changed.status, changed.text).toBe(200)
    const { body } = await listOf(id)
    expect(body.map(({ text }: { text: string }) => text)).toEqual([RISK.text, TERMS, PURPOSE])
  })

  test('is kept once per hash, however many accept it at once', async () => {
    const app = await askingApp({ acknowledgements: [RISK, { ...RISK, id: 'again' }] })
    const consent = await acceptAll(market, app.id)
    const customers = await Promise.all(Array.from({ length: 8 }, () => newCustomer(market)))
    const answers = await Promise.all(
      customers.map((one) => one.install({ appId: app.id, purchaseOptionId: 'free', ...consent })),
    )
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201))
    const sha256 = wordsHash(RISK.title, RISK.text)
    expect(await market.deps.db.acceptedText.count({ where: { sha256 } })).toBe(1)
  })

  test('is not kept when the install is refused', async () => {
    const text = 'Words that nobody accepts.'
    const app = await askingApp({ acknowledgements: [{ ...RISK, text }] })
    const refused = await customer.install({ appId: app.id, purchaseOptionId: 'free' })
    expectProblem(refused, 'unprocessable')
    const sha256 = wordsHash(RISK.title, text)
    expect(await market.deps.db.acceptedText.count({ where: { sha256 } })).toBe(0)
  })

  test('stays when the app is uninstalled, unlisted and deleted', async () => {
    const { app, id } = await installedApp()
    const before = (await listOf(id)).body
    expect((await customer.uninstall(id)).status).toBe(204)
    await developer.unlist(app.id)
    expect((await developer.remove(app.id)).status).toBe(204)
    expect((await listOf(id)).body).toEqual(before)
  })

  test('by who is removed since has the name that removed people have', async () => {
    const admin = await newCustomer(market)
    const { id } = await installedApp(admin)
    await admin.uninstall(id)
    await removeUser(market.deps, admin.user.id, SYSTEM)
    const operator = await operatorCalls(market)
    const { body } = await operator('GET', `Installations${pathOf(id)}`)
    expect(body[0].acceptedBy).toEqual({
      ...{ kind: 'user', id: admin.user.id },
      name: expect.stringContaining('emoved'),
    })
  })
})

test('what an upgrade asks anew is added, the rest is not accepted twice', async () => {
  const { app, id } = await installedApp()
  const added = { id: 'profile:read', purpose: 'Greets you.' }
  await developer.put({ ...app, version: '2', permissions: [...app.permissions, added] })
  await developer.putTerms(app.id, 'Other terms.', 'text/plain', '?version=3')
  const consent = await acceptAll(market, app.id)
  const upgraded = await customer.upgrade(id, { version: '3', ...consent })
  expect(upgraded.status, upgraded.text).toBe(200)
  const { body } = await listOf(id)
  expect(
    body.map((one: Record<string, string>) => [one.version, one.kind, one.id, one.text]),
  ).toEqual([
    ['1.0.0', 'acknowledgement', 'risk', RISK.text],
    ['1.0.0', 'terms', null, TERMS],
    ['1.0.0', 'permission', 'products:read', PURPOSE],
    ['3', 'terms', null, 'Other terms.'],
    ['3', 'permission', 'profile:read', 'Greets you.'],
  ])
  const { sha256 } = body[1]
  const former = await listOf(id, `/${sha256.toUpperCase()}/TermsDocument`)
  expect([former.status, former.text]).toEqual([200, TERMS])
  expect(former.headers.get('content-disposition')).toContain('attachment')
  const again = await customer.send('GET', pathOf(id, `/${sha256}/TermsDocument`), undefined, {
    'if-none-match': `"${sha256}"`,
  })
  expect(again.status).toBe(304)
})

test('who approves a request is who has accepted', async () => {
  const member = await newMember(market, customer.party.id)
  const app = await askingApp()
  const path = `/v1/Account/Parties/${customer.party.id}/InstallRequests`
  const asked = await call(market, 'POST', path, {
    token: await accountToken(market, member),
    body: { appId: app.id, purchaseOptionId: 'free', ...(await acceptAll(market, app.id)) },
  })
  expect(asked.status, asked.text).toBe(201)
  const { body: accepted } = await call(market, 'POST', `${path}/${asked.body.id}/Accept`, {
    token: customer.token,
  })
  const { body } = await listOf(accepted.installationId)
  expect(body).toHaveLength(3)
  for (const { acceptedBy } of body) expect(acceptedBy.id).toBe(customer.user.id)
})

describe('who reads it', () => {
  test('is every member of the account, its developer without its people, and operators', async () => {
    const { id } = await installedApp()
    const own = (await listOf(id)).body
    const member = await newMember(market, customer.party.id)
    const asMember = accountCalls(market, await accountToken(market, member))
    expect((await asMember.send('GET', pathOf(id))).body).toEqual(own)
    const operator = await operatorCalls(market)
    expect((await operator('GET', `Installations${pathOf(id)}`)).body).toEqual(own)
    const asDeveloper = await developerCalls(market, developer.token).send('GET', pathOf(id))
    const unnamed = { kind: 'user', id: null, name: null }
    expect(asDeveloper.body).toEqual(own.map((one: object) => ({ ...one, acceptedBy: unnamed })))
  })

  test('is nobody else: 404, as for an installation that there is not', async () => {
    const { id } = await installedApp()
    const terms = `/${hashOf(TERMS)}/TermsDocument`
    const other = await newCustomer(market)
    const otherDeveloper = developerCalls(market, (await author(market, 1)).token)
    const unknown = '0f8fad5b-d9cb-469f-a165-70867728950e'
    for (const more of ['', terms]) {
      expectProblem(await other.send('GET', pathOf(id, more)), 'not_found')
      expectProblem(await otherDeveloper.send('GET', pathOf(id, more)), 'not_found')
      expectProblem(await customer.send('GET', pathOf(unknown, more)), 'not_found')
      expectProblem(await customer.send('GET', pathOf('no-id', more)), 'not_found')
    }
  })

  test('is a developer with its own name in its sandbox', async () => {
    const app = await askingApp()
    const { body } = await developer.send('POST', `/${app.id}/Sandbox`)
    const answer = await developerCalls(market, developer.token).send('GET', pathOf(body.id))
    const [{ acceptedBy }] = answer.body
    expect(acceptedBy).toEqual({
      kind: 'developer',
      id: market.demo.developers[0]?.clientId,
      name: market.demo.developers[0]?.name,
    })
  })
})

describe('a terms document that was accepted', () => {
  test('is not there for another hash, also of a document of the same app', async () => {
    const { app, id } = await installedApp()
    await developer.putTerms(app.id, 'Later terms.', 'text/plain', '?version=2')
    for (const sha256 of [hashOf('Later terms.'), '0'.repeat(64), 'x', 'a%00b']) {
      const { status } = await listOf(id, `/${sha256}/TermsDocument`)
      expect([400, 404], sha256).toContain(status)
    }
  })

  test('has no text when it is a PDF', async () => {
    const app = await listedApp(developer, draft(newId()))
    await developer.putTerms(app.id, PDF, 'application/pdf')
    const consent = await acceptAll(market, app.id)
    const { body } = await customer.install({
      ...{ appId: app.id, purchaseOptionId: 'free', ...consent },
    })
    const terms = (await listOf(body.id)).body[0]
    expect(terms).toMatchObject({ kind: 'terms', text: null, mediaType: 'application/pdf' })
    const file = await listOf(body.id, `/${terms.sha256}/TermsDocument`)
    expect(file.headers.get('content-type')).toBe('application/pdf')
  })

  test('has no text when it is longer than 1 MiB, but the whole file', async () => {
    const long = 'a long word '.repeat(100_000)
    const app = await askingApp({}, long)
    const consent = await acceptAll(market, app.id)
    const { body } = await customer.install({
      ...{ appId: app.id, purchaseOptionId: 'free', ...consent },
    })
    const terms = (await listOf(body.id)).body[1]
    expect(terms).toMatchObject({ kind: 'terms', text: null, mediaType: 'text/markdown' })
    expect((await listOf(body.id, `/${terms.sha256}/TermsDocument`)).text).toBe(long)
  })
})

describe('a page of the list', () => {
  test('has as many as asked for, and leads to the next', async () => {
    const { id } = await installedApp()
    const whole = (await listOf(id)).body
    const seen: unknown[] = []
    let path = pathOf(id, '?limit=1')
    for (let page = 0; page < 3; page += 1) {
      const { body, headers } = await customer.send('GET', path)
      expect(body).toHaveLength(1)
      seen.push(...body)
      const [, cursor] = /cursor=([^>&]+)/.exec(String(headers.get('link'))) ?? []
      path = pathOf(id, `?limit=1&cursor=${cursor}`)
      if (page === 2) expect(headers.get('link')).toBeNull()
    }
    expect(seen).toEqual(whole)
  })

  test('ends early when the words are long', async () => {
    const terms = ['a', 'b'].map((letter) => letter.repeat(700_000))
    const app = await askingApp({}, terms[0])
    const { body } = await customer.install({
      ...{ appId: app.id, purchaseOptionId: 'free', ...(await acceptAll(market, app.id)) },
    })
    await developer.putTerms(app.id, terms[1] ?? '', 'text/plain', '?version=2')
    const consent = await acceptAll(market, app.id)
    expect((await customer.upgrade(body.id, { version: '2', ...consent })).status).toBe(200)
    const first = await listOf(body.id)
    expect(first.body).toHaveLength(3)
    expect(first.headers.get('link')).toContain('rel="next"')
  })

  test('takes no cursor of another installation', async () => {
    const [one, other] = [await installedApp(), await installedApp()]
    const { headers } = await listOf(one.id, '?limit=1')
    const [, cursor] = /cursor=([^>&]+)/.exec(String(headers.get('link'))) ?? []
    expectProblem(await listOf(other.id, `?cursor=${cursor}`), 'invalid_cursor')
  })
})

describe('the database', () => {
  test('refuses to change or delete accepted words', async () => {
    await installedApp()
    for (const sql of [
      "UPDATE accepted_texts SET text = 'x'",
      'DELETE FROM accepted_texts',
      'TRUNCATE accepted_texts',
    ]) {
      await expect(market.deps.pool.query(sql), sql).rejects.toThrow(/not allowed/)
    }
  })

  test('refuses to change or delete accepted terms', async () => {
    const { app } = await installedApp()
    const where = `WHERE app_id = '${app.id}'`
    for (const sql of [
      `UPDATE terms_documents SET content = 'x', size = 1 ${where}`,
      `UPDATE terms_documents SET sha256 = 'x' ${where}`,
      `DELETE FROM terms_documents ${where}`,
    ]) {
      await expect(market.deps.pool.query(sql), sql).rejects.toThrow(/not allowed|foreign key/)
    }
  })
})
