import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { type BulkRound, measureExport, measureImport } from './bulk.ts'
import { createDataset, type Dataset } from './dataset.ts'
import { drive, isWrkThere, type Measurement } from './driver.ts'
import { readOptions } from './options.ts'
import { HERE, type Server, startProduct, startRivals } from './processes.ts'
import { runToEnd } from './run-end.ts'
import { mintAll, planScenarios, type Scenario } from './scenarios.ts'
import { median, type Outcome, tableOf } from './table.ts'

const options = readOptions()
const ROUNDS = options.quick ? 3 : 5
const SECONDS = options.quick ? 1 : 5
/** A rival is one route that does the same every time. */
const RIVAL_WARM_UP_SECONDS = 2
const BULK_ROUNDS = options.quick ? 1 : 3
const IMPORT_ROWS = Number(options.products) / (options.quick ? 10 : 1)
const isWanted = (name: string) => new RegExp(options.only ?? '').test(name)

type Round = { product: Measurement; rival: Measurement; other?: Measurement }

/**
 * One scenario once: the product and what it is compared with, one at once after the other. They
 * take turns in going first, because the second finds the disk's cache warm.
 *
 * @param other the same scenario on the server of another checkout
 */
async function measure(scenario: Scenario, other: Scenario | undefined, round: number) {
  const measured: Partial<Round> = {}
  const turns = [
    async () => {
      measured.product = await driveProduct(scenario, SECONDS)
    },
    async () => {
      measured.rival = await drive({ ...scenario.rival, seconds: SECONDS })
    },
    async () => {
      if (other) measured.other = await driveProduct(other, SECONDS)
    },
  ]
  for (let turn = 0; turn < turns.length; turn++) await turns[(round + turn) % turns.length]?.()
  return measured as Round
}

async function driveProduct({ product, freshHeaders, beside }: Scenario, seconds: number) {
  const headers = { ...product.headers, ...(await freshHeaders?.()) }
  const [measured] = await Promise.all([
    drive({ ...product, headers, seconds }),
    beside && drive({ ...beside, seconds }),
  ])
  return measured
}

/** What is measured is compiled by then, of the product and of each rival. */
async function warmUp(scenarios: readonly Scenario[]): Promise<void> {
  const warm = new Set<string>()
  for (const scenario of scenarios) {
    const { rival, warmUpSeconds = 1 } = scenario
    await driveProduct({ ...scenario, beside: undefined }, warmUpSeconds)
    if (!warm.has(rival.url)) await drive({ ...rival, seconds: RIVAL_WARM_UP_SECONDS })
    warm.add(rival.url)
  }
}

function outcomeOf(
  scenario: Pick<Scenario, 'name' | 'against' | 'target' | 'measure'>,
  rounds: readonly Round[],
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
    ...(rounds[0]?.other && {
      ratioToOther: median(
        rounds.map(
          ({ product, other }) => product.requestsPerSecond / (other?.requestsPerSecond ?? 1),
        ),
      ),
    }),
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
  if (!(await isWrkThere())) {
    print('Nothing was measured: the benchmark needs wrk (on Debian: apt-get install wrk).')
    return
  }
  print(`Generating ${options.products} products and ${options.installations} installations ...`)
  const dataset = await createDataset(Number(options.products), Number(options.installations))
  print(`Ready after ${Math.round(performance.now() / 1000)} s.`)
  const jwtSecret = randomBytes(32).toString('base64')
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const profiling =
    options.prof === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${options.prof}`]
  const product = await startProduct(dataset, HERE, profiling)
  const other = options.than === undefined ? undefined : await startProduct(dataset, options.than)
  const rivals = await startRivals({
    databaseUrl: dataset.databaseUrl,
    jwtSecret,
    privateKeyPem: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    constant: 'x'.repeat(20_000),
  })
  const plan = async (server: Server) => {
    const targets = { productUrl: server.url, rivalUrl: rivals.url, jwtSecret }
    return (await planScenarios(dataset, targets)).filter(({ name }) => isWanted(name))
  }
  const scenarios = await plan(product)
  const otherScenarios = other ? await plan(other) : []
  const rounds = scenarios.map((): Round[] => [])
  await warmUp(scenarios)
  await warmUp(otherScenarios)
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, scenario] of scenarios.entries()) {
      rounds[index]?.push(await measure(scenario, otherScenarios[index], round))
    }
    print(`Round ${round + 1} of ${ROUNDS}, ${Math.round(performance.now() / 1000)} s.`)
  }
  const outcomes = scenarios.map((scenario, index) => outcomeOf(scenario, rounds[index] ?? []))
  outcomes.push(...(await measureBulk(dataset, product, print)))
  print(tableOf(outcomes))
  print(`Memory of the server afterwards: ${product.rssMib()} MiB (bound: 400).`)
  if (options.json !== undefined) await writeFile(options.json, jsonOf(outcomes))
}

function jsonOf(outcomes: readonly Outcome[]): string {
  const entries = outcomes.map(
    ({ name, ratio, ratioToOther, against, requestsPerSecond, p99Ms, errors }) => [
      name,
      { ratio, ratioToOther, against, requestsPerSecond, p99Ms, errors },
    ],
  )
  return `${JSON.stringify({ scenarios: Object.fromEntries(entries) }, null, 2)}\n`
}

await runToEnd(bench)
