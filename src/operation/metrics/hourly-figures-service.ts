import type { Pool } from 'pg'
import { createOutageLog } from '../../base/log/outage-log.ts'
import {
  addFigures,
  type Figures,
  figuresOf,
  hourOf,
  isNothing,
  noFigures,
  since,
} from '../../base/measures/figures.ts'
import { REQUEST_BOUNDS } from '../../base/measures/latencies.ts'
import type { Deps } from '../../deps.ts'

const KEPT_DAYS = 90
const LOOK_MS = 10_000
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** The ranges that charts show: how many steps of which length. */
const RANGES = {
  '24h': { steps: 24, stepMs: HOUR_MS },
  '30d': { steps: 30, stepMs: DAY_MS },
} as const
export type Range = keyof typeof RANGES
/** The figures of one step, which begins at `at`. */
export type FiguresStep = { at: Date; figures: Figures }

type FiguresDeps = Pick<Deps, 'pool' | 'now' | 'log' | 'measures'>

export type HourlyFigures = {
  /** Writes the figures since the last time, once their hour is over. */
  look(): Promise<void>
  /**
   * Writes the remaining figures.
   *
   * @param last writes them, at the end of a process whose pool is interrupted
   */
  stop(last?: Pool): Promise<void>
}

/**
 * Adds the counts of this process to the stored figures, once an hour and when the process ends.
 * Figures that could not be written are written the next time.
 */
export function startHourlyFigures(deps: FiguresDeps): HourlyFigures {
  const outage = createOutageLog(deps.log, {
    away: 'the figures of an hour could not be written',
    back: 'the figures of the hours are written again',
  })
  let written = figuresOf(deps.measures)
  let hour = hourOf(deps.now())

  const write = async (pool: Pool) => {
    const now = figuresOf(deps.measures)
    const figures = since(written, now)
    if (!isNothing(figures)) await addToHour({ ...deps, pool }, hour, figures)
    written = now
    hour = hourOf(deps.now())
  }
  let writing: Promise<void> | undefined
  const writeNow = async (pool: Pool) => {
    writing = write(pool)
      .then(outage.succeeded, outage.failed)
      .finally(() => {
        writing = undefined
      })
    await writing
  }
  const look = async () => {
    await writing
    if (hourOf(deps.now()).getTime() !== hour.getTime()) await writeNow(deps.pool)
  }
  const timer = setInterval(() => void look(), LOOK_MS).unref()
  return {
    look,
    async stop(last = deps.pool) {
      clearInterval(timer)
      await writing
      await writeNow(last)
    },
  }
}

/**
 * One statement, so that replicas that write at the same time lose nothing. It also deletes old
 * hours.
 */
async function addToHour(
  { pool, now }: Pick<Deps, 'pool' | 'now'>,
  hour: Date,
  { requests, errors, latency, tokens, installs, deliveries, failures }: Figures,
): Promise<void> {
  await pool.query(
    `WITH forgotten AS (DELETE FROM hourly_figures WHERE hour < $9)
     INSERT INTO hourly_figures AS f
       (hour, requests, errors, latencies, tokens, installs, deliveries, failures)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
     ON CONFLICT (hour) DO UPDATE SET
       requests = f.requests + excluded.requests,
       errors = f.errors + excluded.errors,
       latencies = ARRAY(
         SELECT coalesce(a, 0) + coalesce(b, 0)
         FROM unnest(f.latencies, excluded.latencies) WITH ORDINALITY AS both_of(a, b, place)
         ORDER BY place),
       tokens = f.tokens + excluded.tokens,
       installs = f.installs + excluded.installs,
       deliveries = f.deliveries + excluded.deliveries,
       failures = f.failures + excluded.failures`,
    [
      hour,
      requests,
      errors,
      latency.counts,
      tokens,
      installs,
      deliveries,
      failures,
      new Date(now().getTime() - KEPT_DAYS * DAY_MS),
    ],
  )
}

/**
 * The figures of the last hours or days, oldest first; a step without figures has zeros.
 *
 * @param periods how many times the range, of which the last one comes last
 */
export async function readFigures(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  range: Range,
  periods = 1,
): Promise<FiguresStep[]> {
  const { steps, stepMs } = RANGES[range]
  const count = steps * periods
  const last = Math.floor(now().getTime() / stepMs)
  // The current hour is not stored yet, so hours end with the one before. The current day includes
  // its hours so far.
  const end = range === '24h' ? last - 1 : last
  const found = Array.from({ length: count }, (_, index) => ({
    at: new Date((end - count + 1 + index) * stepMs),
    figures: noFigures(),
  }))
  const rows = await db.hourlyFigures.findMany({ where: { hour: { gte: found[0]?.at as Date } } })
  for (const { hour, latencies, ...counts } of rows) {
    const step = found[Math.floor(hour.getTime() / stepMs) - (end - count + 1)]
    if (step === undefined) continue
    const numbers = Object.entries(counts).map(([name, value]) => [name, Number(value)])
    const latency = { bounds: REQUEST_BOUNDS, counts: latencies.map(Number), sum: 0 }
    addFigures(step.figures, { ...Object.fromEntries(numbers), latency } as Figures)
  }
  return found
}
