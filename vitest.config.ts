import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { LongestFirst } from './test/setup/longest-first.ts'

/** Tests that start processes of their own, or take a database away from everybody else. */
const SYSTEM = [
  'test/process/**',
  'test/database/**',
  'test/flows/guides/**',
  'test/client/processes/**',
]
/** Tests in a browser, and those that walk the whole API. */
const LONG = ['test/browser/**', 'test/contract/**']

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
      project('fast', ['test/unit/**', 'test/api/**', 'test/flows/**', 'test/client/**'], SYSTEM),
      project('system', SYSTEM),
      project('long', LONG),
    ],
    // Once for all projects.
    globalSetup: ['test/setup/postgres.ts', 'test/setup/browser-service.ts'],
    sequence: { sequencer: LongestFirst },
    // Two cores are the norm where this runs; each file has a database of its own.
    maxWorkers: 3,
  },
})
