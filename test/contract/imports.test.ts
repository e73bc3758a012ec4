import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

/** A file, and what it may not import: one of each wing and of each kind of file. */
const FORBIDDEN: readonly (readonly [file: string, source: string, rule: string])[] = [
  ['src/base/values/a.ts', '../../http/b.ts', 'wing'],
  ['src/base/jobs/a-service.ts', '../../process/start/b.ts', 'wing'],
  ['src/http/a.ts', '../identity/tokens/b.ts', 'wing'],
  ['src/identity/people/a-routes.ts', '../../marketplace/apps/b.ts', 'wing'],
  ['src/marketplace/apps/a-routes.ts', '../../operation/backup/b.ts', 'wing'],
  ['src/operation/backup/a-service.ts', '../../process/start/b.ts', 'wing'],
  ['src/web/account/a-page.ts', '../../process/cli/b.ts', 'wing'],
  ['src/marketplace/apps/a.ts', './b-service.ts', 'R1'],
  ['src/web/account/a-page.ts', '../../base/database/b.ts', 'R1'],
  ['src/marketplace/apps/a-service.ts', '../../http/b.ts', 'R2'],
  ['src/operation/backup/a-worker.ts', '../../config.ts', 'R2'],
  ['src/http/a-routes.ts', '../base/database/b.ts', 'R3'],
  ['src/web/account/a-routes.ts', './b-routes.ts', 'R3'],
  ['src/http/a.ts', '../config.ts', 'R4'],
  ['src/identity/guards/a.ts', '../people/b.ts', 'R4'],
  ['src/process/start/a.ts', '../../app.ts', 'R5'],
]

let directory: string
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'imports-'))
  for (const file of ['biome.json', 'package.json', 'scripts/wings.grit']) {
    cpSync(file, join(directory, file))
  }
})
afterAll(() => rmSync(directory, { recursive: true, force: true }))

const imported = (source: string) => `import { b } from '${source}'\n\nexport const a = b\n`
const loadedLater = (source: string) => `export const a = () => import('${source}')\n`

/** What the linter says of a file that imports something. */
function complaint(file: string, source: string, write = imported): string {
  const path = join(directory, file)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, write(source))
  const biome = join(process.cwd(), 'node_modules/.bin/biome')
  const { stdout, stderr } = spawnSync(biome, ['lint', '--vcs-enabled=false', file], {
    cwd: directory,
    encoding: 'utf8',
  })
  rmSync(path)
  return stdout + stderr
}

test.each(FORBIDDEN)('%s may not import %s', (file, source, rule) => {
  expect(complaint(file, source)).toMatch(rule === 'wing' ? /A wing imports only/ : `${rule}: `)
})

test('nor may a wing load one behind it later', () => {
  const file = 'src/base/jobs/a-service.ts'
  expect(complaint(file, '../../web/b.ts', loadedLater)).toMatch(/A wing imports only/)
})

test.each([
  ['src/marketplace/apps/a-service.ts', '../../base/database/b.ts'],
  ['src/web/account/a-routes.ts', '../../marketplace/apps/b-service.ts'],
  ['src/process/cli/a-commands.ts', '../../app.ts'],
])('%s may import %s', (file, source) => {
  expect(complaint(file, source)).not.toMatch(/A wing imports only|R\d: /)
})
