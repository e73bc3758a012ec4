import { execFileSync } from 'node:child_process'
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import pkg from '../../../../package.json' with { type: 'json' }
import { buildVersion } from '../../../../src/process/start/build.ts'

const directory = realpathSync(mkdtempSync(join(tmpdir(), 'build-')))
afterAll(() => rmSync(directory, { recursive: true }))

const checkout = join(directory, 'checkout')
const git = (...words: string[]) =>
  execFileSync('git', ['-C', checkout, ...words], {
    encoding: 'utf8',
    env: {
      PATH: process.env.PATH,
      GIT_AUTHOR_NAME: 'a',
      GIT_AUTHOR_EMAIL: 'a@a.example',
      GIT_COMMITTER_NAME: 'a',
      GIT_COMMITTER_EMAIL: 'a@a.example',
      GIT_CONFIG_GLOBAL: '/dev/null',
    },
  }).trim()

describe('the version of a build', () => {
  execFileSync('git', ['init', '-q', '-b', 'a/branch', checkout])
  const commit = () => git('rev-parse', 'HEAD')
  const expected = () => `${pkg.version}+${commit().slice(0, 12)}`

  test('is that of the release where nobody knows a commit', async () => {
    expect(await buildVersion(undefined, directory)).toBe(pkg.version)
    expect(await buildVersion(undefined, checkout)).toBe(pkg.version)
  })

  test('has the commit that is checked out: of a branch, a packed one, none, and a work tree', async () => {
    git('commit', '-q', '--allow-empty', '-m', 'first')
    const first = expected()
    expect(await buildVersion(undefined, checkout)).toBe(first)
    git('commit', '-q', '--allow-empty', '-m', 'second')
    expect(await buildVersion(undefined, checkout)).toBe(expected())
    expect(expected()).not.toBe(first)
    git('pack-refs', '--all')
    expect(await buildVersion(undefined, checkout)).toBe(expected())
    git('worktree', 'add', '-q', '-b', 'other', join(directory, 'tree'))
    expect(await buildVersion(undefined, join(directory, 'tree'))).toBe(expected())
    git('checkout', '-q', '--detach')
    expect(await buildVersion(undefined, checkout)).toBe(expected())
  })

  test('has the commit that the build was given', async () => {
    expect(await buildVersion('0123456789abcdef0123', checkout)).toBe(`${pkg.version}+0123456789ab`)
  })

  test('shows nothing that is no commit', async () => {
    writeFileSync(join(checkout, '.git', 'HEAD'), '"\nforged')
    expect(await buildVersion(undefined, checkout)).toBe(pkg.version)
  })
})
