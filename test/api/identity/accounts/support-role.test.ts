import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createUser } from '../../../../src/identity/accounts/users-service.ts'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { accountToken, call } from '../../../setup/client.ts'
import { expectProblem, pointersOf } from '../../../setup/expect-problem.ts'
import { hiddenFields, signedIn } from '../../../setup/web-client.ts'

let market: TestMarketplace
let token: string
beforeAll(async () => {
  market = await startMarketplace()
  token = await accountToken(market, market.demo.operator)
})
afterAll(() => market.close())

const newUser = (roles: { operator?: boolean; support?: boolean } = {}) =>
  createUser(market.deps, { email: `${randomUUID()}@example.com`, name: 'Sasha', ...roles })
const change = (id: string, body: unknown) =>
  call(market, 'PATCH', `/v1/Operator/Users/${id}`, { token, body })

describe('support', () => {
  test('is a role that an operator gives and takes, from the next request on', async () => {
    const user = await newUser()
    const own = await accountToken(market, user)
    const read = () => call(market, 'GET', '/v1/Operator/Parties', { token: own })
    expectProblem(await read(), 'operator_required')
    expect((await change(user.id, { support: true })).body).toMatchObject({ support: true })
    expect((await read()).status).toBe(200)
    expect((await call(market, 'GET', '/v1/Account', { token: own })).body.support).toBe(true)
    await change(user.id, { support: false })
    expectProblem(await read(), 'operator_required')
  })

  test('changes nothing, and is told so', async () => {
    const own = await accountToken(market, await newUser({ support: true }))
    const body = { name: 'X', type: 'Buyer' }
    const answer = await call(market, 'POST', '/v1/Operator/Parties', { token: own, body })
    expectProblem(answer, 'operator_required')
    expect(answer.body.detail).toContain('support, which changes nothing')
  })

  test('is no role of an operator', async () => {
    const operator = await newUser({ operator: true })
    const both = await change(operator.id, { support: true })
    expectProblem(both, 'unprocessable')
    expect(pointersOf(both)).toEqual(['/support'])
    const user = await newUser()
    expectProblem(await change(user.id, { operator: true, support: true }), 'unprocessable')
    const swapped = await change(operator.id, { operator: false, support: true })
    expect(swapped.body).toMatchObject({ operator: false, support: true })
  })

  test('looks at the pages of the operator console, and sends none of their forms', async () => {
    const browser = await signedIn(market, await newUser({ support: true }))
    const { id } = await newUser()
    expect((await browser.get('/')).text).toContain('href="/Operator"')
    for (const path of ['', '/Parties', `/Users/${id}`, '/Audit', '/Installations']) {
      const page = await browser.get(`/Operator${path}`)
      expect(page.status, path).toBe(200)
      expect(page.text).toContain('You have the role support')
    }
    const { _csrf = '' } = hiddenFields((await browser.get(`/Operator/Users/${id}`)).text)
    const sent = await browser.submit(`/Operator/Users/${id}/Password`, { _csrf, password: '' })
    expect(sent.status).toBe(403)
  })
})

describe('support', () => {
  test('sees no form of the operator console that only operators send', async () => {
    const browser = await signedIn(market, await newUser({ support: true }))
    const { id } = await newUser()
    const { partyId = 0 } = market.demo.users[0] ?? {}
    const party = `/Operator/Parties/${partyId}`
    for (const path of [
      ...['/Operator/Parties/New', '/Operator/Users/New', '/Operator/Developers/New'],
      ...[`/Operator/Users/${id}/Suspend`, `/Operator/Users/${id}/Remove`],
      ...[`/Operator/Users/${id}/Password`, `/Operator/Users/${id}/SecondFactor`],
      ...[`${party}/Suspend`, `${party}/Close`],
      ...[`${party}/Users`, `${party}/Users?user=nobody`, `${party}/Users?userId=${id}`],
    ]) {
      const { text } = await browser.get(path)
      expect(text, path).toContain('You have the role support')
      const main = text.slice(text.indexOf('<main'))
      expect([path, /<form|<input|<button|id="problems"/.exec(main)]).toEqual([path, null])
      expect(main).toContain('aria-label="Breadcrumb"')
    }
  })
})

describe('every route of operators', () => {
  test('says which role it needs', async () => {
    const { body } = await call(market, 'GET', '/openapi.json')
    const operations = Object.entries<Record<string, { description: string }>>(body.paths)
      .filter(([path]) => path.startsWith('/v1/Operator/'))
      .flatMap(([, methods]) => Object.entries(methods))
    expect(operations.length).toBeGreaterThan(30)
    for (const [method, { description }] of operations) {
      const role = method === 'get' ? 'operator or support' : 'operator'
      expect(description).toContain(`Needs the role ${role}.`)
    }
  })
})
