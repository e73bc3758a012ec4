import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Projects in the order in which they run. */
const PROJECTS = ['system', 'long', 'fast']

/** Files that take longest, with the longest first: none of them is left over at the end. */
const LONGEST = [
  'embedded-postgres',
  'process-failures',
  'process-shutdown',
  'replicas',
  'process',
  'cli',
  'guides',
  'accessibility',
  'hostile-text',
  'fuzz',
  'fuzz-pages',
  'access-matrix',
  'key-rotation',
  'install-races',
  'csrf',
  'browser-hardening',
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
