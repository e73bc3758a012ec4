import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { author, authorWith, draft } from '../../../setup/apps.ts'
import { accountToken, call, userToken } from '../../../setup/client.ts'
import { expectProblem } from '../../../setup/expect-problem.ts'
import { type OperatorCalls, operatorBrowser, operatorCalls } from '../../../setup/operator.ts'
import { holdRows, untilWaiting } from '../../../setup/turns.ts'
import { demoUser, hiddenFields } from '../../../setup/web-client.ts'

let market: TestMarketplace
let operator: OperatorCalls
beforeAll(async () => {
  market = await startMarketplace()
  operator = await operatorCalls(market)
  const developer = await author(market)
  await developer.create(draft(APP))
  await developer.list(APP)
})
afterAll(() => market.close())

const APP = 'closing-app'
const PASSWORD = 'a password of eight words'
let made = 0

/** A new Seller with one user. */
async function newParty() {
  made += 1
  const party = await operator('POST', 'Parties', { name: `Party ${made}`, type: 'Seller' })
  const email = `member-${made}@party.example`
  const body = { email, name: 'Member', password: PASSWORD, partyIds: [party.body.id] }
  const user = await operator('POST', 'Users', body)
  return { id: party.body.id as number, userId: user.body.id as string, email }
}

const install = async (email: string, partyId: number) =>
  call(market, 'POST', '/v1/Account/Installations', {
    token: await accountToken(market, { email, password: PASSWORD }),
    body: { appId: APP, partyId, purchaseOptionId: 'free' },
  })

const lastAudit = (action: string) =>
  market.deps.db.auditEvent.findFirst({ where: { action }, orderBy: { id: 'desc' } })

describe('closing a party', () => {
  test('ends its memberships, and nothing is installed for it again', async () => {
    const { id, userId, email } = await newParty()
    const answer = await operator('POST', `Parties/${id}/Close`)
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({ id, suspended: true, closedAt: expect.any(String) })
    expect((await operator('GET', `Users/${userId}`)).body.partyIds).toEqual([])
    expect((await install(email, id)).status).not.toBe(201)
    const join = await operator('POST', 'Memberships', { userId, partyId: id })
    expectProblem(join, 'unprocessable')
    expect(await lastAudit('party.closed')).toMatchObject({
      subjectId: String(id),
      after: { memberships: 1, connections: 0 },
    })
  })

  test('ends its connections, whichever side it is on', async () => {
    const buyer = await operator('POST', 'Parties', { name: 'Closing Buyer', type: 'Buyer' })
    const buyerId = buyer.body.id as number
    const [first, second] = [await newParty(), await newParty()]
    for (const { id: sellerId } of [first, second]) {
      expect((await operator('POST', 'Connections', { buyerId, sellerId })).status).toBe(201)
    }
    const left = async () => (await operator('GET', `Connections?buyerId=${buyerId}`)).body
    await operator('POST', `Parties/${first.id}/Close`)
    expect(await left()).toEqual([{ buyerId, sellerId: second.id }])
    expect(await lastAudit('party.closed')).toMatchObject({ after: { connections: 1 } })
    await operator('POST', `Parties/${buyerId}/Close`)
    expect(await left()).toEqual([])
  })

  test('takes new users and connections no more', async () => {
    const { id: sellerId } = await newParty()
    await operator('POST', `Parties/${sellerId}/Close`)
    const { partyId: buyerId } = demoUser(market, 'Buyer')
    const user = { email: `late-${made}@party.example`, name: 'Late', partyIds: [sellerId] }
    const problem = (pointer: string) => [{ pointer, detail: 'The party is closed.' }]
    const joined = await operator('POST', 'Users', user)
    expectProblem(joined, 'unprocessable')
    expect(joined.body.errors).toEqual(problem('/partyIds/0'))
    const connected = await operator('POST', 'Connections', { buyerId, sellerId })
    expectProblem(connected, 'unprocessable')
    expect(connected.body.errors).toEqual(problem('/sellerId'))
  })

  test('is for good, and repeating it changes nothing', async () => {
    const { id } = await newParty()
    const first = await operator('POST', `Parties/${id}/Close`)
    expect((await operator('POST', `Parties/${id}/Close`)).body).toEqual(first.body)
    expectProblem(await operator('POST', `Parties/${id}/Resume`), 'conflict')
    expectProblem(await operator('POST', `Parties/${id}/Suspend`, { reason: 'x' }), 'conflict')
  })

  test('is refused while it has live installations', async () => {
    const { id, email } = await newParty()
    expect((await install(email, id)).status).toBe(201)
    const answer = await operator('POST', `Parties/${id}/Close`)
    expectProblem(answer, 'conflict')
    expect(answer.body.detail).toContain('1 live installation')
    expect((await operator('GET', `Parties/${id}`)).body.closedAt).toBeNull()
  })

  test('and an install at the same moment: one of them wins', async () => {
    for (let round = 0; round < 6; round += 1) {
      const { id, email } = await newParty()
      const [closed, installed] = await Promise.all([
        operator('POST', `Parties/${id}/Close`),
        install(email, id),
      ])
      const live = await market.deps.db.installation.count({ where: { partyId: id, live: true } })
      expect([closed.status === 200, live]).toEqual(
        installed.status === 201 ? [false, 1] : [true, 0],
      )
      expect(installed.status).toBeLessThan(500)
    }
  })

  test('holds in the database itself', async () => {
    const { id } = await newParty()
    await operator('POST', `Parties/${id}/Close`)
    const insert = market.deps.pool.query(
      `INSERT INTO installations (app_id, developer_id, party_id, party_type,
         purchase_option_id, installed_version, permissions)
       SELECT app_id, developer_id, $1, 'Seller', purchase_option_id, installed_version, permissions
       FROM installations WHERE party_type = 'Seller' LIMIT 1`,
      [id],
    )
    await expect(insert).rejects.toMatchObject({ code: '23514' })
  })

  test('is not for sandboxes, strangers or users', async () => {
    const { body } = await operator('GET', 'Developers')
    const sandbox = await operator('POST', `Parties/${body[0].sandboxPartyId}/Close`)
    expectProblem(sandbox, 'conflict')
    expectProblem(await operator('POST', 'Parties/999999/Close'), 'not_found')
    const token = await userToken(market)
    const path = `/v1/Operator/Parties/${demoUser(market, 'Seller').partyId}/Close`
    expectProblem(await call(market, 'POST', path, { token }), 'operator_required')
  })

  test('is a page that asks first', async () => {
    const { id } = await newParty()
    const browser = await operatorBrowser(market)
    expect((await browser.get(`/Operator/Parties/${id}`)).text).toContain(
      `href="/Operator/Parties/${id}/Close"`,
    )
    const page = await browser.get(`/Operator/Parties/${id}/Close`)
    expect(page.text).toContain('You cannot undo this.')
    await browser.post(`/Operator/Parties/${id}/Close`, hiddenFields(page.text))
    const after = (await browser.get(`/Operator/Parties/${id}`)).text
    expect(after).toContain('Closed since')
    expect(after).not.toContain('/Resume')
    expect(after).not.toMatch(/Add a user|existing user|Users\/New|Connect with|\/Suspend/)
  })
})

describe('closing a developer', () => {
  const newDeveloper = async () => {
    made += 1
    const credential = { clientId: `closing-${made}`, password: PASSWORD }
    const { body } = await operator('POST', 'Developers', { name: `Dev ${made}`, ...credential })
    return { ...credential, id: body.id as string, sandboxPartyId: body.sandboxPartyId as number }
  }

  test('ends its sign-in, sends its people away and closes its sandbox', async () => {
    const { id, sandboxPartyId, clientId, password } = await newDeveloper()
    const signIn = () => call(market, 'POST', '/v1/Auth', { body: { clientId, password } })
    const { body } = await signIn()
    const { userId, id: ownPartyId } = await newParty()
    const member = { userId, role: 'member' }
    expect((await operator('POST', `Developers/${id}/Members`, member)).status).toBe(201)
    const tester = { userId, partyId: sandboxPartyId }
    expect((await operator('POST', 'Memberships', tester)).status).toBe(201)
    const answer = await operator('POST', `Developers/${id}/Close`)
    expect(answer.body).toMatchObject({ id, suspended: true, closedAt: expect.any(String) })
    expectProblem(await signIn(), 'invalid_credentials')
    const list = await call(market, 'GET', '/v1/Developer/Apps', { token: body.token })
    expectProblem(list, 'invalid_token')
    expect((await operator('GET', `Parties/${sandboxPartyId}`)).body.closedAt).not.toBeNull()
    expect((await operator('GET', `Developers/${id}/Members`)).body).toEqual([])
    expect((await operator('GET', `Users/${userId}`)).body.partyIds).toEqual([ownPartyId])
    const page = await (await operatorBrowser(market)).get(`/Operator/Developers/${id}`)
    expect(page.text).toContain('Closed since')
    expect(page.text).not.toMatch(/Add a credential|Add a member|Invitations\?developer/)
    expectProblem(await operator('POST', `Developers/${id}/Resume`), 'conflict')
    expectProblem(await operator('POST', `Developers/${id}/Credentials`, {}), 'conflict')
  })

  test('is refused while its apps are installed', async () => {
    const { body } = await operator('GET', 'Apps')
    const { developerId } = body.find((app: { id: string }) => app.id === APP)
    const answer = await operator('POST', `Developers/${developerId}/Close`)
    expectProblem(answer, 'conflict')
    expect(answer.body.detail).toContain('live installation')
  })

  test('uninstalls what its sandbox has, also of a suspended developer', async () => {
    const { id, sandboxPartyId, clientId, password } = await newDeveloper()
    const { body } = await call(market, 'POST', '/v1/Auth', { body: { clientId, password } })
    const developer = authorWith(market, body.token)
    await developer.create(draft('tried-app'))
    const { body: tried } = await developer.send('POST', '/tried-app/Sandbox')
    await operator('POST', `Developers/${id}/Suspend`, { reason: 'Broke the rules.' })
    expect((await operator('POST', `Developers/${id}/Close`)).status).toBe(200)
    const installation = (await operator('GET', `Installations/${tried.id}`)).body
    expect(installation).toMatchObject({ status: 'uninstalled', partyId: sandboxPartyId })
    const { db } = market.deps
    expect(await lastAudit('installation.uninstalled')).toMatchObject({ subjectId: tried.id })
    const event = { installationId: tried.id as string, type: 'installation.deleted' }
    expect(await db.event.count({ where: event })).toBe(1)
  })

  test('that is refused uninstalls nothing in its sandbox', async () => {
    const developer = await author(market)
    const { body } = await developer.send('POST', `/${APP}/Sandbox`)
    const { id, email } = await newParty()
    await install(email, id)
    const { developerId } = (await operator('GET', `Apps/${APP}`)).body
    expectProblem(await operator('POST', `Developers/${developerId}/Close`), 'conflict')
    expect((await operator('GET', `Installations/${body.id}`)).body.status).toBe('active')
  })

  test('unlists its apps, tells of those that were listed, and is in the audit trail', async () => {
    const { body } = await operator('GET', 'Apps')
    const { developerId } = body.find((app: { id: string }) => app.id === APP)
    const never = 'never-listed'
    await (await author(market)).create(draft(never))
    const before = await market.deps.db.app.findMany({ where: { developerId, listed: true } })
    const where = { developerId, live: true }
    const data = { live: null, status: 'uninstalled', uninstalledAt: new Date() } as const
    await market.deps.db.installation.updateMany({ where, data })
    expect((await operator('POST', `Developers/${developerId}/Close`)).status).toBe(200)
    const listed = await call(market, 'GET', '/v1/Apps')
    expect(listed.body.map((app: { id: string }) => app.id)).not.toContain(APP)
    const apps = await market.deps.db.app.findMany({ where: { developerId } })
    expect(apps.every((app) => !app.listed)).toBe(true)
    const told = await market.deps.db.event.findMany({
      where: { developerId, type: 'app.unlisted' },
    })
    expect(told.map(({ appId }) => appId).sort()).toEqual(before.map(({ id }) => id).sort())
    expect(apps.map(({ id }) => id)).toContain(never)
    const { sandboxPartyId } = (await operator('GET', `Developers/${developerId}`)).body
    expect(await lastAudit('developer.closed')).toMatchObject({
      ...{ subjectId: developerId, developerId, partyId: sandboxPartyId },
      after: { unlisted: before.length },
    })
  })

  test('keeps an app out of the catalogue that was made and is listed meanwhile', async () => {
    const { body } = await operator('POST', 'Developers', { name: 'Closed Meanwhile' })
    const { clientId, password } = body
    const signedIn = await call(market, 'POST', '/v1/Auth', { body: { clientId, password } })
    const { create, list } = authorWith(market, signedIn.body.token)
    // The closing has found the apps that there are, and waits.
    const sandbox = 'SELECT 1 FROM parties WHERE id = $1 FOR UPDATE'
    const closing = await holdRows(market, sandbox, [body.sandboxPartyId])
    const closed = operator('POST', `Developers/${body.id}/Close`)
    await untilWaiting(market, 1)
    const made = await create(draft('made-meanwhile'))
    const listing = await holdRows(market, 'SELECT 1 FROM apps WHERE id = $1 FOR UPDATE', [
      made.body.id,
    ])
    try {
      const listed = list(made.body.id)
      await untilWaiting(market, 2)
      await closing.release()
      expect((await closed).status).toBe(200)
      await listing.release()
      expectProblem(await listed, 'conflict')
    } finally {
      await closing.release()
      await listing.release()
    }
    const app = await market.deps.db.app.findUniqueOrThrow({ where: { id: made.body.id } })
    expect(app.listed).toBe(false)
  })
})
