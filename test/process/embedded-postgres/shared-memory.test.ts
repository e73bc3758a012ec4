import { afterAll, afterEach, describe, expect, it } from 'vitest'
import {
  canMount,
  cleanUp,
  fork,
  madeDir,
  query,
  removeMadeDir,
  temporaryDir,
  withShm,
} from '../../setup/embedded-postgres.ts'

afterEach(cleanUp)
afterAll(removeMadeDir)

describe.runIf(canMount)('without shared memory in /dev/shm', () => {
  it.each([
    ['read-only', 'ro', madeDir],
    ['full', 'size=4k,nr_inodes=1', madeDir],
    ['read-only since the first start', 'ro', async () => temporaryDir()],
  ])('Postgres starts (%s)', async (_, how, makeDataDir) => {
    const { ready } = await fork({ dataDir: await makeDataDir() }, { within: withShm(how) })
    const [answer] = await query(await ready(), 'SHOW dynamic_shared_memory_type')
    expect(answer?.dynamic_shared_memory_type).not.toBe('posix')
  })
})
