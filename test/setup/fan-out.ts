import type { Deps } from '../../src/deps.ts'
import { fanOutBatch } from '../../src/marketplace/webhooks/delivery/fan-out-service.ts'

/** Numbers all new events of a developer and lays them out for its endpoints. */
export async function fanOutAll(
  deps: Pick<Deps, 'pool' | 'now'>,
  developerId: string,
): Promise<void> {
  while (await fanOutBatch(deps, developerId));
}
