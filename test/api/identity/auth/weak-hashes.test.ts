import { randomUUID } from 'node:crypto'
import argon2 from 'argon2'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { AppError } from '../../../../src/errors.ts'
import { createDeveloper } from '../../../../src/identity/accounts/developers-service.ts'
import { createUser } from '../../../../src/identity/accounts/users-service.ts'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { call } from '../../../setup/client.ts'
import { webClient } from '../../../setup/web-client.ts'

const { hash } = argon2
let market: TestMarketplace
beforeAll(async () => {
  market = await startMarketplace({ hashCost: {} })
})
afterAll(() => market.close())
afterEach(async () => {
  vi.restoreAllMocks()
  await market.deps.pool.query('DELETE FROM login_failures')
})

const signIn = (body: object) => call(market, 'POST', '/v1/Auth', { body })

describe('a hash that was made with weaker parameters', () => {
  const WEAK = { type: argon2.argon2id, memoryCost: 8192, timeCost: 1, parallelism: 1 } as const
  const STRONG = /^\$argon2id\$v=19\$m=19456,(t=2,p=1|p=1,t=2)\$/
  const developers = () => market.deps.db.developerCredential
  const users = () => market.deps.db.user

  async function developer() {
    const made = await createDeveloper(market.deps, { name: randomUUID(), password: 'by hand 1' })
    const passwordHash = await hash(made.password, WEAK)
    await developers().update({ where: { clientId: made.clientId }, data: { passwordHash } })
    const stored = async () =>
      (await developers().findUniqueOrThrow({ where: { clientId: made.clientId } })).passwordHash
    return { clientId: made.clientId, password: made.password, passwordHash, stored }
  }
  async function user() {
    const email = `${randomUUID()}@example.com`
    const made = await createUser(market.deps, { email, name: 'X', partyIds: [] })
    const passwordHash = await hash(made.password, WEAK)
    await users().update({ where: { email }, data: { passwordHash } })
    const stored = async () => (await users().findUniqueOrThrow({ where: { email } })).passwordHash
    return { email, password: made.password, passwordHash, stored }
  }
  const signInUser = (body: object) => call(market, 'POST', '/v1/Account/Auth', { body })

  test('is replaced at the next sign-in of a developer, who notices nothing', async () => {
    const { stored, passwordHash, ...credentials } = await developer()
    expect((await signIn({ ...credentials, password: 'wrong' })).status).toBe(401)
    expect(await stored()).toBe(passwordHash)
    expect((await signIn(credentials)).status).toBe(200)
    const renewed = await stored()
    expect(renewed).toMatch(STRONG)
    expect((await signIn(credentials)).status).toBe(200)
    expect(await stored()).toBe(renewed)
    expect((await signIn({ ...credentials, password: 'wrong' })).status).toBe(401)
  })

  test('is replaced at the next sign-in of a user, by API and in the browser', async () => {
    const { stored, email, password } = await user()
    expect((await signInUser({ email, password })).status).toBe(200)
    expect(await stored()).toMatch(STRONG)
    const other = await user()
    expect((await webClient(market).login(other)).status).toBe(303)
    expect(await other.stored()).toMatch(STRONG)
  })

  test('does not overwrite a password that was changed in the meantime', async () => {
    for (const [one, send] of [
      [await developer(), signIn],
      [await user(), signInUser],
    ] as const) {
      const changed = await hash('another password', WEAK)
      vi.spyOn(argon2, 'hash').mockImplementationOnce((async (
        ...given: Parameters<typeof hash>
      ) => {
        await developers().updateMany({
          where: { passwordHash: one.passwordHash },
          data: { passwordHash: changed },
        })
        await users().updateMany({
          where: { passwordHash: one.passwordHash },
          data: { passwordHash: changed },
        })
        return hash(...given)
      }) as never)
      const { passwordHash: _hash, stored, ...credentials } = one
      expect((await send(credentials)).status).toBe(200)
      expect(await stored()).toBe(changed)
      expect((await send(credentials)).status).toBe(401)
    }
  })

  test('stays when there is no time for it, and the sign-in works all the same', async () => {
    const { stored, passwordHash, ...credentials } = await developer()
    vi.spyOn(market.deps.passwords, 'hash').mockRejectedValueOnce(new AppError('unavailable'))
    expect((await signIn(credentials)).status).toBe(200)
    expect(await stored()).toBe(passwordHash)
    expect((await signIn(credentials)).status).toBe(200)
    expect(await stored()).toMatch(STRONG)
  })
})
