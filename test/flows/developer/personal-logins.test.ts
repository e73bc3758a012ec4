import { randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createDeveloper } from '../../../src/identity/accounts/developers-service.ts'
import { type SharedMarketplace, sharedMarketplace } from '../../setup/app.ts'
import { call } from '../../setup/client.ts'
import { fullDraft } from '../../setup/customer.ts'
import { developerPerson } from '../../setup/developer-person.ts'
import { holdRows, untilWaiting } from '../../setup/turns.ts'
import { hiddenFields, type WebClient, webClient } from '../../setup/web-client.ts'

type Developer = Awaited<ReturnType<typeof createDeveloper>>
let market: SharedMarketplace
let developer: Developer
beforeAll(async () => {
  market = await sharedMarketplace()
})
beforeEach(async () => {
  developer = await createDeveloper(market.deps, { name: `Acme ${randomUUID()}` })
})

const person = (role: 'owner' | 'member', ...places: Developer[]) =>
  developerPerson(market, role, places)

async function tokenOf({ clientId, password }: Developer): Promise<string> {
  return (await call(market, 'POST', '/v1/Auth', { body: { clientId, password } })).body.token
}

async function formOf(browser: WebClient, path: string): Promise<Record<string, string>> {
  return hiddenFields((await browser.get(path)).text)
}

async function createsApp(browser: WebClient) {
  const app = fullDraft()
  const fields = await formOf(browser, '/Developer/Apps/New')
  const sent = await browser.post('/Developer/Apps/New', {
    ...fields,
    definition: JSON.stringify(app),
    do: 'save',
  })
  return { app, sent }
}

describe('a person who works for a developer', () => {
  test('opens the developer console with the sign-in of the marketplace', async () => {
    const { browser } = await person('member', developer)
    const { status, text } = await browser.get('/Developer')
    expect(status).toBe(200)
    expect(text).toContain(`<bdi>${developer.name}</bdi>`)
    expect(text).toContain('Pat Person')
    expect(text).toContain('<a href="/Installed">Installed</a>')
    expect((await browser.get('/')).text).toContain('href="/Developer">Developer console</a>')
  })

  test('is led from the sign-in of the marketplace to the page asked for', async () => {
    const { user } = await person('member', developer)
    const browser = webClient(market)
    const asked = await browser.get('/Developer/Events')
    expect(asked.location).toBe('/login?next=%2FDeveloper%2FEvents')
    const { text } = await browser.get(asked.location ?? '')
    expect(text).toContain('to open the developer console')
    expect(text).toContain('A client ID is for programs')
    expect((await browser.login(user, '/Developer/Events')).location).toBe('/Developer/Events')
    expect((await browser.get('/Developer/Events')).status).toBe(200)
  })

  test('works under the own name: in the history, and in the audit trail', async () => {
    const { browser, user } = await person('member', developer)
    const { app, sent } = await createsApp(browser)
    expect(sent.location).toBe(`/Developer/Apps/${app.id}`)
    expect((await browser.get(`/Developer/Apps/${app.id}`)).text).toContain(
      'by <bdi>Pat Person</bdi>',
    )
    const entry = await market.deps.db.auditEvent.findFirstOrThrow({
      where: { action: 'app.created', subjectId: app.id },
    })
    expect(entry).toMatchObject({
      actorKind: 'user',
      actorId: user.id,
      actorDeveloperId: developer.id,
      developerId: developer.id,
    })
    const token = await tokenOf(developer)
    const trail = await call(market, 'GET', `/v1/Developer/Audit?subjectId=${app.id}`, { token })
    expect(trail.body[0].actor).toEqual({ kind: 'user', id: user.id })
  })

  test('of another developer finds nothing of this one', async () => {
    const other = await createDeveloper(market.deps, { name: `Other ${randomUUID()}` })
    const { browser } = await person('owner', developer)
    const { app } = await createsApp(browser)
    const stranger = await person('owner', other)
    expect((await stranger.browser.get(`/Developer/Apps/${app.id}`)).status).toBe(404)
  })

  test('leaves with one sign-out everything', async () => {
    const { browser } = await person('member', developer)
    const fields = await formOf(browser, '/Developer')
    expect((await browser.submit('/logout', fields)).location).toBe('/signed-out')
    expect((await browser.get('/Account')).location).toContain('/login')
    expect((await browser.get('/Developer')).location).toBe('/login?next=%2FDeveloper')
  })
})

describe('who works for several developers', () => {
  let other: Developer
  let browser: WebClient
  beforeEach(async () => {
    other = await createDeveloper(market.deps, { name: `Other ${randomUUID()}` })
    browser = (await person('owner', developer, other)).browser
  })
  const choose = async (developerId: string) =>
    browser.submit('/Developer/Choose', {
      ...(await formOf(browser, '/Developer/Choose')),
      developerId,
    })

  test('chooses one first, and the session keeps it', async () => {
    const asked = await browser.get('/Developer/Credentials')
    expect(asked.location).toBe('/Developer/Choose?next=%2FDeveloper%2FCredentials')
    const { text } = await browser.get(asked.location ?? '')
    expect(text).toContain(developer.name)
    expect(text).toContain(other.name)
    const chosen = await browser.submit('/Developer/Choose', {
      ...hiddenFields(text),
      developerId: other.id,
    })
    expect(chosen.location).toBe('/Developer/Credentials')
    const credentials = await browser.get('/Developer/Credentials')
    expect(credentials.text).toContain(other.clientId)
    expect(credentials.text).not.toContain(developer.clientId)
    await choose(developer.id)
    expect((await browser.get('/Developer/Credentials')).text).toContain(developer.clientId)
  })

  test.each(['a stranger’s', 'an unknown', 'a malformed'])(
    'cannot choose %s developer',
    async (what) => {
      const stranger = await createDeveloper(market.deps, { name: `Stranger ${randomUUID()}` })
      const ids = new Map([
        ['a stranger’s', stranger.id],
        ['an unknown', randomUUID()],
      ])
      expect((await choose(ids.get(what) ?? 'x')).status).toBe(404)
      expect((await browser.get('/Developer')).location).toContain('/Developer/Choose')
    },
  )
})

describe('from the next request on, the console is closed', () => {
  test('to who was removed', async () => {
    const { browser, user } = await person('member', developer)
    const token = await tokenOf(developer)
    const path = `/v1/Developer/Members/${user.id}`
    expect((await call(market, 'DELETE', path, { token })).status).toBe(204)
    const closed = await browser.get('/Developer')
    expect(closed.status).toBe(403)
    expect(closed.text).toContain('You do not work for a developer')
    expect((await browser.get('/Account')).status).toBe(200)
  })

  test('to a suspended user', async () => {
    const { browser, user } = await person('member', developer)
    const data = { suspendedAt: new Date() }
    await market.deps.db.user.update({ where: { id: user.id }, data })
    expect((await browser.get('/Developer')).location).toBe('/login?next=%2FDeveloper')
  })
})

describe('a member', () => {
  test('manages neither people nor credentials', async () => {
    const { browser, user } = await person('member', developer)
    const { text } = await browser.get('/Developer/Members')
    expect(text).toContain('Only owners manage members and credentials.')
    expect(text).not.toContain('href="/Developer/Credentials"')
    const { _csrf = '' } = hiddenFields(text)
    const fields = { _csrf, userId: user.id, role: 'owner' }
    const credential = await market.deps.db.developerCredential.findFirstOrThrow({
      where: { developerId: developer.id },
    })
    for (const path of [
      '/Developer/Members',
      `/Developer/Members/${user.id}/Remove`,
      '/Developer/Credentials',
      `/Developer/Credentials/${credential.id}/Remove`,
    ]) {
      const answer = await browser.submit(path, fields)
      expect(answer.status, path).toBe(403)
      expect(answer.text).toContain('Only an owner of the developer may do this')
    }
    expect((await browser.get('/Developer/Credentials')).status).toBe(403)
  })
})

test('everybody who works for a developer gets a file of its people, and nobody else does', async () => {
  const { user, browser } = await person('owner', developer)
  const other = await person('member', developer)
  const otherDeveloper = await createDeveloper(market.deps, { name: `Other ${randomUUID()}` })
  const stranger = await person('owner', otherDeveloper)
  const path = '/Developer/Members/Export'
  const { text } = await browser.get('/Developer/Members')
  expect(text).toContain('<p>2 members</p>')
  expect(text).toContain(`href="${path}">CSV<`)
  const [owners, members, theirs] = await Promise.all(
    [browser, other.browser, stranger.browser].map(async (one) => (await one.get(path)).text),
  )
  expect(members).toBe(owners)
  const [head, ...lines] = owners?.trimEnd().split('\r\n') ?? []
  expect(head).toBe('Name,Email,Role,State,Joined,User ID')
  expect(lines).toHaveLength(2)
  const own = lines.find((line) => line.endsWith(`,${user.id}`))
  expect(own).toContain(`,${user.email},Owner,Active,`)
  expect(theirs).toContain(stranger.user.id)
  expect(theirs).not.toContain(user.id)
})

describe('an owner', () => {
  test('makes credentials and removes them, without one of its own', async () => {
    const { browser } = await person('owner', developer)
    const made = await browser.post('/Developer/Credentials', {
      ...(await formOf(browser, '/Developer/Credentials')),
      clientId: `second-${developer.clientId}`,
    })
    expect(made.text).toContain('Copy the password now: it is shown only once.')
    const credential = await market.deps.db.developerCredential.findFirstOrThrow({
      where: { clientId: developer.clientId },
    })
    const path = `/Developer/Credentials/${credential.id}/Remove`
    const removed = await browser.submit(path, await formOf(browser, path))
    expect(removed.location).toBe('/Developer/Credentials')
  })

  test('gives another person the role of an owner, and may leave then', async () => {
    const { browser, user } = await person('owner', developer)
    const other = await person('member', developer)
    const rows = (await browser.get('/Developer/Members')).text.split('<li')
    expect(rows.find((row) => row.includes('(you)'))).not.toContain('Make')
    expect(rows.find((row) => row.includes(other.user.email))).toMatch(/Make\s+owner/)
    const { user: away } = await person('owner', developer)
    const data = { suspendedAt: new Date() }
    await market.deps.db.user.update({ where: { id: away.id }, data })
    const leave = `/Developer/Members/${user.id}/Remove`
    const { text } = await browser.get(leave)
    expect(text).toContain(`<h1><bdi>Leave ${developer.name}</bdi></h1>`)
    expect(text).toContain('You can no longer open this console.')
    const refused = await browser.post(leave, await formOf(browser, leave))
    expect(refused.status).toBe(409)
    expect(refused.text).toContain('This is the only owner who can sign in.')
    const sent = await browser.submit('/Developer/Members', {
      ...(await formOf(browser, '/Developer/Members')),
      userId: other.user.id,
      role: 'owner',
    })
    expect(sent.location).toBe('/Developer/Members')
    expect((await browser.submit(leave, await formOf(browser, leave))).location).toBe('/Account')
    expect((await browser.get('/Account')).text).toContain(`You left ${developer.name}.`)
    expect((await other.browser.get('/Developer/Credentials')).status).toBe(200)
  })
})

test('of two owners who remove each other at once, one stays', async () => {
  const owners = [await person('owner', developer), await person('owner', developer)]
  const ids = owners.map(({ user }) => user.id)
  const [first = '', second = ''] = ids.map((id) => `/Developer/Members/${id}/Remove`)
  const forms = [
    { path: second, fields: await formOf(owners[0]?.browser as WebClient, second) },
    { path: first, fields: await formOf(owners[1]?.browser as WebClient, first) },
  ]
  const lock = 'SELECT 1 FROM developers WHERE id = $1 FOR UPDATE'
  const held = await holdRows(market, lock, [developer.id])
  const sent = forms.map(({ path, fields }, index) => owners[index]?.browser.submit(path, fields))
  try {
    await untilWaiting(market, 2)
  } finally {
    await held.release()
  }
  const statuses = (await Promise.all(sent)).map((page) => page?.status)
  expect(statuses.sort()).toEqual([303, 403])
  const where = { developerId: developer.id }
  expect(await market.deps.db.developerMember.count({ where })).toBe(1)
})
