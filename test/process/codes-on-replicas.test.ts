import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestMarketplace } from '../setup/app.ts'
import { call } from '../setup/client.ts'
import { CODE_APP, openForCode, RETURN_URL, redeem } from '../setup/code-flow.ts'
import { setReturnUrl } from '../setup/redirect.ts'
import { type Replicas, startReplicas } from '../setup/replicas.ts'

let replicas: Replicas
beforeAll(async () => {
  replicas = await startReplicas()
  await setReturnUrl(replicas, CODE_APP, RETURN_URL)
})
afterAll(() => replicas.close())

/** One of the servers, as the helpers of flows know a marketplace. */
const marketOf = (name: 'one' | 'two') =>
  ({ ...replicas, url: replicas[name].url }) as unknown as TestMarketplace

test('a code of one replica is exchanged on the other; its second use ends the token on both', async () => {
  const [one, two] = [marketOf('one'), marketOf('two')]
  const flow = await openForCode(one)
  const { status, body } = await redeem(two, flow)
  expect(status).toBe(200)
  const token = body.access_token
  const statusOn = async (market: TestMarketplace) =>
    (await call(market, 'GET', '/v1/Installation', { token })).status
  expect(await statusOn(one)).toBe(200)
  expect((await redeem(one, flow)).body.error).toBe('invalid_grant')
  expect([await statusOn(one), await statusOn(two)]).toEqual([401, 401])
})

test('of 100 uses of one code on two replicas one gets a token', async () => {
  const flow = await openForCode(marketOf('one'))
  const markets = [marketOf('one'), marketOf('two')] as const
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, index) =>
      redeem(markets[index % 2 === 0 ? 0 : 1], flow, { client_secret: '' }),
    ),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(answers.filter(({ body }) => body.error === 'invalid_grant')).toHaveLength(99)
})
