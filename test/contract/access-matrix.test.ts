import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { buildApp } from '../../src/app.ts'
import type { Audience, Route } from '../../src/http/route-table.ts'
import { startMarketplace, type TestMarketplace } from '../setup/app.ts'
import { everything } from '../setup/apps.ts'
import { call } from '../setup/client.ts'
import { assemble, CAST, type Cast, prepare, type Role, type Things } from './access-cast.ts'
import type { Row } from './access-row.ts'
import { ACCESS } from './access-table.ts'

let market: TestMarketplace
let cast: Cast
let shared: Things
const routes = await listRoutes()
beforeAll(async () => {
  market = await startMarketplace()
  cast = await assemble(market)
  shared = await prepare(market, cast)
})
afterAll(() => market.close())
beforeEach(async () => {
  await cast.renewCode()
})

/** The routes' own list, before there is a server: what does not describe itself has no test. */
async function listRoutes(): Promise<Route[]> {
  const { loadConfig } = await import('../../src/config.ts')
  const { createLogger } = await import('../../src/base/log/logger.ts')
  const { createMeasures } = await import('../../src/base/measures/measures.ts')
  const config = loadConfig({ LOG_LEVEL: 'silent' })
  const measures = createMeasures()
  const deps = { config, log: createLogger(config), secretKey: '', measures }
  const app = await buildApp({
    deps: deps as never,
    version: 'test',
    readiness: async () => undefined,
  })
  return app.routes.all().filter(({ audience, url }) => audience !== 'browser' && url !== '*')
}

const rowKey = ({ method, url }: Route) => `${method === 'HEAD' ? 'GET' : method} ${url}`

describe('the table', () => {
  test('has a row for every route', () => {
    expect(routes.length).toBeGreaterThan(50)
    expect(routes.filter((route) => !Object.hasOwn(ACCESS, rowKey(route)))).toEqual([])
  })

  test('has no row for a route that is gone', () => {
    const known = new Set(routes.map(rowKey))
    expect(Object.keys(ACCESS).filter((key) => !known.has(key))).toEqual([])
  })
})

describe.each(routes.filter((route) => Object.hasOwn(ACCESS, rowKey(route))))(
  '$method $url',
  (route) => {
    const row = ACCESS[rowKey(route)] as Row
    const audience = route.audience as Audience
    const readsOnly = route.method === 'GET' || route.method === 'HEAD'

    const knock = async (role: Role, things: Things) => {
      const token = cast.tokenOf(role, audience)
      const { status, body } = await call(market, route.method, row.path(things), {
        ...(token === undefined ? {} : { token }),
        ...(row.body === undefined ? {} : { body: row.body(things) }),
        ...(row.headers === undefined ? {} : { headers: row.headers }),
      })
      return { status, code: body?.code as string | undefined }
    }

    test('refuses everybody else and changes nothing; lets in whom it is for', async () => {
      const things = readsOnly
        ? shared
        : await prepare(market, cast, audience === 'operator' ? undefined : shared)
      const refused = CAST.filter((role) => !row.allowed.includes(role))
      const state = () => (readsOnly ? {} : everything(market))
      const before = await state()
      const answers = new Map<Role, Awaited<ReturnType<typeof knock>>>()
      for (const role of refused) answers.set(role, await knock(role, things))
      expect(Object.fromEntries([...answers].map(([role, { status }]) => [role, status]))).toEqual(
        Object.fromEntries(refused.map((role) => [role, refusal(role, audience, row)])),
      )
      expect(await state()).toEqual(before)
      for (const role of row.allowed) {
        const { status, code } = await knock(role, things)
        const answer = row.answers?.[role] ?? row.answer
        if (answer !== undefined) expect({ status, code }, role).toEqual(answer)
        else expect([401, 403, 404], `${role}: ${status} ${code}`).not.toContain(status)
        expect(status, role).toBeLessThan(500)
      }
    })
  },
)

const ACCOUNT_ROLES = new Set<Role>(['user A', 'user B', 'member A', 'operator', 'support'])

/** The kind of principal that each role is. */
function kindOf(role: Role): Audience | 'nobody' {
  if (role.startsWith('developer')) return 'developer'
  if (role.startsWith('installation')) return 'installation'
  return ACCOUNT_ROLES.has(role) ? 'account' : 'nobody'
}

/** 401 without a live token, 403 with one of another kind, 404 for a thing of somebody else. */
function refusal(role: Role, audience: Audience, row: Row): unknown {
  if (kindOf(role) === 'nobody') return 401
  if (kindOf(role) !== audience) return 403
  return row.refusals?.[role] ?? row.refusal ?? 404
}
