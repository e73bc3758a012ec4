import type { TestMarketplace } from '../setup/app.ts'

/** What a consumer of events can always be moved to. */
export const CONSUMER_POSITIONS = [{ position: 0 }]

/** Makes consumers for the developer that the aimed requests come from, and answers their names. */
export async function makeConsumers({
  deps,
  demo,
}: Pick<TestMarketplace, 'deps' | 'demo'>): Promise<string[]> {
  const { rows } = await deps.pool.query<{ name: string }>(
    `INSERT INTO event_consumers (developer_id, name, position)
     SELECT developer_id, 'erp-' || n, 0 FROM developer_credentials, generate_series(1, 5) n
     WHERE client_id = $1
     ON CONFLICT (developer_id, name) DO UPDATE SET position = 0
     RETURNING name`,
    [demo.developers[0]?.clientId],
  )
  return rows.map(({ name }) => name)
}
