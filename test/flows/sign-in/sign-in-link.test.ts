import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isSecretOf, secretHash } from '../../../src/base/secrets/findable-secret.ts'
import { createUser } from '../../../src/identity/accounts/users-service.ts'
import { createSignInLink } from '../../../src/identity/single-sign-on/sign-in-link-service.ts'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { call } from '../../setup/client.ts'
import { expectProblem } from '../../setup/expect-problem.ts'
import { tokenOf } from '../../setup/people.ts'
import { demoUser, hiddenFields, type Page, webClient } from '../../setup/web-client.ts'

let market: TestMarketplace
beforeAll(async () => {
  market = await startMarketplace()
})
afterAll(() => market.close())

describe('a link that signs an operator in', () => {
  const linkOf = async (email = market.demo.operator.email) =>
    (await createSignInLink(market.deps, email)).link.slice(market.url.length)
  const tokenIn = (path: string) => tokenOf(market.url + path)
  const follow = async (path: string, browser = webClient(market)) => {
    const page = await browser.get(path)
    expect(page.status).toBe(200)
    return browser.submit('/signin/link', hiddenFields(page.text))
  }

  const expectNoLink = (page: Page) => {
    expect(page.status).toBe(422)
    expect(page.text).toContain('This link signs nobody in')
  }

  test('opens one session, and nothing before its form is sent', async () => {
    const path = await linkOf()
    const browser = webClient(market)
    expect((await browser.get(path)).text).toContain('This link signs you in once.')
    const answer = await follow(path, browser)
    expect(answer.location).toBe('/Operator')
    expect((await browser.get('/Operator')).status).toBe(200)
    expectNoLink(await follow(path))
  })

  test('is used once of 20 times at once', async () => {
    const path = await linkOf()
    const answers = await Promise.all(Array.from({ length: 20 }, () => follow(path)))
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1)
  })

  test('ends after ten minutes, and with the tokens of its user', async () => {
    const late = await linkOf()
    market.advance(601)
    expectNoLink(await follow(late))
    market.advance(-601)
    const ended = await linkOf()
    const { email } = market.demo.operator
    const data = { tokenGeneration: { increment: 1 } }
    await market.deps.db.user.update({ where: { email }, data })
    const refused = await follow(ended)
    expect(refused.status).toBe(403)
    expect(refused.text).toContain('has changed')
  })

  test('signs nobody in who is no operator any more', async () => {
    const person = { email: 'former@operators.example', name: 'Fay Former', partyIds: [] }
    const { id, email } = await createUser(market.deps, { ...person, operator: true })
    const path = await linkOf(email)
    await market.deps.db.user.update({ where: { id }, data: { operator: false } })
    expectNoLink(await follow(path))
  })

  test('has the form by which scanners find secrets, and only its hash is stored', async () => {
    const token = tokenIn(await linkOf())
    expect(isSecretOf('link', token)).toBe(true)
    const where = { secretSha256: secretHash(token) }
    const { purpose, createdAt, expiresAt } = await market.deps.db.linkToken.findUniqueOrThrow({
      where,
    })
    expect(purpose).toBe('sign_in')
    expect(expiresAt.getTime() - createdAt.getTime()).toBe(600_000)
    const stored = await market.deps.db.$queryRaw<{ n: bigint }[]>`
      SELECT (SELECT count(*) FROM audit_events t WHERE t::text LIKE ${`%${token}%`})
        + (SELECT count(*) FROM link_tokens t WHERE t::text LIKE ${`%${token}%`}) AS n`
    expect(stored).toEqual([{ n: 0n }])
  })

  test('ends when a newer one is made for the same operator', async () => {
    const older = await linkOf()
    const newer = await linkOf()
    expectNoLink(await follow(older))
    expect((await follow(newer)).status).toBe(303)
  })

  test('ends when it is reported as a secret', async () => {
    const path = await linkOf()
    const body = { secret: tokenIn(path) }
    expect((await call(market, 'POST', '/v1/Secrets/Report', { body })).status).toBe(202)
    expectNoLink(await follow(path))
  })

  test('sets no password', async () => {
    const body = { token: tokenIn(await linkOf()), password: 'correct horse battery' }
    const answer = await call(market, 'POST', '/v1/Account/PasswordReset/Complete', { body })
    expectProblem(answer, 'invalid_link')
  })

  test('is refused when it is made up', async () => {
    expectNoLink(await follow('/signin/link?token=abc'))
    expectNoLink(await follow('/signin/link'))
  })

  test('is made for operators only', async () => {
    await expect(linkOf(demoUser(market, 'Seller').email)).rejects.toMatchObject({
      code: 'conflict',
    })
    await expect(linkOf('nobody@x.example')).rejects.toMatchObject({ code: 'not_found' })
  })
})
