import type { Measures } from '../../base/measures/measures.ts'
import { classCounts } from '../../base/measures/request-measures.ts'
import type { ErrorCode } from '../../errors.ts'
import { byLabel, counter, gauge, histogram, type Metric } from './metric.ts'

/** The error codes that refuse a token. */
const TOKEN_REFUSALS = [
  'missing_token',
  'invalid_token',
  'token_expired',
  'wrong_token_kind',
  'operator_required',
  'insufficient_scope',
] as const satisfies readonly ErrorCode[]

/** The password gate: hashes that run, that wait, and that were refused. */
type PasswordGate = { running: number; waiting: number; refused: number }

/** The release that is running. */
export type Build = { version: string; node: string }

/** What a process counted about requests and the work that they cause. */
export function ownMetrics(measures: Measures, passwords: PasswordGate, build: Build): Metric[] {
  return [
    gauge('marketplace_build_info', 'The release that runs, always 1.', [[build, 1]]),
    ...requestMetrics(measures),
    ...accessMetrics(measures, passwords),
    ...storeMetrics(measures),
    ...webhookMetrics(measures),
  ]
}

function requestMetrics(measures: Measures): Metric[] {
  const { requests, problems, limitsHit, requestsUncounted } = measures
  const routes = requests.all()
  return [
    counter(
      'http_requests_total',
      'Requests by route template, method and class of status.',
      routes.flatMap((measure) =>
        classCounts(measure).map(([status, count]) => {
          const { route, method } = measure
          return [{ route, method, status }, count] as const
        }),
      ),
    ),
    histogram(
      'http_request_duration_seconds',
      'Time from the arrival of a request to the end of its answer.',
      routes.map(({ route, method, latency }) => [{ route, method }, latency]),
    ),
    counter(
      'marketplace_problems_total',
      'Answers with an error, by its code.',
      byLabel('code', problems),
    ),
    counter(
      'marketplace_limits_hit_total',
      'Requests that were over their limit, by whose limit it was.',
      byLabel('limit', limitsHit),
    ),
    counter(
      'marketplace_requests_uncounted_total',
      'Requests that passed any limit, because Redis did not count them.',
      [[{}, requestsUncounted]],
    ),
  ]
}

function accessMetrics({ problems, tokensMade, signIns }: Measures, gate: PasswordGate): Metric[] {
  return [
    counter('marketplace_tokens_made_total', 'Tokens made.', byLabel('kind', tokensMade)),
    counter(
      'marketplace_tokens_refused_total',
      'Requests whose token was refused, by reason.',
      TOKEN_REFUSALS.map((reason) => [{ reason }, problems[reason] ?? 0]),
    ),
    counter(
      'marketplace_sign_ins_total',
      'Passwords that were given, by who signs in and how it ended.',
      Object.entries(signIns).flatMap(([kind, outcomes]) =>
        Object.entries(outcomes).map(([outcome, count]) => [{ kind, outcome }, count] as const),
      ),
    ),
    gauge('marketplace_password_hashes_running', 'Password hashes under way.', [
      [{}, gate.running],
    ]),
    gauge('marketplace_password_hashes_waiting', 'Password hashes that wait for their turn.', [
      [{}, gate.waiting],
    ]),
    counter(
      'marketplace_password_hashes_refused_total',
      'Password hashes that were refused because too many waited.',
      [[{}, gate.refused]],
    ),
  ]
}

function storeMetrics({ pages, pools, imports, installs, mails, jobs }: Measures): Metric[] {
  const { bytes, entries } = pages.kept()
  const { running, rows, ...finished } = imports
  const connections = [...pools].flatMap(([pool, { totalCount, idleCount }]) => [
    [{ pool, state: 'in_use' }, totalCount - idleCount] as const,
    [{ pool, state: 'idle' }, idleCount] as const,
  ])
  const waiting = [...pools].map(([pool, { waitingCount }]) => [{ pool }, waitingCount] as const)
  return [
    gauge('marketplace_database_connections', 'Connections to Postgres.', connections),
    gauge('marketplace_database_waiting', 'Work that waits for a connection.', waiting),
    gauge('marketplace_page_cache_bytes', 'Memory of product pages.', [[{}, bytes]]),
    gauge('marketplace_page_cache_entries', 'Product pages in memory.', [[{}, entries]]),
    counter(
      'marketplace_page_cache_reads_total',
      'Product pages from memory (hit), from the database (miss), or with a query under way (join).',
      byLabel('result', { hit: pages.hits, miss: pages.misses, join: pages.joins }),
    ),
    gauge('marketplace_imports_running', 'Imports under way.', [[{}, running]]),
    counter('marketplace_imports_total', 'Imports that ended.', byLabel('outcome', finished)),
    counter('marketplace_import_rows_total', 'Rows that completed imports read.', [[{}, rows]]),
    counter('marketplace_installs_total', 'Apps that accounts installed.', [[{}, installs]]),
    counter(
      'marketplace_mails_total',
      'Attempts to send a mail, by outcome; a postponed mail is tried again, a refused one is not.',
      byLabel('outcome', mails),
    ),
    counter(
      'marketplace_jobs_total',
      'Tries of jobs, by the kind of job and by outcome; a failed one may be tried again.',
      Object.entries(jobs).flatMap(([outcome, counts]) =>
        byLabel('queue', counts).map(([labels, count]) => [{ ...labels, outcome }, count] as const),
      ),
    ),
  ]
}

function webhookMetrics({ webhooks }: Measures): Metric[] {
  const { inFlight, succeeded, failed, latency } = webhooks
  return [
    gauge('marketplace_webhooks_in_flight', 'Requests to receivers under way.', [[{}, inFlight()]]),
    counter('marketplace_webhook_deliveries_total', 'Events that receivers took.', [
      [{}, succeeded],
    ]),
    counter(
      'marketplace_webhook_failures_total',
      'Attempts that did not succeed, by reason.',
      byLabel('reason', failed),
    ),
    histogram(
      'marketplace_webhook_latency_seconds',
      'Time from the change that made an event, by its `at`, to its delivery.',
      [[{}, latency]],
    ),
  ]
}
