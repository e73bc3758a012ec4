import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { SYSTEM } from '../../../src/base/values/actor.ts'
import {
  createCredential,
  removeOwnCredential,
} from '../../../src/identity/accounts/credentials-service.ts'
import { type SharedMarketplace, sharedMarketplace } from '../../setup/app.ts'
import { call } from '../../setup/client.ts'
import { newDeveloper } from '../../setup/console.ts'

let market: SharedMarketplace
let developer: Awaited<ReturnType<typeof newDeveloper>>
beforeAll(async () => {
  market = await sharedMarketplace()
})
beforeEach(async () => {
  developer = await newDeveloper(market)
})

describe('the credentials', () => {
  test('are made with a password that shows once, at most two, and removed', async () => {
    const console = developer.browser
    const made = await console.send('/Credentials', { clientId: 'second-one' })
    expect(made.status).toBe(200)
    const password = /<dt>Password<\/dt><dd><bdi><code data-copy>([^<]+)/.exec(made.text)?.[1] ?? ''
    expect((await console.get('/Credentials')).text).not.toContain(password)
    const body = { clientId: 'second-one', password }
    expect((await call(market, 'POST', '/v1/Auth', { body })).status).toBe(200)
    const third = await console.send('/Credentials', { clientId: 'third-one' })
    expect(third.status).toBe(409)
    expect(third.text).toContain('at most 2 live credentials')
    expect(third.text).toContain('value="third-one"')
    const where = { clientId: 'second-one' }
    const { id } = await market.deps.db.developerCredential.findUniqueOrThrow({ where })
    expect(made.text).toContain(`/Developer/Credentials/${id}/Remove`)
    const removal = `/Credentials/${id}/Remove`
    const { browser: stranger } = await newDeveloper(market)
    expect((await stranger.send(removal)).status).toBe(404)
    const clicks = await Promise.all([console.send(removal), console.send(removal)])
    for (const { location } of [...clicks, await console.send(removal)]) {
      expect(location).toBe('/Developer/Credentials')
    }
    expect((await console.get('/Credentials')).text).toContain(' was removed.')
    expect((await console.get('/Credentials')).text).not.toContain(' was removed.')
    expect((await stranger.send(removal)).status).toBe(404)
    expect((await call(market, 'POST', '/v1/Auth', { body })).status).toBe(401)
    for (const [clientId, status] of [
      ['x', 422],
      ['second-one', 409],
      ['northwind', 409],
    ] as const) {
      const answer = await console.send('/Credentials', { clientId })
      expect([answer.status, answer.text.includes('id="clientId-error"')]).toEqual([status, true])
    }
  })

  test('of two who remove each other’s at once, one remains', async () => {
    const { deps } = market
    const { clientId } = developer
    const first = await deps.db.developerCredential.findUniqueOrThrow({ where: { clientId } })
    const { id, developerId } = first
    for (let round = 0; round < 5; round++) {
      const second = await createCredential(deps, developerId, {}, SYSTEM)
      const remove = (usedId: string, other: string) =>
        removeOwnCredential(deps, { developerId, usedId, actor: SYSTEM }, other)
      const outcomes = await Promise.allSettled([remove(id, second.id), remove(second.id, id)])
      expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
      const where = { developerId, removedAt: null }
      expect(await deps.db.developerCredential.count({ where })).toBe(1)
      await deps.db.developerCredential.deleteMany({ where: { id: second.id } })
      await deps.db.developerCredential.update({
        where: { id },
        data: { removedAt: null, slot: first.slot },
      })
    }
  })
})
