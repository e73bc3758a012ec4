import { readdirSync } from 'node:fs'
import { basename } from 'node:path'
import { machineNow, record, writeDocument } from './record.ts'
import type { Finding, Trial } from './trial.ts'

/**
 * `npm run test:faults` tries every attack and fault of this folder, `npm run test:faults -- NAME ...` those
 * named, one after the other, and prints a table of what was seen. Exits with 1 when a target is
 * missed. Each trial is a file `NAME-trial.ts` that exports `trial`.
 *
 * `--record` also writes down what was seen and renews `docs/trials.md`; `--docs` only renews it.
 */
const SUFFIX = '-trial.ts'
const directory = new URL('.', import.meta.url)
const names = readdirSync(directory)
  .filter((file) => file.endsWith(SUFFIX))
  .map((file) => basename(file, SUFFIX))
const options = process.argv.slice(2).filter((word) => word.startsWith('--'))
const asked = process.argv.slice(2).filter((word) => !word.startsWith('--'))
if (options.includes('--docs')) {
  writeDocument()
  process.exit(0)
}
const unknown = [
  ...options.filter((option) => option !== '--record'),
  ...asked.filter((name) => !names.includes(name)),
]
if (unknown.length > 0) {
  process.stderr.write(`There is no trial ${unknown.join(', ')}. There are: ${names.join(', ')}.\n`)
  process.exit(2)
}

process.stdout.write('| trial | what was done | seen | target | held |\n|---|---|---|---|---|\n')
let missed = 0
for (const name of asked.length > 0 ? asked : names) {
  const { trial } = (await import(new URL(`${name}${SUFFIX}`, directory).href)) as { trial: Trial }
  const machine = machineNow()
  const findings = await findingsOf(trial)
  if (options.includes('--record')) record(name, machine, findings)
  for (const { what, seen, target, held } of findings) {
    if (!held) missed++
    const row = [trial.title, what, seen, target, held ? 'yes' : '**no**']
    process.stdout.write(`| ${row.join(' | ')} |\n`)
  }
}
process.exit(missed === 0 ? 0 : 1)

/** A trial that could not be made is a target missed, and the others go on. */
async function findingsOf(trial: Trial): Promise<Finding[]> {
  try {
    return await trial.run()
  } catch (error) {
    return [{ what: 'the trial itself', seen: String(error), target: 'to end', held: false }]
  }
}
