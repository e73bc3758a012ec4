import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { type BulkRound, measureExport, measureImport } from './bulk.ts'
import { createDataset, type Dataset } from './dataset.ts'
import type { Measurement } from './driver.ts'
import { type Server, startDriver, startProduct, startRivals } from './processes.ts'
import { mintAll, planScenarios, type Scenario } from './scenarios.ts'
import { median, type Outcome, tableOf } from './table.ts'

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'string' },
    only: { type: 'string' },
    products: { type: 'string', default: '1000000' },
    installations: { type: 'string', default: '100000' },
    prof: { type: 'string' },
  },
})
const ROUNDS = options.quick ? 3 : 5
const SECONDS = options.quick ? 1 : 5
/** A rival is one route that does the same every time. */
const RIVAL_WARM_UP_SECONDS = 2
const BULK_ROUNDS = options.quick ? 1 : 3
const IMPORT_ROWS = Number(options.products) / (options.quick ? 10 : 1)
const isWanted = (name: string) => new RegExp(options.only ?? '').test(name)

type Drivers = { main: ReturnType<typeof startDriver>; beside: ReturnType<typeof startDriver> }

/**
 * One scenario once: the product and what it is compared with, one at once after the other. They
 * take turns in going first, because the second finds the disk's cache warm.
 */
async function measure(scenario: Scenario, drivers: Drivers, round: number) {
  const ofRival = () => drivers.main.drive({ ...scenario.rival, seconds: SECONDS })
  const before = round % 2 === 1 ? await ofRival() : undefined
  const headers = { ...scenario.product.headers, ...(await scenario.freshHeaders?.()) }
  const [product] = await Promise.all([
    drivers.main.drive({ ...scenario.product, headers, seconds: SECONDS }),
    scenario.beside && drivers.beside.drive({ ...scenario.beside, seconds: SECONDS }),
  ])
  return { product, rival: before ?? (await ofRival()) }
}

/** What is measured is compiled by then, of the product and of each rival. */
async function warmUp(scenarios: readonly Scenario[], { main }: Drivers): Promise<void> {
  const warm = new Set<string>()
  for (const { product, rival, freshHeaders, warmUpSeconds = 1 } of scenarios) {
    const headers = { ...product.headers, ...(await freshHeaders?.()) }
    await main.drive({ ...product, headers, seconds: warmUpSeconds })
    if (!warm.has(rival.url)) await main.drive({ ...rival, seconds: RIVAL_WARM_UP_SECONDS })
    warm.add(rival.url)
  }
}

function outcomeOf(
  scenario: Pick<Scenario, 'name' | 'against' | 'target' | 'measure'>,
  rounds: { product: Measurement; rival: Measurement }[],
): Outcome {
  const of = (pick: (m: Measurement) => number) => median(rounds.map((r) => pick(r.product)))
  const quotients = rounds.map(({ product, rival }) => {
    const rate = product.requestsPerSecond / rival.requestsPerSecond
    return scenario.measure === 'time' ? 1 / rate : rate
  })
  return {
    ...scenario,
    ratio: median(quotients),
    requestsPerSecond: of((m) => m.requestsPerSecond),
    rivalPerSecond: median(rounds.map(({ rival }) => rival.requestsPerSecond)),
    p50Ms: of((m) => m.p50Ms),
    p99Ms: of((m) => m.p99Ms),
    errors: rounds.reduce((sum, { product }) => sum + product.errors, 0),
    bytesPerRequest: of((m) => m.bytesPerRequest),
  }
}

/** Whole catalogues in and out, after everything else: they leave many rows behind. */
async function measureBulk(dataset: Dataset, product: Server, print: (line: string) => void) {
  const tokens = await mintAll(product.url, dataset, [
    dataset.installationId,
    ...dataset.installationIds.slice(0, BULK_ROUNDS),
  ])
  const measures: Record<string, (round: number) => Promise<BulkRound>> = {
    import: (round) => measureImport(dataset, product, String(tokens[round + 1]), IMPORT_ROWS),
    export: () => measureExport(dataset, product, String(tokens[0])),
  }
  const outcomes: Outcome[] = []
  for (const [name, measureOnce] of Object.entries(measures)) {
    if (!isWanted(name)) continue
    const rounds: BulkRound[] = []
    for (let round = 0; round < BULK_ROUNDS; round++) rounds.push(await measureOnce(round))
    const growthMib = Math.max(...rounds.map((round) => round.growthMib))
    print(`Memory of the server grew by ${growthMib} MiB in the ${name} (bound: 150).`)
    const scenario = { name, against: 'raw COPY, rows', target: 0.5, measure: 'rate' } as const
    outcomes.push(outcomeOf(scenario, rounds))
  }
  return outcomes
}

async function bench(): Promise<void> {
  const print = (line: string) => process.stdout.write(`${line}\n`)
  print(`Generating ${options.products} products and ${options.installations} installations ...`)
  const dataset = await createDataset(Number(options.products), Number(options.installations))
  print(`Ready after ${Math.round(performance.now() / 1000)} s.`)
  const jwtSecret = randomBytes(32).toString('base64')
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const product = await startProduct(
    dataset,
    options.prof === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${options.prof}`],
  )
  const rivals = await startRivals({
    databaseUrl: dataset.databaseUrl,
    jwtSecret,
    privateKeyPem: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    constant: 'x'.repeat(20_000),
  })
  const drivers: Drivers = { main: startDriver(), beside: startDriver() }
  try {
    const targets = { productUrl: product.url, rivalUrl: rivals.url, jwtSecret }
    const planned = await planScenarios(dataset, targets)
    const scenarios = planned.filter(({ name }) => isWanted(name))
    const rounds = scenarios.map((): { product: Measurement; rival: Measurement }[] => [])
    await warmUp(scenarios, drivers)
    for (let round = 0; round < ROUNDS; round++) {
      for (const [index, scenario] of scenarios.entries()) {
        rounds[index]?.push(await measure(scenario, drivers, round))
      }
      print(`Round ${round + 1} of ${ROUNDS}, ${Math.round(performance.now() / 1000)} s.`)
    }
    const outcomes = scenarios.map((scenario, index) => outcomeOf(scenario, rounds[index] ?? []))
    outcomes.push(...(await measureBulk(dataset, product, print)))
    print(tableOf(outcomes))
    print(`Memory of the server afterwards: ${product.rssMib()} MiB (bound: 400).`)
    if (options.json !== undefined) await writeFile(options.json, jsonOf(outcomes))
  } finally {
    await Promise.all([drivers.main.stop(), drivers.beside.stop(), product.stop(), rivals.stop()])
    await dataset.close()
  }
}

function jsonOf(outcomes: readonly Outcome[]): string {
  const entries = outcomes.map(({ name, ratio, against, requestsPerSecond, p99Ms, errors }) => [
    name,
    { ratio, against, requestsPerSecond, p99Ms, errors },
  ])
  return `${JSON.stringify({ scenarios: Object.fromEntries(entries) }, null, 2)}\n`
}

await bench()
