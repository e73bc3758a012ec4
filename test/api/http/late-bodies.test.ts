import { randomUUID } from 'node:crypto'
import { request } from 'node:http'
import { json } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { SYSTEM } from '../../../src/base/values/actor.ts'
import { inviteByOperator } from '../../../src/identity/people/invitations-service.ts'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { author } from '../../setup/apps.ts'
import { type Answer, accountToken, call } from '../../setup/client.ts'
import { newCustomer } from '../../setup/customer.ts'
import { type OperatorCalls, operatorCalls } from '../../setup/operator.ts'
import { tokenOf } from '../../setup/people.ts'

// Whoever loses a right while the body of a request is on its way cannot use it in that request.

let market: TestMarketplace
let operator: OperatorCalls
beforeAll(async () => {
  market = await startMarketplace()
})
afterAll(() => market.close())
beforeEach(async () => {
  operator = await operatorCalls(market)
})

/** Sends the headers, does something once they have let the caller in, and sends the body. */
async function sendLate(
  { method, path, token, body }: { method: string; path: string; token: string; body: unknown },
  meanwhile: () => Promise<Answer>,
): Promise<{ status: number | undefined; code: unknown }> {
  const checks = vi.spyOn(market.deps.principals, 'check')
  onTestFinished(() => checks.mockRestore())
  const sent = request(market.url + path, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  })
  const answered = new Promise<{ status: number | undefined; code: unknown }>((resolve, reject) => {
    sent.on('error', reject)
    sent.on('response', async (response) => {
      const { code } = (await json(response)) as { code?: unknown }
      resolve({ status: response.statusCode, code })
    })
  })
  sent.flushHeaders()
  await vi.waitFor(() => expect(checks).toHaveResolved(), 30_000)
  checks.mockRestore()
  expect((await meanwhile()).status).toBeLessThan(300)
  sent.end(JSON.stringify(body))
  return answered
}

async function newOperator() {
  const input = { email: `${randomUUID()}@example.com`, name: 'Olga Operator', partyIds: [] }
  const { body } = await operator('POST', 'Users', { ...input, operator: true })
  return { id: body.id as string, token: await accountToken(market, body) }
}

const invitation = () => ({ email: `${randomUUID()}@example.com`, name: 'Mallory', operator: true })

test('an operator who is suspended meanwhile invites nobody', async () => {
  const { id, token } = await newOperator()
  const invited = sendLate(
    { method: 'POST', path: '/v1/Operator/Invitations', token, body: invitation() },
    () => operator('POST', `Users/${id}/Suspend`, { reason: 'Left.' }),
  )
  expect(await invited).toEqual({ status: 401, code: 'invalid_token' })
})

test('an operator who loses the role meanwhile invites nobody', async () => {
  const { id, token } = await newOperator()
  const invited = sendLate(
    { method: 'POST', path: '/v1/Operator/Invitations', token, body: invitation() },
    () => operator('PATCH', `Users/${id}`, { operator: false }),
  )
  expect(await invited).toEqual({ status: 403, code: 'operator_required' })
})

test('a developer that is suspended meanwhile makes no credential', async () => {
  const { token } = await author(market)
  const path = '/v1/Developer'
  const { body } = await market.app.inject({ path, headers: { authorization: `Bearer ${token}` } })
  const { id } = JSON.parse(body)
  onTestFinished(async () => {
    await operator('POST', `Developers/${id}/Resume`)
  })
  const made = sendLate({ method: 'POST', path: `${path}/Credentials`, token, body: {} }, () =>
    operator('POST', `Developers/${id}/Suspend`, { reason: 'Late.' }),
  )
  expect(await made).toEqual({ status: 401, code: 'invalid_token' })
})

test('a user who is suspended meanwhile changes no profile', async () => {
  const { token, user } = await newCustomer(market)
  const changed = sendLate(
    { method: 'PATCH', path: '/v1/Account', token, body: { name: 'Someone Else' } },
    () => operator('POST', `Users/${user.id}/Suspend`, { reason: 'Left.' }),
  )
  expect(await changed).toEqual({ status: 401, code: 'invalid_token' })
})

test('an invited user who is suspended meanwhile does not accept by token', async () => {
  const { token, user } = await newCustomer(market)
  const { party } = await newCustomer(market)
  const input = { email: user.email, name: user.name, partyIds: [party.id] }
  const { link } = await inviteByOperator(market.deps, input, SYSTEM)
  const accepted = sendLate(
    {
      method: 'POST',
      path: '/v1/Account/Invitations/Accept',
      token,
      body: { token: tokenOf(link) },
    },
    () => operator('POST', `Users/${user.id}/Suspend`, { reason: 'Left.' }),
  )
  expect(await accepted).toEqual({ status: 401, code: 'invalid_token' })
})

test('a request that comes whole costs one check', async () => {
  const { token } = await newCustomer(market)
  const checks = vi.spyOn(market.deps.principals, 'check')
  onTestFinished(() => checks.mockRestore())
  const { status } = await call(market, 'PATCH', '/v1/Account', { token, body: { name: 'Whole' } })
  expect(status).toBe(200)
  expect(checks).toHaveBeenCalledTimes(1)
})
