import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const ROOT = new URL('../../', import.meta.url)
const security = readFileSync(new URL('SECURITY.md', ROOT), 'utf8')
/** Name of a trial -> what the last column of its row says. */
const told = new Map(
  [...security.matchAll(/^\| `([\w-]+)` \|.*\|.*\| (.+) \|$/gm)].map(([, name = '', shortForm]) => [
    name,
    shortForm ?? '',
  ]),
)

test('SECURITY.md tells of every trial, and of none that is not there', () => {
  const names = readdirSync(new URL('test/faults/', ROOT))
    .filter((file) => file.endsWith('-trial.ts'))
    .map((file) => file.replace('-trial.ts', ''))
  expect([...told.keys()].toSorted()).toEqual(names.toSorted())
})

test('each trial has a short form among the tests, or a reason to have none', () => {
  for (const [name, shortForm] of told) {
    const files = [...shortForm.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file)
    if (files.length === 0) expect(shortForm, name).toMatch(/^none: /)
    for (const file of files) expect([file, existsSync(new URL(file, ROOT))]).toEqual([file, true])
  }
})
