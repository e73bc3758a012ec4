import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { SYSTEM } from '../../../src/base/values/actor.ts'
import { createParty } from '../../../src/identity/accounts/parties-service.ts'
import { createUser } from '../../../src/identity/accounts/users-service.ts'
import { closeParty } from '../../../src/marketplace/suspension/close-service.ts'
import { LIST_SIZES } from '../../../src/web/kit/list-page.ts'
import { auditCount, operatorConsole, operatorWithCode } from '../../setup/operator.ts'
import { newAddress } from '../../setup/people.ts'
import { hiddenFields, mainOf, signedIn } from '../../setup/web-client.ts'

const { market, operator, db, userIdOf } = operatorConsole()

const newUser = (more: object = {}) =>
  createUser(market().deps, { email: newAddress(), name: `User ${randomUUID()}`, ...more })
const newUsers = async (count: number) => {
  const users = []
  for (let at = 0; at < count; at++) users.push(await newUser())
  return users
}
const chosen = (things: readonly { id: string | number }[]) =>
  things.map(({ id }) => `id=${id}`).join('&')
const isSuspended = async ({ id }: { id: string }) =>
  (await db().user.findUniqueOrThrow({ where: { id } })).suspendedAt !== null
const states = (users: readonly { id: string }[]) => Promise.all(users.map(isSuspended))

/** Opens the page that asks, and sends its form. */
async function confirm(path: string, query: string, fields: Record<string, string> = {}) {
  const { text } = await operator().get(`${path}?${query}`)
  return operator().post(path, { ...hiddenFields(mainOf({ text })), ...fields })
}
const noticeAt = async (path: string) => mainOf(await operator().get(path))

describe('several entries of a list', () => {
  test.each(['Parties', 'Users', 'Developers', 'Apps', 'Installations'])(
    '%s have boxes with names, and buttons that ask',
    async (list) => {
      const { text } = await operator().get(`/Operator/${list}`)
      expect(text).toMatch(
        /<input type="checkbox" name="id" value="[^"]+"><span\s+class="visually-hidden">Select <bdi>[^<]/,
      )
      for (const action of ['Suspend', 'Resume']) {
        expect(text).toContain(`formaction="/Operator/${list}/${action}"`)
        const [, id = ''] = /name="id" value="([^"]+)"/.exec(text) ?? []
        const page = await operator().get(`/Operator/${list}/${action}?id=${id}`)
        expect([page.status, page.text.includes(`${action} 1 `)]).toEqual([200, true])
      }
    },
  )

  test('are suspended with one reason, and resumed; the list says how many', async () => {
    const users = await newUsers(3)
    const page = await operator().get(`/Operator/Users/Suspend?${chosen(users)}`)
    for (const { name } of users) expect(page.text).toContain(`<li><bdi>${name}</bdi></li>`)
    const answer = await confirm('/Operator/Users/Suspend', `from=q%3DUser&${chosen(users)}`, {
      reason: 'Unpaid.',
    })
    expect([answer.status, answer.location]).toEqual([303, '/Operator/Users?q=User'])
    expect(await noticeAt('/Operator/Users?q=User')).toContain(
      '3 users were suspended, effective immediately.',
    )
    expect(await states(users)).toEqual([true, true, true])
    await confirm('/Operator/Users/Resume', chosen(users))
    expect(await noticeAt('/Operator/Users')).toContain('3 users were resumed.')
    expect(await states(users)).toEqual([false, false, false])
  })

  test('are as many as the largest page has, and its filters and order beside them', async () => {
    const ids = Array.from({ length: Number(LIST_SIZES.at(-1)) }, () => ({ id: randomUUID() }))
    const from = encodeURIComponent('q=User&suspended=false&sort=-email&size=80')
    const answer = await operator().get(`/Operator/Users/Suspend?from=${from}&${chosen(ids)}`)
    expect([answer.status, answer.location]).toEqual([
      303,
      '/Operator/Users?q=User&suspended=false&sort=-email&size=80',
    ])
  })

  test('of which some cannot be changed are told exactly, and stay chosen', async () => {
    const self = { id: await userIdOf(market().demo.operator.email) }
    const users = await newUsers(2)
    const answer = await confirm('/Operator/Users/Suspend', chosen([...users, self]), {
      reason: 'Unpaid.',
    })
    expect(answer.text).toContain('2 users were suspended, effective immediately, 1 was not.')
    expect(answer.text).toContain('You cannot suspend yourself.')
    expect(hiddenFields(mainOf(answer)).ids).toBe(self.id)
    expect(await states([...users, self])).toEqual([true, true, false])

    const other = await newUser()
    const resumed = await confirm('/Operator/Users/Resume', chosen([other, ...users]))
    expect(resumed.text).toContain('2 users were resumed, 1 was not.')
    expect(resumed.text).toContain(`${other.name}: Not suspended.`)
  })

  test('of which one is closed are told so', async () => {
    const open = await createParty(market().deps, { name: `Open ${randomUUID()}`, type: 'Buyer' })
    const shut = await createParty(market().deps, { name: `Shut ${randomUUID()}`, type: 'Buyer' })
    await closeParty(market().deps, shut.id, SYSTEM)
    const answer = await confirm('/Operator/Parties/Suspend', chosen([open, shut]), {
      reason: 'Unpaid.',
    })
    expect(answer.text).toContain(`${shut.name}: This account is closed for good.`)
    expect(answer.text).toContain('1 account was suspended')
  })

  test('need a reason before anything is done, and keep the choice', async () => {
    const users = await newUsers(2)
    const answer = await confirm('/Operator/Users/Suspend', chosen(users), { reason: ' ' })
    expect([answer.status, answer.text.includes('Enter a reason.')]).toEqual([422, true])
    expect(hiddenFields(mainOf(answer)).ids?.split(' ').sort()).toEqual(
      users.map(({ id }) => id).sort(),
    )
    expect(await states(users)).toEqual([false, false])
  })

  test('are at least one, and at most 100', async () => {
    const many = Array.from({ length: 101 }, () => ({ id: randomUUID() }))
    for (const [query, text] of [
      ['', 'Choose at least one user.'],
      [chosen(many.slice(0, 50)), 'What you chose is not here any more.'],
      [`id=${randomUUID()}`, 'What you chose is not here any more.'],
      ['id=x%27&id=', 'What you chose is not here any more.'],
    ]) {
      const { status, location } = await operator().get(`/Operator/Users/Resume?${query}`)
      expect([query, status, location]).toEqual([query, 303, '/Operator/Users'])
      expect(await noticeAt('/Operator/Users')).toContain(text)
    }
    const ids = many.map(({ id }) => id).join(' ')
    await operator().send('/Operator/Users/Resume', { ids })
    expect(await noticeAt('/Operator/Users')).toContain('Choose at most 100 users.')
  })

  test('of which one is not there are not changed before somebody has looked again', async () => {
    const [user = await newUser()] = await newUsers(1)
    await confirm('/Operator/Users/Suspend', chosen([user]), { reason: 'Unpaid.' })
    const query = `id=${user.id}&id=${randomUUID()}&id=${user.id}`
    const page = await operator().get(`/Operator/Users/Resume?${query}`)
    expect(page.text).toContain('1 of those you chose is not here any more.')
    const fields = hiddenFields(mainOf(page))
    expect(fields.ids).toBe(user.id)
    const ids = `${user.id} ${randomUUID()}`
    const answer = await operator().submit('/Operator/Users/Resume', { ...fields, ids })
    expect([answer.status, answer.text.includes('Nothing was done')]).toEqual([409, true])
    expect(await isSuspended(user)).toBe(true)
  })

  test('are changed once by two clicks', async () => {
    const users = await newUsers(2)
    const { text } = await operator().get(`/Operator/Users/Suspend?${chosen(users)}`)
    const form = { ...hiddenFields(mainOf({ text })), reason: 'Unpaid.' }
    const before = await auditCount(market())
    const answers = await Promise.all(
      [1, 2].map(() => operator().submit('/Operator/Users/Suspend', form)),
    )
    expect(answers.map(({ location }) => location)).toEqual(['/Operator/Users', '/Operator/Users'])
    expect(await auditCount(market())).toBe(before + 2)
  })

  test('have no boxes for support, whose form is refused', async () => {
    const support = await signedIn(market(), await newUser({ support: true, password: undefined }))
    const user = await newUser()
    const list = await support.get('/Operator/Users')
    expect([list.status, list.text.includes('name="id"')]).toEqual([200, false])
    const page = await support.get(`/Operator/Users/Suspend?id=${user.id}`)
    expect([page.status, page.text.includes('name="ids"')]).toEqual([200, false])
    const { _csrf = '' } = hiddenFields(list.text)
    const form = { _csrf, ids: user.id, reason: 'Unpaid.' }
    expect((await support.submit('/Operator/Users/Suspend', form)).status).toBe(403)
    expect(await isSuspended(user)).toBe(false)
  })

  test('stay chosen while a recent code is asked for', async () => {
    const browser = await (await operatorWithCode(market())).browser()
    const user = await newUser()
    const { text } = await browser.get(`/Operator/Users/Suspend?id=${user.id}`)
    market().advance(1200)
    const form = { ...hiddenFields(mainOf({ text })), reason: 'Unpaid.' }
    const { location } = await browser.submit('/Operator/Users/Suspend', form)
    expect(location).toMatch(/^\/Account\/Confirm\?next=/)
    const next = new URLSearchParams(location?.split('?')[1]).get('next') ?? ''
    const again = await browser.get(next)
    expect(hiddenFields(mainOf(again)).ids).toBe(user.id)
    expect(again.text).toContain('Unpaid.')
    expect(await isSuspended(user)).toBe(false)
  })
})

describe('several users of an account', () => {
  test('are removed from it; nobody else is', async () => {
    const party = await createParty(market().deps, { name: `Of ${randomUUID()}`, type: 'Buyer' })
    const members = []
    for (let at = 0; at < 2; at++) members.push(await newUser({ partyIds: [party.id] }))
    const stranger = await newUser()
    const list = `/Operator/Users?partyId=${party.id}`
    const path = `/Operator/Parties/${party.id}/Members/Remove`
    expect((await operator().get(list)).text).toContain(`formaction="${path}"`)
    const page = await operator().get(`${path}?${chosen([...members, stranger])}`)
    expect([page.text.includes(stranger.name), page.text.includes('Remove 2 users')]).toEqual([
      false,
      true,
    ])
    const answer = await confirm(path, chosen(members))
    expect(answer.location).toBe(list)
    expect(await noticeAt(list)).toContain('2 users were removed from the account.')
    expect(await db().membership.count({ where: { partyId: party.id } })).toBe(0)
  })
})
