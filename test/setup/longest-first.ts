import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Projects in the order in which they run. */
const PROJECTS = ['system', 'long', 'fast']

/** Files that take longest, with the longest first: none of them is left over at the end. */
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
  'developer-sessions',
  'concurrency',
  'installation-lifecycle',
]

/** Begins with the files that take longest, whatever a former run has noted. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.sort((a, b) => rankOf(a) - rankOf(b))
  }
}

function rankOf({ project, moduleId }: TestSpecification): number {
  const name = moduleId.replace(/^.*\/|\.test\.ts$/g, '')
  const place = LONGEST.indexOf(name)
  const inProject = place < 0 ? LONGEST.length : place
  return PROJECTS.indexOf(project.name) * 1000 + inProject
}
