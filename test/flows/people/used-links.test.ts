import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SYSTEM } from '../../../src/base/values/actor.ts'
import { inviteByCommand } from '../../../src/identity/people/command-invitation-service.ts'
import { createPasswordReset } from '../../../src/identity/people/password-resets-service.ts'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { newAddress, tokenOf } from '../../setup/people.ts'
import { hiddenFields, signedIn, webClient } from '../../setup/web-client.ts'

const PASSWORD = 'correct horse battery'
const CHOSEN = { newPassword: PASSWORD, repeatedPassword: PASSWORD }

let market: TestMarketplace
let user: { email: string; password: string }
beforeAll(async () => {
  market = await startMarketplace()
  user = market.demo.users[0] ?? { email: '', password: '' }
})
afterAll(() => market.close())

const pageOf = (path: string, link: string) => `${path}?token=${tokenOf(link)}`

async function invitation() {
  const email = newAddress()
  const made = await inviteByCommand(
    market.deps,
    { email, name: 'New Person', operator: true },
    'hand over',
  )
  const { link } = made as { link: string }
  return { email, page: pageOf('/invitation', link) }
}

async function passwordReset() {
  const { id } = await market.deps.db.user.findFirstOrThrow({ where: { operator: false } })
  const { link } = await createPasswordReset(market.deps, id, SYSTEM)
  return { page: pageOf('/reset-password', link ?? '') }
}

describe('who uses a link while somebody else is signed in', () => {
  test('reads that the invitation is accepted, and can sign in', async () => {
    const { email, page } = await invitation()
    const other = await signedIn(market, user)
    const fields = { ...hiddenFields((await other.get(page)).text), ...CHOSEN }
    const answer = await other.submit('/invitation', fields)
    expect([answer.status, answer.location]).toEqual([303, '/invitation'])
    const done = await other.get('/invitation')
    expect(done.text).toContain('You have accepted the invitation.')
    expect(done.text).toContain(`signed in as <bdi>${user.email}</bdi>`)
    const left = await other.submit('/logout', hiddenFields(done.text))
    expect(left.location).toBe('/login?next=%2F')
    expect((await other.login({ email, password: PASSWORD })).location).toBe('/Operator')
  })

  test('reads that the password was changed', async () => {
    const { page } = await passwordReset()
    const other = await signedIn(market, market.demo.operator)
    const fields = { ...hiddenFields((await other.get(page)).text), ...CHOSEN }
    const answer = await other.submit('/reset-password', fields)
    expect([answer.status, answer.location]).toEqual([303, '/reset-password'])
    expect((await other.get('/reset-password')).text).toContain('Your password was changed.')
  })

  test.each([
    ['/invitation', invitation],
    ['/reset-password', passwordReset],
  ])('comes from %s to the account when the last page is loaded again', async (path, create) => {
    const { page } = await create()
    const other = await signedIn(market, market.demo.operator)
    await other.submit(path, { ...hiddenFields((await other.get(page)).text), ...CHOSEN })
    expect((await other.get(path)).status).toBe(200)
    const again = await other.get(path)
    expect([again.status, again.location]).toEqual([303, '/Account'])
  })
})

describe('Back to the page of a link that was used', () => {
  test.each([
    ['/invitation', invitation, 'The invitation is accepted already'],
    ['/reset-password', passwordReset, 'The password is changed already'],
  ])('says at %s that it is done, and leads on', async (path, create, done) => {
    const { page } = await create()
    const person = webClient(market)
    const form = { ...hiddenFields((await person.get(page)).text), ...CHOSEN }
    expect((await person.submit(path, form)).status).toBe(303)
    const back = await person.get(page)
    expect(back.status).toBe(410)
    expect(back.text).toContain(`<h1 id="heading">${done}</h1>`)
    expect(back.text).toContain('href="/Account">Go to your account</a>')
    expect(back.text).not.toContain('If you still need one')
  })
})

test('an address without its link asks for the whole one where nobody is signed in', async () => {
  for (const path of ['/invitation', '/reset-password']) {
    expect([path, (await webClient(market).get(path)).status]).toEqual([path, 410])
  }
})
