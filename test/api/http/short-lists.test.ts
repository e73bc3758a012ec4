import { afterAll, beforeAll, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../../setup/app.ts'
import { accountToken, call, developerToken } from '../../setup/client.ts'
import { withWholeOperations } from '../../setup/contract.ts'
import { expectProblem } from '../../setup/expect-problem.ts'
import { demoUser, signedIn } from '../../setup/web-client.ts'

let market: TestMarketplace
beforeAll(async () => {
  market = await startMarketplace()
})
afterAll(() => market.close())

type Operation = {
  parameters?: { name: string }[]
  responses: Record<string, { content?: Record<string, { schema: { type?: string } }> }>
}

test('every list takes a limit and a cursor, but for the event log and what is as long as what was sent', async () => {
  const document = (await call(market, 'GET', '/openapi.json')).body
  const { paths }: { paths: Record<string, Record<string, Operation>> } =
    withWholeOperations(document)
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      name: `${method} ${path}`,
    })),
  )
  const lists = operations.filter(({ responses }) =>
    Object.values(responses['200']?.content ?? {}).some(({ schema }) => schema.type === 'array'),
  )
  expect(lists.length).toBeGreaterThan(20)
  const whole = lists.filter(({ parameters = [] }) => {
    const names = parameters.map(({ name }) => name)
    return !['limit', 'cursor'].every((name) => names.includes(name))
  })
  expect(whole.map(({ name }) => name)).toEqual([
    'put /v1/Developer/Apps/{appId}/Screenshots/Order',
    'get /v1/Developer/Events',
    'post /v1/Products/Batch',
  ])
})

const developer = () => developerToken(market)
const LISTS: [path: string, tokenOf: () => Promise<string | undefined>][] = [
  ['/v1/Permissions', async () => undefined],
  ['/v1/EventTypes', async () => undefined],
  ['/v1/Developer/EventConsumers', developer],
  ['/v1/Account/Sessions', () => accountToken(market, demoUser(market, 'Seller'))],
]

beforeAll(async () => {
  for (const name of ['first', 'second', 'third']) {
    const path = `/v1/Developer/EventConsumers/${name}`
    const token = await developer()
    const { status } = await call(market, 'PUT', path, { token, body: { position: 0 } })
    expect(status).toBe(201)
  }
  for (let count = 0; count < 3; count += 1) await signedIn(market, demoUser(market, 'Seller'))
})

test.each(LISTS)(
  '%s is read whole or page by page, with the same entries',
  async (path, tokenOf) => {
    const token = await tokenOf()
    const get = (url: string) => call(market, 'GET', url, token === undefined ? {} : { token })
    const whole = await get(path)
    expect(whole.body.length).toBeGreaterThan(2)
    expect(whole.headers.get('link')).toBeNull()
    const entries: unknown[] = []
    let next: string | undefined = `${path}?limit=2`
    while (next !== undefined) {
      const page = await get(next)
      expect(page.status).toBe(200)
      expect([1, 2]).toContain(page.body.length)
      entries.push(...page.body)
      next = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1]
      if (next !== undefined) next = new URL(next).pathname + new URL(next).search
    }
    expect(entries).toEqual(whole.body)
    expectProblem(await get(`${path}?cursor=forged`), 'invalid_cursor')
    expectProblem(await get(`${path}?limit=0`), 'invalid_request')
  },
)
