import { deadlineIn, withDeadline } from '../../base/fair-share/deadline.ts'
import { createOutageLog, type OutageLog } from '../../base/log/outage-log.ts'
import type { Deps } from '../../deps.ts'
import { byLabel, gauge, type Metric } from './metric.ts'

/** How long figures are reused. */
const KEPT_MS = 5_000
/** How long Postgres may take; after that, a scrape goes on without its figures. */
const PATIENCE_MS = 2_000
/** The highest number that is counted. */
const FIGURE_MAX = 10_000

type Figures = {
  deliveries_due: number
  oldest_due_seconds: number
  events_new: number
  /** By the name of their kind. */
  jobs_waiting: Record<string, number>
  endpoints_failing: number
  endpoints_disabled: number
  schema: string
}

/** Reads figures of the database for `/metrics`. */
export type DatabaseMetrics = () => Promise<Metric[]>

/**
 * Makes a reader of the figures that all replicas share. However many scrapes come, there is one
 * query in five seconds, and its counts are bounded.
 */
export function createDatabaseMetrics(
  deps: Pick<Deps, 'pool' | 'now' | 'jobs' | 'log'>,
): DatabaseMetrics {
  const outage = createOutageLog(deps.log, {
    away: 'the metrics are without the figures of the database',
    back: 'the metrics have the figures of the database again',
  })
  let known: { atMs: number; metrics: Promise<Metric[]> } | undefined
  return () => {
    const nowMs = performance.now()
    if (known === undefined || nowMs - known.atMs > KEPT_MS) {
      known = { atMs: nowMs, metrics: readMetrics(deps, outage) }
    }
    return known.metrics
  }
}

async function readMetrics(
  deps: Pick<Deps, 'pool' | 'now' | 'jobs'>,
  outage: OutageLog,
): Promise<Metric[]> {
  try {
    const figures = await withDeadline(deadlineIn(PATIENCE_MS), () => readFigures(deps))
    outage.succeeded()
    return metricsOf(figures)
  } catch (error) {
    outage.failed(error)
    return [databaseUp(0)]
  }
}

/** SQL: when the deliveries of an endpoint `w` became due, the longest waiting first. */
const DUE = `
  SELECT due_at FROM webhook_deliveries
  WHERE endpoint_id = w.id AND status = 'pending' AND due_at <= $1 ORDER BY due_at`

async function readFigures({
  pool,
  now,
  jobs,
}: Pick<Deps, 'pool' | 'now' | 'jobs'>): Promise<Figures> {
  const { rows } = await pool.query<Figures>({
    name: 'metrics',
    text: `
      SELECT due.count AS deliveries_due,
        coalesce(extract(epoch FROM $1::timestamptz - oldest.due_at), 0)::float8 AS oldest_due_seconds,
        (SELECT count(*)::int FROM (
           SELECT FROM events WHERE position IS NULL LIMIT ${FIGURE_MAX}) AS e) AS events_new,
        (SELECT json_object_agg(kind, (SELECT count(*) FROM (
           SELECT FROM pgboss.job WHERE name = kind AND state < 'active'
           LIMIT ${FIGURE_MAX}) AS j)) FROM unnest($2::text[]) AS kind) AS jobs_waiting,
        endpoints.failing AS endpoints_failing, endpoints.disabled AS endpoints_disabled,
        (SELECT max(migration_name) FROM _prisma_migrations
         WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL) AS schema
      FROM (
        SELECT count(*)::int AS count FROM (
          SELECT FROM webhook_endpoints w CROSS JOIN LATERAL (${DUE} LIMIT ${FIGURE_MAX}) AS d
          WHERE w.disabled_at IS NULL LIMIT ${FIGURE_MAX}
        ) AS found
      ) AS due, (
        SELECT min(d.due_at) AS due_at
        FROM webhook_endpoints w CROSS JOIN LATERAL (${DUE} LIMIT 1) AS d
        WHERE w.disabled_at IS NULL
      ) AS oldest, (
        SELECT count(*) FILTER (WHERE failing_since IS NOT NULL AND disabled_at IS NULL)::int
            AS failing,
          count(*) FILTER (WHERE disabled_at IS NOT NULL)::int AS disabled
        FROM webhook_endpoints
      ) AS endpoints`,
    values: [now(), jobs.names],
  })
  return rows[0] as Figures
}

function metricsOf(figures: Figures): Metric[] {
  const bounded = `Counted up to ${FIGURE_MAX}.`
  return [
    databaseUp(1),
    gauge('marketplace_schema_info', 'The last migration of the database, always 1.', [
      [{ migration: figures.schema }, 1],
    ]),
    gauge('marketplace_webhooks_due', `Deliveries whose time has come. ${bounded}`, [
      [{}, figures.deliveries_due],
    ]),
    gauge(
      'marketplace_webhooks_oldest_due_seconds',
      'How long the delivery that waits longest has been due.',
      [[{}, figures.oldest_due_seconds]],
    ),
    gauge('marketplace_events_new', `Events without a position. ${bounded}`, [
      [{}, figures.events_new],
    ]),
    gauge(
      'marketplace_jobs_waiting',
      `Jobs that wait to be done, or done again, by their kind. ${bounded}`,
      byLabel('queue', figures.jobs_waiting),
    ),
    gauge('marketplace_webhook_endpoints', 'Webhook endpoints in trouble.', [
      [{ state: 'failing' }, figures.endpoints_failing],
      [{ state: 'disabled' }, figures.endpoints_disabled],
    ]),
  ]
}

function databaseUp(up: 0 | 1): Metric {
  return gauge('marketplace_database_up', 'Whether Postgres answered this scrape.', [[{}, up]])
}
