import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import { DESCRIPTIONS } from './descriptions.ts'
import type { Finding } from './trial.ts'

/** One run of a trial that was written down. */
type Run = {
  trial: string
  /** Day of the run, as `2026-11-22`. */
  on: string
  machine: string
  measured: string[]
  /** What did not hold. */
  missed: string[]
}

const RESULTS = new URL('results.json', import.meta.url)
const DOCUMENT = new URL('../../docs/trials.md', import.meta.url)

/** The machine and what else it has to do, before a trial begins. */
export function machineNow(): string {
  const [load = 0] = loadavg()
  return `${availableParallelism()} cores, load ${load.toFixed(1)} before`
}

/** Writes down what a run has found, in the place of the former runs of the trial, and renews the document. */
export function record(trial: string, machine: string, findings: readonly Finding[]): void {
  const run: Run = {
    trial,
    on: new Date().toISOString().slice(0, 10),
    machine,
    measured: findings.map(({ what, seen }) => `${what}: ${seen}`),
    missed: findings.filter(({ held }) => !held).map(({ what, target }) => `${what}: ${target}`),
  }
  const names = Object.keys(DESCRIPTIONS)
  const runs = [...readRuns().filter((one) => one.trial !== trial), run].toSorted(
    (a, b) => names.indexOf(a.trial) - names.indexOf(b.trial),
  )
  writeFileSync(RESULTS, `${JSON.stringify(runs, null, 2)}\n`)
  writeDocument()
}

/** Renews `docs/trials.md`. */
export function writeDocument(): void {
  writeFileSync(DOCUMENT, trialsDocument())
}

function readRuns(): Run[] {
  return JSON.parse(readFileSync(RESULTS, 'utf8'))
}

/** The text of `docs/trials.md`: every trial with what must hold and its last runs. */
export function trialsDocument(): string {
  const runs = readRuns()
  const sections = Object.entries(DESCRIPTIONS).map(([name, { does, holds, shortForm }]) => {
    const tests =
      typeof shortForm === 'string'
        ? `none, because ${shortForm}`
        : shortForm.map((file) => `\`${file}\``).join(', ')
    const own = runs.filter(({ trial }) => trial === name).map(shown)
    return `### \`${name}\`

${does}

- Must hold: ${holds}.
- Short form in \`npm test\`: ${tests}.

${own.length > 0 ? own.join('\n') : 'No run is written down.\n'}`
  })
  return `${HEAD}${sections.join('\n')}`
}

function shown({ on, machine, measured, missed }: Run): string {
  const outcome = missed.length === 0 ? 'all held' : '**missed**'
  const lines = [...measured, ...missed.map((what) => `**Missed:** ${what}`)]
  return `${on}, ${machine}, ${outcome}:\n\n${lines.map((line) => `- ${line}\n`).join('')}`
}

const HEAD = `# Trials

Attacks and faults that are tried on real servers, what must hold, and what was measured.

\`npm run test:faults\` starts servers of its own on loopback, attacks them or takes things away from them, and prints what it measured. Names choose the trials; \`--record\` also writes the results into \`trials/faults/results.json\` and renews this page; \`--docs\` renews the page alone.

\`\`\`console
npm run test:faults -- json sign-in
npm run test:faults -- --record json
\`\`\`

## All trials

`
