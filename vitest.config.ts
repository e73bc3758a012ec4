import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { LongestFirst } from './test/setup/longest-first.ts'

/** Tests that start processes of their own, or take a database away from everybody else. */
const SYSTEM = [
  'test/process/**',
  'test/database/**',
  'test/flows/guides/**',
  'test/client/processes/**',
  'trials/**',
]
/**
 * Tests in a browser, journeys over many pages, walks over the whole API; floods, races, and others
 * that take long.
 */
const LONG = [
  'test/browser/**',
  'test/contract/**',
  'test/flows/**',
  'test/api/marketplace/installations/operator-reinstall.test.ts',
  'test/api/marketplace/apps/{concurrency,versions-and-changes}.test.ts',
  'test/api/identity/auth/{failed-sign-in-limits,password-queue}.test.ts',
  'test/api/marketplace/events/event-wait.test.ts',
  'test/api/http/{overload*,problem-leaks,rate-limits-redis}.test.ts',
  'test/api/marketplace/installations/install-{races,sandbox}.test.ts',
  'test/api/marketplace/installations/installation-{developer,guards,lifecycle,upgrade}.test.ts',
  'test/api/marketplace/leaks/report.test.ts',
  'test/api/identity/people/{email-changes,password-resets}.test.ts',
  'test/api/marketplace/products/product-import-{broken,records,turns}.test.ts',
  'test/api/identity/tokens/key-rotation.test.ts',
  'test/api/marketplace/webhooks/{delivery,hostile-receivers,lookup,recover-steps,turns}.test.ts',
]

/** Files of a project share their worker's modules; `clean-worker.ts` takes away what one leaves. */
const project = (name: string, include: string[], exclude: string[] = []) =>
  ({
    test: {
      name,
      include: include.map((files) => files.replace(/\*\*$/, '**/*.test.ts')),
      exclude,
      setupFiles: ['test/setup/clean-worker.ts'],
      isolate: false,
      // Servers, browsers' pages and many requests make much garbage at once.
      execArgv: ['--min-semi-space-size=32', '--max-semi-space-size=64'],
      expect: { poll: { timeout: 30_000 } },
      // Ten times the usual and more: machines have much else to do at times.
      testTimeout: 180_000,
      hookTimeout: 180_000,
    },
  }) satisfies TestProjectInlineConfiguration

export default defineConfig({
  test: {
    projects: [
      project('fast', ['test/unit/**', 'test/api/**', 'test/client/**'], [...SYSTEM, ...LONG]),
      project('system', SYSTEM),
      project('long', LONG, SYSTEM),
    ],
    // Once for all projects.
    globalSetup: ['test/setup/postgres.ts', 'test/setup/browser-service.ts'],
    sequence: { sequencer: LongestFirst },
    // Two cores are the norm where this runs; each file has a database of its own.
    maxWorkers: 3,
  },
})
