import { describe, expect, test } from 'vitest'
import { createConnection } from '../../../src/identity/accounts/connections-service.ts'
import { createDeveloper } from '../../../src/identity/accounts/developers-service.ts'
import { createParty } from '../../../src/identity/accounts/parties-service.ts'
import { createUser } from '../../../src/identity/accounts/users-service.ts'
import { operatorConsole } from '../../setup/operator.ts'
import { hiddenFields, signedIn } from '../../setup/web-client.ts'

const { market, operator, db, buyer, userIdOf } = operatorConsole()

const deps = () => market().deps
const nameField = (text: string) => /<input id="name"[^>]* value="([^"]*)"/.exec(text)?.[1]
const newUser = (email: string, isOperator = false) =>
  createUser(deps(), { email, name: 'Edith', operator: isOperator })

describe('the name on the page of', () => {
  test.each(['Parties', 'Users', 'Developers'])('%s is corrected there', async (tab) => {
    const made = {
      Parties: () => createParty(deps(), { name: 'Misspelt', type: 'Buyer' }),
      Users: () => createUser(deps(), { name: 'Misspelt', email: 'misspelt@example.com' }),
      Developers: () => createDeveloper(deps(), { name: 'Misspelt' }),
    }[tab]
    const path = `/Operator/${tab}/${(await made?.())?.id}`
    expect(nameField((await operator().get(`${path}/Edit`)).text)).toBe('Misspelt')
    const answer = await operator().send(`${path}/Edit`, { name: ' Spelt <right> ' })
    expect(answer.location).toBe(`${path}`)
    const page = (await operator().get(`${path}`)).text
    expect(page).toContain(' were saved.')
    expect(page).toContain('<h1><bdi>Spelt &lt;right&gt;</bdi></h1>')
    expect((await operator().get('/Operator/Audit')).text).toContain(
      '<bdi>Misspelt → Spelt &lt;right&gt;</bdi>',
    )
    const wrong = await operator().send(`${path}/Edit`, { name: '' })
    expect([wrong.status, nameField(wrong.text)]).toEqual([422, ''])
    expect(wrong.text).toContain('id="name-error"')
    expect(wrong.text).toContain('Enter a name.')
  })

  test.each(['Parties', 'Developers'])(
    '%s is that of another one only when it is meant',
    async (tab) => {
      const isParty = tab === 'Parties'
      const create = (name: string) =>
        isParty ? createParty(deps(), { name, type: 'Buyer' }) : createDeveloper(deps(), { name })
      const [{ id }] = await Promise.all([create('Its own'), create('Taken')])
      const path = `/Operator/${tab}/${id}`
      const asked = await operator().send(`${path}/Edit`, { name: 'Taken' })
      expect(asked.status).toBe(409)
      expect(asked.text).toContain('id="again"')
      expect(nameField(asked.text)).toBe('Taken')
      for (const again of ['true', '']) {
        const answer = await operator().send(`${path}/Edit`, { name: 'Taken', again })
        expect(answer.location).toBe(`${path}`)
      }
    },
  )
})

describe('the operator flag on the page of a user', () => {
  const isOperator = async (email: string) =>
    (await db().user.findUniqueOrThrow({ where: { email } })).operator

  test('is given and taken, from the next request on', async () => {
    const user = await newUser('given@example.com')
    const path = `/Operator/Users/${user.id}`
    const browser = await signedIn(market(), user)
    for (const [given, status] of [
      [true, 200],
      [false, 404],
    ] as const) {
      const shown = hiddenFields((await operator().get(`${path}/Edit`)).text)
      const sent = { ...shown, name: 'Edith', ...(given && { operator: 'true' }) }
      await operator().send(`${path}/Edit`, sent)
      expect(await isOperator(user.email)).toBe(given)
      expect((await browser.get('/Operator')).status).toBe(status)
    }
  })

  test('is not changed back by a form that was opened before somebody else changed it', async () => {
    const { id, email } = await newUser('meanwhile@example.com')
    const path = `/Operator/Users/${id}`
    const old = hiddenFields((await operator().get(`${path}/Edit`)).text)
    await db().user.update({ where: { id }, data: { operator: true } })
    await operator().send(`${path}/Edit`, { ...old, name: 'Edit Meanwhile' })
    expect(await db().user.findUnique({ where: { email } })).toMatchObject({
      name: 'Edit Meanwhile',
      operator: true,
    })
  })

  test('stays with oneself; the form says why beside it', async () => {
    const { email } = market().demo.operator
    const path = `/Operator/Users/${await userIdOf(email)}`
    const shown = hiddenFields((await operator().get(`${path}/Edit`)).text)
    const answer = await operator().send(`${path}/Edit`, { ...shown, name: 'Typed' })
    expect(answer.status).toBe(409)
    expect(answer.text).toContain('id="operator-error"')
    expect(answer.text).toContain('<bdi>You cannot take the operator flag from yourself')
    expect(nameField(answer.text)).toBe('Typed')
    expect(await isOperator(email)).toBe(true)
  })
})

test('the email of a user is not changed back by a form that was opened before somebody else changed it', async () => {
  const { id } = await newUser('former@example.com')
  const path = `/Operator/Users/${id}`
  const page = (await operator().get(`${path}/Edit`)).text
  const email = /<input id="email"[^>]* value="([^"]*)"/.exec(page)?.[1] ?? ''
  expect(email).toBe('former@example.com')
  await db().user.update({ where: { id }, data: { email: 'newer@example.com' } })
  await operator().send(`${path}/Edit`, { ...hiddenFields(page), name: 'Edit Meanwhile', email })
  expect(await db().user.findUnique({ where: { id } })).toMatchObject({
    name: 'Edit Meanwhile',
    email: 'newer@example.com',
  })
})

describe('a page that shows the first entries', () => {
  const names = (text: string) =>
    [...text.matchAll(/class="row-name" href="\/Operator\/Parties\/(\d+)"/g)].map(([, id]) => id)

  async function following(path: string): Promise<{ ids: (string | undefined)[]; text: string }> {
    const ids: (string | undefined)[] = []
    let all = ''
    for (let next: string | undefined = path; next !== undefined; ) {
      const { text } = await operator().get(next)
      all += text
      ids.push(...names(text))
      next = /rel="next" href="([^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&')
    }
    return { ids, text: all }
  }

  const showAll = (text: string) =>
    /href="([^"]+)">Show all</.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? ''

  test('leads to all connections, each of which can be ended', async () => {
    const seller = await createParty(deps(), { name: 'Sells to many', type: 'Seller' })
    const ids: string[] = []
    for (let count = 0; count < 45; count++) {
      const { id } = await createParty(deps(), { name: `Many ${count}`, type: 'Buyer' })
      await createConnection(deps(), { buyerId: id, sellerId: seller.id })
      ids.push(String(id))
    }
    const path = `/Operator/Parties/${seller.id}`
    const page = (await operator().get(path)).text
    expect(names(page)).toEqual(ids.slice(0, 20))
    const all = await following(showAll(page))
    expect(all.ids).toEqual(ids)
    expect(all.text).toContain(`connected with account <a href="${path}">`)
    const removal = `${path}/Connections/${ids.at(-1)}/Remove`
    expect(all.text).toContain(`href="${removal}"`)
    expect((await operator().get(removal)).text).toContain('and Many 44')
    await operator().send(removal)
    expect(await db().connection.count({ where: { sellerId: seller.id } })).toBe(44)
    expect((await operator().get(removal)).status).toBe(404)
  })

  test('leads to all parties of a user, and all users of a party', async () => {
    const { id } = await newUser('member@example.com')
    const parties = await Promise.all(
      Array.from({ length: 25 }, (_, count) =>
        createParty(deps(), { name: `Joined ${count}`, type: 'Buyer' }),
      ),
    )
    await db().membership.createMany({
      data: parties.map((party) => ({ userId: id, partyId: party.id })),
    })
    const ids = parties.map((party) => party.id).sort((a, b) => a - b)
    const page = (await operator().get(`/Operator/Users/${id}`)).text
    expect(names(page)).toEqual(ids.slice(0, 20).map(String))
    const all = await following(showAll(page))
    expect(all.ids).toEqual(ids.map(String))
    const removal = `/Operator/Users/${id}/Memberships/${ids.at(-1)}/Remove`
    expect(all.text).toContain(`href="${removal}"`)
    expect((await operator().get(removal)).status).toBe(200)
    const users = await operator().get(`/Operator/Users?partyId=${buyer().partyId}`)
    expect(users.text).toContain(`/Memberships/${buyer().partyId}/Remove"`)
  })
})

test('the page of an app links its website and its support', async () => {
  const { text } = await operator().get('/Operator/Apps/price-sync')
  const app = await db().app.findUniqueOrThrow({ where: { id: 'price-sync' } })
  for (const url of [app.websiteUrl, app.supportUrl]) {
    expect(url).toMatch(/^https:/)
    expect(text).toContain(`<a href="${url}" rel="noopener noreferrer nofollow">`)
  }
})
