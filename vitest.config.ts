import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/setup/postgres.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // Two cores are the norm where this runs; each file has a database of its own.
    maxWorkers: 3,
  },
})
