import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Projects in the order in which they run. */
const PROJECTS = ['system', 'long', 'fast']

/** Files that take longest, with the longest first, for a clone that has not run them yet. */
const LONGEST = [
  'guides',
  'process',
  'process-failures',
  'process-shutdown',
  'workers',
  'cli',
  'revocation-on-replicas',
  'upgrade',
  'list-plans',
  'accessibility',
  'hostile-text',
  'access-matrix',
  'fuzz',
  'accessibility-people',
  'docs',
  'fuzz-pages',
  'csrf',
  'key-rotation',
  'tokens-under-load',
  'install-races',
  'browser-hardening',
  'password-queue',
  'concurrency',
  'installation-lifecycle',
]

/**
 * Begins with the files that take longest, so that none of them is left over at the end: by the
 * durations that Vitest keeps of a former run, or else by the list.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const rankOf = (file: TestSpecification) =>
      PROJECTS.indexOf(file.project.name) * 1000 +
      (this.ctx.cache.getTestSpecificationResult(file) ? LONGEST.length : placeOf(file))
    return sorted.sort((a, b) => rankOf(a) - rankOf(b))
  }
}

function placeOf({ moduleId }: TestSpecification): number {
  const place = LONGEST.indexOf(moduleId.replace(/^.*\/|\.test\.ts$/g, ''))
  return place < 0 ? LONGEST.length : place
}
