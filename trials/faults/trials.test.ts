import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { DESCRIPTIONS } from './descriptions.ts'
import { trialsDocument } from './record.ts'

const ROOT = new URL('../../', import.meta.url)

test('docs/trials.md is what the descriptions and the results of the trials say', () => {
  const document = readFileSync(new URL('docs/trials.md', ROOT), 'utf8')
  expect(document, 'run: npm run test:faults -- --docs').toBe(trialsDocument())
})

test('every trial is described, and none that is not there', () => {
  const names = readdirSync(new URL('.', import.meta.url))
    .filter((file) => file.endsWith('-trial.ts'))
    .map((file) => file.replace('-trial.ts', ''))
  expect(Object.keys(DESCRIPTIONS).toSorted()).toEqual(names.toSorted())
})

test('each trial has a short form among the tests, or a reason to have none', () => {
  for (const [name, { shortForm }] of Object.entries(DESCRIPTIONS)) {
    expect(shortForm.length, name).toBeGreaterThan(0)
    const files = typeof shortForm === 'string' ? [] : shortForm
    for (const file of files) expect([file, existsSync(new URL(file, ROOT))]).toEqual([file, true])
  }
})
