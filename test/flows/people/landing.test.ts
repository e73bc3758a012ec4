import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SYSTEM } from '../../../src/base/values/actor.ts'
import { createDeveloper } from '../../../src/identity/accounts/developers-service.ts'
import { inviteByOperator } from '../../../src/identity/people/invitations-service.ts'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { newAddress, tokenOf } from '../../setup/people.ts'
import { hiddenFields, webClient } from '../../setup/web-client.ts'

const PASSWORD = 'correct horse battery'

let market: TestMarketplace
beforeAll(async () => {
  market = await startMarketplace()
})
afterAll(() => market.close())

async function invite(grants: object) {
  const email = newAddress()
  const person = { email, name: 'New Person', ...grants }
  const { link } = await inviteByOperator(market.deps, person, SYSTEM)
  return { email, link: link ?? '' }
}
const pathOf = (link: string) => `/invitation?token=${tokenOf(link)}`

describe('a person without an account', () => {
  test('lands in the developer console after the invitation, and at later sign-ins', async () => {
    const { id: developerId } = await market.deps.db.developer.findFirstOrThrow()
    const { email, link } = await invite({ developerId, role: 'member' })
    const person = webClient(market)
    const fields = hiddenFields((await person.get(pathOf(link))).text)
    const chosen = { ...fields, newPassword: PASSWORD, repeatedPassword: PASSWORD }
    expect((await person.post('/invitation', chosen)).location).toBe('/Developer')
    // The same person accepts an invitation of another developer.
    const other = await createDeveloper(market.deps, { name: 'Second Tools' })
    const again = { email, name: 'New Person', developerId: other.id, role: 'member' as const }
    const invited = pathOf((await inviteByOperator(market.deps, again, SYSTEM)).link ?? '')
    const accept = hiddenFields((await person.get(invited)).text)
    expect((await person.submit('/invitation', accept)).location).toBe('/Developer')
    const later = webClient(market)
    expect((await later.login({ email, password: PASSWORD })).location).toBe('/Developer')
    expect((await webClient(market).login({ email, password: PASSWORD }, '/Apps')).location).toBe(
      '/Apps',
    )
  })
})
