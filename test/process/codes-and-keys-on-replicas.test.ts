import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestMarketplace } from '../setup/app.ts'
import { runCli } from '../setup/cli.ts'
import {
  accountToken,
  call,
  demoInstallation,
  developerToken,
  untilTaken,
} from '../setup/client.ts'
import { CODE_APP, openForCode, RETURN_URL, redeem } from '../setup/code-flow.ts'
import { setReturnUrl } from '../setup/redirect.ts'
import { type Replicas, startReplicas, tokensOf } from '../setup/replicas.ts'
import type { ServerProcess } from '../setup/server-process.ts'

const LIST = '/v1/Developer/Installations?limit=1'
const PROFILE = '/v1/User/Profile'

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
      untilTaken(() => redeem(markets[index % 2 === 0 ? 0 : 1], flow, { client_secret: '' })),
    ),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(answers.filter(({ body }) => body.error === 'invalid_grant')).toHaveLength(99)
})

describe('the command keys rotate', () => {
  let developer: string
  let operator: string
  beforeAll(async () => {
    developer = await developerToken(marketOf('one'))
    operator = await accountToken(replicas.one, replicas.demo.operator)
  })

  async function cli(...words: string[]) {
    const { code, stdout, stderr } = await runCli('', words, { env: replicas.env })
    return { code, output: stdout + stderr }
  }
  const statusOn = async (server: ServerProcess, path: string, token: string) =>
    (await call(server, 'GET', path, { token })).status
  const published = async (server: ServerProcess): Promise<string[]> => {
    const { body } = await call(server, 'GET', '/.well-known/jwks.json')
    return body.keys.map(({ kid }: { kid: string }) => kid)
  }

  test('publishes a key on both replicas at once and breaks no token', async () => {
    const [old = ''] = await published(replicas.two)
    const { code, output } = await cli('keys', 'rotate')
    expect(code).toBe(0)
    const rotation = JSON.parse(output)
    expect(rotation).toEqual({
      kid: expect.any(String),
      signFrom: expect.any(String),
      retired: [old],
      verifyUntil: expect.any(String),
    })
    for (const server of [replicas.one, replicas.two]) {
      expect(await published(server)).toEqual([old, rotation.kid])
      expect(await statusOn(server, LIST, developer)).toBe(200)
    }
  })

  test('with --leaked ends every token on both replicas at once, and new ones work on both', async () => {
    const { id } = demoInstallation(marketOf('one'), 'price-sync', 'Seller')
    const [victim] = await tokensOf(replicas, id, 1)
    const { code, output } = await cli('keys', 'rotate', '--leaked')
    expect(code).toBe(0)
    const { kid } = JSON.parse(output)
    for (const server of [replicas.one, replicas.two]) {
      expect(await statusOn(server, PROFILE, victim?.token ?? '')).toBe(401)
      expect(await statusOn(server, LIST, developer)).toBe(401)
      expect(await statusOn(server, '/v1/Account', operator)).toBe(401)
      expect(await published(server)).toEqual([kid])
    }
    for (const name of ['one', 'two'] as const) {
      const token = await developerToken(marketOf(name))
      expect(await statusOn(replicas.one, LIST, token)).toBe(200)
      expect(await statusOn(replicas.two, LIST, token)).toBe(200)
    }
  })

  test.each([['--leaked=yes'], ['--leak'], ['now']])('refuses %s with a message', async (word) => {
    const { code, output } = await cli('keys', 'rotate', word)
    expect(code).toBe(2)
    expect(output).toContain('Usage: npm run cli -- keys rotate [--leaked]')
    expect(output).not.toMatch(/\bat .+:\d+:\d+/)
  })
})
