import type { TestMarketplace } from './app.ts'
import { type Answer, accountToken, call } from './client.ts'

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

/** How many entries the audit trail has. */
export function auditCount({ deps }: Pick<TestMarketplace, 'deps'>): Promise<number> {
  return deps.db.auditEvent.count()
}
