import type { TestMarketplace } from './app.ts'
import { type Answer, accountToken, call } from './client.ts'
import { hiddenFields, type Page, signedIn, type WebClient } from './web-client.ts'

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

/** Signs in as the operator of the demo, in a browser; `send` fills in a form and sends it. */
export async function operatorBrowser(market: TestMarketplace): Promise<
  WebClient & {
    send(path: string, fields?: Record<string, string | string[]>): Promise<Page>
  }
> {
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
