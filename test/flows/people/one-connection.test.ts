import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { SYSTEM } from '../../../src/base/values/actor.ts'
import { inviteByOperator } from '../../../src/identity/people/invitations-service.ts'
import { createPasswordReset } from '../../../src/identity/people/password-resets-service.ts'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { demoInstallation } from '../../setup/client.ts'
import { developerConsole } from '../../setup/console.ts'
import { accept, complete, newAddress } from '../../setup/people.ts'
import { demoUser, hiddenFields, signedIn } from '../../setup/web-client.ts'

// When all connections are held by requests that wait for another one, nobody gets any. With one
// connection left, a single request would show it.

let market: TestMarketplace
let held: { release(): void }
beforeAll(async () => {
  market = await startMarketplace({ config: { databasePoolSize: 2 } })
  held = await market.deps.pool.connect()
})
afterAll(async () => {
  held?.release()
  await market?.close()
})

test('an account token is made with one connection to the database', async () => {
  const browser = await signedIn(market, demoUser(market, 'Seller'))
  const { _csrf = '' } = hiddenFields((await browser.get('/Account/Token')).text)
  const page = await browser.post('/Account/Token', { _csrf, lifetime: '900' })
  expect([page.status, page.text]).toEqual([200, expect.stringContaining('export TOKEN=')])
})

test('a test token is made with one connection to the database', async () => {
  const developer = await developerConsole(market)
  const path = `/Installations/${demoInstallation(market, 'price-sync', 'Seller').id}/TestToken`
  const page = await developer.send(path, { 'permission.products:read': 'yes' })
  expect([page.status, page.text]).toEqual([200, expect.stringContaining('TOKEN=')])
})

describe('no connection is held while a password is hashed:', () => {
  const PASSWORD = 'a password of eight words'

  /** The hash waits until somebody else has had the connection that is left. */
  function hashesThatNeedAConnection() {
    const { passwords, pool } = market.deps
    const hash = passwords.hash.bind(passwords)
    const hashes = vi.spyOn(passwords, 'hash').mockImplementation(async (...given) => {
      await pool.query('SELECT 1')
      return hash(...given)
    })
    onTestFinished(() => hashes.mockRestore())
    return hashes
  }
  async function invited(email: string) {
    const invitation = await inviteByOperator(market.deps, { email, name: 'Ina' }, SYSTEM)
    return { id: invitation.id, link: 'link' in invitation ? invitation.link : undefined }
  }

  test('of who accepts an invitation', async () => {
    const { link } = await invited(newAddress())
    const hashes = hashesThatNeedAConnection()
    expect((await accept(market, link, PASSWORD)).status).toBe(200)
    expect(hashes).toHaveBeenCalledTimes(1)
  })

  test('of who takes over a user by a mailed invitation', async () => {
    const { db } = market.deps
    const email = newAddress()
    const data = { email, name: 'Ina', passwordHash: 'none', emailProved: false }
    await db.user.create({ data })
    const { id, link } = await invited(email)
    await db.linkToken.update({ where: { id }, data: { mailed: true } })
    const hashes = hashesThatNeedAConnection()
    expect((await accept(market, link, PASSWORD)).status).toBe(200)
    expect(hashes).toHaveBeenCalledTimes(1)
    expect(await db.user.findUnique({ where: { email } })).toMatchObject({ emailProved: true })
  })

  test('of who sets a new password with a link', async () => {
    const { email } = demoUser(market, 'Buyer')
    const user = await market.deps.db.user.findUniqueOrThrow({ where: { email } })
    const { link } = {
      link: undefined,
      ...(await createPasswordReset(market.deps, user.id, SYSTEM)),
    }
    const hashes = hashesThatNeedAConnection()
    expect((await complete(market, link, PASSWORD)).status).toBe(200)
    expect(hashes).toHaveBeenCalledTimes(1)
    await signedIn(market, { email, password: PASSWORD })
  })
})
