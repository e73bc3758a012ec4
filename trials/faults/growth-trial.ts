import { filtersOf, filterValues, withIds } from '../../test/setup/list-aims.ts'
import { type GrowthMarket, type Readable, readables, startGrowthMarket } from './growth-market.ts'
import type { Finding, Trial } from './trial.ts'

const SIZES = {
  parties: 60_000,
  users: 100_000,
  developers: 10_000,
  apps: 10_000,
  installed: 60_000,
  uninstalled: 40_000,
  auditEntries: 1_000_000,
}
const TIMES_MAX = 2
const ROUNDS = 5
/** Of what seems too slow: other work on the machine may have been why. */
const MORE_ROUNDS = 21
/** What a page costs that does nothing is not told apart from less than this. */
const NOISE_MS = 2
/** What answers when something happens, streams whole tables or is no page of ours. */
const LEFT_OUT = /\/Export|\/metrics|\/assets\/|^\/docs|openapi|\/demo\//i

/** The same request to both: the demo and the grown marketplace. */
type Aim = { name: string; small: Ask; big: Ask }
type Ask = () => Promise<{ status: number; text: string }>

/** Everything that can be read, on the demo and on a marketplace that has grown. */
export const trial: Trial = {
  title: 'growth',
  async run() {
    const all = (await readables()).filter(({ route }) => !LEFT_OUT.test(route))
    const small = await startGrowthMarket()
    const big = await startGrowthMarket(SIZES).catch(async (error) => {
      await small.close()
      throw error
    })
    try {
      return [await compare(await aims(all, small, big))]
    } finally {
      await Promise.all([small.close(), big.close()])
    }
  },
}

async function aims(all: readonly Readable[], small: GrowthMarket, big: GrowthMarket) {
  const found: Aim[] = []
  for (const one of all) {
    const isPage = one.audience === 'browser'
    const bare = pathOf(one, small)
    const first = await ask(small, one, bare)
    const filters = isPage ? filtersOf(first.text) : one.filters
    const queries = filters.flatMap((name) => {
      const smallValues = filterValues(small.ids)[name] ?? []
      const bigValues = filterValues(big.ids)[name] ?? []
      return bigValues.map((value, index) => [
        `${name}=${encodeURIComponent(smallValues[index] ?? value)}`,
        `${name}=${encodeURIComponent(value)}`,
      ])
    })
    for (const [ofSmall = '', ofBig = ''] of [['', ''], ...queries]) {
      const smallPath = joined(bare, ofSmall)
      const answer = await ask(small, one, smallPath)
      const bigPath = joined(pathOf(one, big), ofBig, limitLike(one, answer.text))
      const other = await ask(big, one, bigPath)
      // What only exists in one of them is not compared.
      if (answer.status >= 400 && other.status >= 400) continue
      found.push({
        name: `GET ${bigPath}`,
        small: () => ask(small, one, smallPath),
        big: () => ask(big, one, bigPath),
      })
    }
  }
  return found
}

function pathOf({ route }: Readable, { ids, endpointId }: GrowthMarket): string {
  return withIds(route, ids, endpointId)
}

/** As many rows as the list of the demo has, for a page costs what its rows cost. */
function limitLike({ isList }: Readable, text: string): string {
  if (!isList) return ''
  const rows: unknown = JSON.parse(text)
  return `limit=${Math.max(1, Array.isArray(rows) ? rows.length : 1)}`
}

function joined(path: string, ...queries: string[]): string {
  const query = queries.filter(Boolean).join('&')
  return query ? `${path}?${query}` : path
}

async function ask({ url, tokens, browsers }: GrowthMarket, one: Readable, path: string) {
  if (one.audience === 'browser') {
    if (path.startsWith('/Operator')) return browsers.operator.get(path)
    return browsers[path.startsWith('/Developer') ? 'developer' : 'user'].get(path)
  }
  const token = tokens[one.audience]
  const headers = { ...(token && { authorization: `Bearer ${token}` }) }
  const answer = await fetch(url + path, { headers, redirect: 'manual' })
  return { status: answer.status, text: await answer.text() }
}

async function compare(all: readonly Aim[]): Promise<Finding> {
  const slow: { name: string; smallMs: number; bigMs: number }[] = []
  let worst = 0
  for (const aim of all) {
    let times = await measured(aim, ROUNDS)
    if (isSlow(times)) times = await measured(aim, MORE_ROUNDS)
    if (isSlow(times)) slow.push({ name: aim.name, ...times })
    else worst = Math.max(worst, times.bigMs / times.smallMs)
  }
  slow.sort((a, b) => b.bigMs / b.smallMs - a.bigMs / a.smallMs)
  const told = slow.map(
    ({ name, smallMs, bigMs }) => `${name} ${bigMs.toFixed(1)} ms for ${smallMs.toFixed(1)} ms`,
  )
  return {
    what: `${all.length} lists, searches, records and pages with 10,000 apps, 100,000 installations, 100,000 users and 1,000,000 audit entries`,
    seen: slow.length > 0 ? `slower: ${told.join('; ')}` : `at most ${worst.toFixed(1)} times`,
    target: `each within ${TIMES_MAX} times its time on the demo`,
    held: slow.length === 0,
  }
}

function isSlow({ smallMs, bigMs }: { smallMs: number; bigMs: number }): boolean {
  return bigMs > smallMs * TIMES_MAX && bigMs - smallMs > NOISE_MS
}

/** Medians of requests in turn. */
async function measured({ small, big }: Aim, rounds: number) {
  const smallTimes: number[] = []
  const bigTimes: number[] = []
  for (let round = 0; round < rounds; round++) {
    smallTimes.push(await timeOf(small))
    bigTimes.push(await timeOf(big))
  }
  return { smallMs: median(smallTimes), bigMs: median(bigTimes) }
}

async function timeOf(request: Ask): Promise<number> {
  const beganAtMs = performance.now()
  await request()
  return performance.now() - beganAtMs
}

function median(times: number[]): number {
  return times.sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0
}
