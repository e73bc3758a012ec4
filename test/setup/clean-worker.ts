import { afterAll, vi } from 'vitest'

// The files that one worker runs share its modules and its clock.
afterAll(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
  vi.resetConfig()
})
