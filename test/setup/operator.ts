import { afterAll, beforeAll } from 'vitest'
import { createUser } from '../../src/identity/accounts/users-service.ts'
import { type SharedMarketplace, startMarketplace, type TestMarketplace } from './app.ts'
import { type Answer, accountToken, call } from './client.ts'
import { newAddress } from './people.ts'
import { enrol, type Person, signedInByCode, tokenByCode } from './second-factor.ts'
import { demoUser, hiddenFields, type Page, signedIn, type WebClient } from './web-client.ts'

/** What the operator of the demo does: one request to `/v1/Operator/...`. */
export type OperatorCalls = (method: string, path: string, body?: unknown) => Promise<Answer>

/** Signs in as the operator of the demo. */
export async function operatorCalls(market: SharedMarketplace): Promise<OperatorCalls> {
  return callsWith(market, await accountToken(market, market.demo.operator))
}

function callsWith(market: SharedMarketplace, token: string): OperatorCalls {
  return (method, path, body) =>
    call(market, method, `/v1/Operator/${path}`, {
      token,
      ...(body === undefined ? {} : { body }),
    })
}

/**
 * Gives an operator a second factor and a code of this moment, as setting a password and taking a
 * factor off need one of everybody. All that the operator had signed in ends.
 *
 * @param person a new operator, unless it is said whom
 */
export async function operatorWithCode(market: TestMarketplace, person?: Person) {
  const name = 'Olive Operator'
  const operator =
    person ?? (await createUser(market.deps, { email: newAddress(), name, operator: true }))
  const { secret } = await enrol(market, operator)
  const token = await tokenByCode(market, operator, secret)
  return {
    token,
    calls: callsWith(market, token),
    /** A token with a code of this moment: tests that take long outlive the first. */
    newToken: () => tokenByCode(market, operator, secret),
    browser: async () => withSend(await signedInByCode(market, operator, secret)),
  }
}

type OperatorBrowser = WebClient & {
  send(path: string, fields?: Record<string, string | string[]>): Promise<Page>
}

/** Signs in as the operator of the demo, in a browser; `send` fills in a form and sends it. */
export async function operatorBrowser(market: SharedMarketplace): Promise<OperatorBrowser> {
  return withSend(await signedIn(market, market.demo.operator))
}

function withSend(client: WebClient): OperatorBrowser {
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
