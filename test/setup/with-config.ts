import type { Config } from '../../src/config.ts'
import type { TestMarketplace } from './app.ts'

/** Does some work while the server is configured otherwise. */
export async function withConfig(
  { deps }: Pick<TestMarketplace, 'deps'>,
  changes: Partial<Config>,
  work: () => Promise<void>,
): Promise<void> {
  const { config } = deps
  deps.config = { ...config, ...changes }
  try {
    await work()
  } finally {
    deps.config = config
  }
}
