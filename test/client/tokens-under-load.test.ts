import { afterAll, beforeAll, expect, test } from 'vitest'
import { revokeTokens } from '../../client/src/generated/index.ts'
import { InstallationGoneError } from '../../client/src/index.ts'
import { SYSTEM } from '../../src/base/values/actor.ts'
import { rotateSigningKeys } from '../../src/identity/tokens/rotate-service.ts'
import { startMarketplace, type TestMarketplace } from '../setup/app.ts'
import { call, demoInstallation, developerToken } from '../setup/client.ts'
import { clientOf, notingFetch } from '../setup/marketplace-client.ts'

const MINT = '/v1/Developer/Token'
const AT_ONCE = 20

let market: TestMarketplace
beforeAll(async () => {
  market = await startMarketplace()
})
afterAll(() => market.close())

/** Fetch that notes how many tokens are being made at the same time. */
function watchedMints() {
  const noted = notingFetch()
  let underWay = 0
  let most = 0
  return {
    ...noted,
    mostAtOnce: () => most,
    async fetch(request: Request) {
      if (!request.url.endsWith(MINT)) return noted.fetch(request)
      underWay += 1
      most = Math.max(most, underWay)
      return noted.fetch(request).finally(() => {
        underWay -= 1
      })
    },
  }
}

/** Makes calls one after the other in several rows, and `disturb` before some of them. */
async function load(
  calls: number,
  work: () => Promise<unknown>,
  disturb: Record<number, () => Promise<unknown>>,
) {
  let begun = 0
  const failures: unknown[] = []
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (begun < calls) {
        begun += 1
        await disturb[begun]?.()
        await work().catch((error: unknown) => failures.push(error))
      }
    }),
  )
  return failures
}

test('1,000 calls over a changed key and revoked tokens all succeed, and tokens are made one at a time', async () => {
  const { id } = demoInstallation(market, 'price-sync', 'Seller')
  const watched = watchedMints()
  const marketplace = clientOf(market, 'price-sync', { fetch: watched.fetch })
  const installation = marketplace.installation(id)
  const revoke = () => revokeTokens({ client: marketplace.client, body: { installationId: id } })

  const failures = await load(1000, () => installation.profile(), {
    250: () => rotateSigningKeys(market.deps, { actor: SYSTEM, leaked: true }),
    500: revoke,
    750: async () =>
      revokeTokens({ client: marketplace.client, body: { token: await marketplace.token(id) } }),
  })

  expect(failures).toEqual([])
  expect(watched.mostAtOnce()).toBe(1)
  // One at the start and one after each disturbance; after the changed key also with a developer
  // token that is refused.
  expect(watched.countOf(MINT)).toBeLessThanOrEqual(6)
})

test('the calls of a removed installation fail with their own error, those of others continue', async () => {
  const gone = demoInstallation(market, 'catalog-sync', 'Seller')
  const other = market.demo.installations.find(
    ({ id, appId }) => appId === 'catalog-sync' && id !== gone.id,
  )
  const noted = notingFetch()
  const marketplace = clientOf(market, 'catalog-sync', { fetch: noted.fetch })
  const [removed, kept] = [gone.id, other?.id ?? ''].map((id) => marketplace.installation(id))
  const answers = { kept: 0, removed: 0 }
  const calls = 1000
  const failures = await load(
    calls,
    async () => {
      await kept?.installation()
      answers.kept += 1
      await removed?.installation()
      answers.removed += 1
    },
    {
      500: async () => {
        const token = await developerToken(market, 1)
        await call(market, 'DELETE', `/v1/Developer/Installations/${gone.id}`, { token })
      },
    },
  )
  expect(answers.kept).toBe(calls)
  expect(failures.length + answers.removed).toBe(calls)
  expect(failures.length).toBeGreaterThan(0)
  // One for each installation, and one that is refused: nobody asks again for what is gone.
  expect(noted.countOf(MINT)).toBe(3)
  for (const failure of failures) {
    expect(failure).toBeInstanceOf(InstallationGoneError)
    expect(failure).toMatchObject({ code: 'installation_not_accessible', installationId: gone.id })
    expect((failure as Error).message).toContain(`The installation ${gone.id} was uninstalled`)
  }
})
