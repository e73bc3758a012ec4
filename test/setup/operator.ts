import { afterAll, beforeAll } from 'vitest'
import { startMarketplace, type TestMarketplace } from './app.ts'
import { type Answer, accountToken, call } from './client.ts'
import { demoUser, hiddenFields, type Page, signedIn, type WebClient } from './web-client.ts'

/** What the operator of the demo does: one request to `/v1/Operator/...`. */
export type OperatorCalls = (method: string, path: string, body?: unknown) => Promise<Answer>

/** Signs in as the operator of the demo. */
export async function operatorCalls(market: TestMarketplace): Promise<OperatorCalls> {
  const token = await accountToken(market, market.demo.operator)
  return (method, path, body) =>
    call(market, method, `/v1/Operator/${path}`, {
      token,
      ...(body === undefined ? {} : { body }),
    })
}

type OperatorBrowser = WebClient & {
  send(path: string, fields?: Record<string, string | string[]>): Promise<Page>
}

/** Signs in as the operator of the demo, in a browser; `send` fills in a form and sends it. */
export async function operatorBrowser(market: TestMarketplace): Promise<OperatorBrowser> {
  const client = await signedIn(market, market.demo.operator)
  return {
    ...client,
    async send(path, fields = {}) {
      const { _csrf = '' } = hiddenFields((await client.get('/')).text)
      return client.post(path, { _csrf, ...fields })
    },
  }
}

/** How many entries the audit trail has. */
export function auditCount({ deps }: Pick<TestMarketplace, 'deps'>): Promise<number> {
  return deps.db.auditEvent.count()
}

/**
 * A marketplace for the tests of one file, with its operator signed in in a browser, and those
 * whom its pages are about.
 */
export function operatorConsole() {
  let market: TestMarketplace
  let operator: OperatorBrowser
  beforeAll(async () => {
    market = await startMarketplace()
    operator = await operatorBrowser(market)
  })
  afterAll(() => market.close())
  const db = () => market.deps.db
  return {
    market: () => market,
    operator: () => operator,
    db,
    seller: () => demoUser(market, 'Seller'),
    buyer: () => demoUser(market, 'Buyer'),
    userIdOf: async (email: string) => (await db().user.findUniqueOrThrow({ where: { email } })).id,
    aDeveloper: () =>
      db().developer.findFirstOrThrow({
        include: { credentials: { where: { removedAt: null } } },
      }),
  }
}
