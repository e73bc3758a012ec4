import type { FastifyRequest } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildApp } from '../../src/app.ts'
import type { App } from '../../src/http/app-type.ts'
import { startMarketplace, type TestMarketplace } from '../setup/app.ts'

const KINDS = [
  'onRequest',
  'preParsing',
  'preValidation',
  'preHandler',
  'preSerialization',
  'onSend',
  'onResponse',
] as const

let market: TestMarketplace
let app: App
const passed = new Map<string, string[]>()
beforeAll(async () => {
  market = await startMarketplace()
  app = await buildApp({
    deps: market.deps,
    version: 'test',
    readiness: async () => undefined,
    async beforeRoutes(one) {
      one.addHook('onResponse', async function noteHooks(request) {
        passed.set(request.routeOptions.url ?? '', hooksOf(request))
      })
    },
  })
})
afterAll(async () => {
  await app.close()
  await market.close()
})

/** The names of the hooks that a request passes, of which Fastify itself keeps a list for each kind. */
function hooksOf(request: FastifyRequest): string[] {
  const key = Object.getOwnPropertySymbols(request).find(
    ({ description }) => description === 'fastify.context',
  ) as unknown as keyof FastifyRequest
  const context = request[key] as unknown as Record<string, { name: string }[] | null>
  const names = KINDS.flatMap((kind) =>
    (context[kind] ?? []).map(({ name }) => name.replace(/^bound /, '')),
  )
  return names.filter((name) => name !== 'noteHooks')
}

test('every hook has a name, in the listing of all routes', () => {
  const listing = market.app.printRoutes({ includeHooks: true })
  expect(listing).toContain('(preHandler)')
  const hooks = listing.matchAll(/\((\w+)\) (\[.*?\])/g)
  const unnamed = [...hooks].filter(([, , names]) => names?.includes('anonymous()'))
  expect(new Set(unnamed.map(([hook]) => hook))).toEqual(new Set())
})

test.each(['/v1/Developer/Token', '/v1/Auth', '/v1/Account/Auth'])(
  'a JSON request passes at most 12 hooks: %s',
  async (url) => {
    await app.inject({ method: 'POST', url, payload: {} })
    const names = passed.get(url) ?? []
    expect(names.length).toBeGreaterThan(5)
    expect(names).not.toContain('')
    expect(names.length, names.join()).toBeLessThanOrEqual(12)
  },
)
