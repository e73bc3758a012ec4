import type { ErrorCode } from '../../errors.ts'
import { createLatencies, DELIVERY_BOUNDS, type Latencies } from './latencies.ts'
import { createRequestMeasures, type RequestMeasures } from './request-measures.ts'

/** What node-postgres says of a pool. */
type PoolNumbers = { totalCount: number; idleCount: number; waitingCount: number }
type SignIns = Record<'succeeded' | 'wrong' | 'limited' | 'overloaded', number>

/**
 * What a process counts about itself since its start. The code that does the work raises a plain
 * number; `/metrics` and the hourly figures read it. No key may come from a client: the lists are
 * closed.
 */
export type Measures = {
  requests: RequestMeasures
  /** Answers with an error, by its code. */
  problems: Partial<Record<ErrorCode, number>>
  /** Requests over their limit, by whose it was. */
  limitsHit: Record<'installation' | 'developer' | 'user' | 'address', number>
  /** Requests that passed without being counted, because whoever counts did not answer. */
  requestsUncounted: number
  tokensMade: Record<'developer' | 'installation' | 'account', number>
  signIns: Record<'developer' | 'user', SignIns>
  installs: number
  pages: {
    hits: number
    misses: number
    /** Requests that waited for the query of another one. */
    joins: number
    /** What is kept; set by the cache. */
    kept: () => { bytes: number; entries: number }
  }
  /** Mails by what became of an attempt to send one. */
  mails: { sent: number; postponed: number; refused: number }
  /** Tries of jobs by the name of their kind. */
  jobs: { done: Partial<Record<string, number>>; failed: Partial<Record<string, number>> }
  imports: { running: number; completed: number; refused: number; failed: number; rows: number }
  webhooks: {
    inFlight: () => number
    succeeded: number
    /** Attempts that did not succeed, by the code of their reason. */
    failed: Partial<Record<string, number>>
    /**
     * From the `at` of an event, which is the beginning of its transaction or the moment in which
     * it was written, to the end of the attempt that the receiver took.
     */
    latency: Latencies
  }
  /** Connections to the database by what they are for. */
  pools: Map<'requests' | 'background', PoolNumbers>
}

const noSignIns = (): SignIns => ({ succeeded: 0, wrong: 0, limited: 0, overloaded: 0 })

/** The counters of a process, all at zero. */
export function createMeasures(): Measures {
  return {
    requests: createRequestMeasures(),
    problems: {},
    limitsHit: { installation: 0, developer: 0, user: 0, address: 0 },
    requestsUncounted: 0,
    tokensMade: { developer: 0, installation: 0, account: 0 },
    signIns: { developer: noSignIns(), user: noSignIns() },
    installs: 0,
    pages: { hits: 0, misses: 0, joins: 0, kept: () => ({ bytes: 0, entries: 0 }) },
    mails: { sent: 0, postponed: 0, refused: 0 },
    jobs: { done: {}, failed: {} },
    imports: { running: 0, completed: 0, refused: 0, failed: 0, rows: 0 },
    webhooks: {
      inFlight: () => 0,
      succeeded: 0,
      failed: {},
      latency: createLatencies(DELIVERY_BOUNDS),
    },
    pools: new Map(),
  }
}

/** Raises the count of one of a closed list of keys. */
export function countOne<Key extends string>(counts: Partial<Record<Key, number>>, key: Key): void {
  counts[key] = (counts[key] ?? 0) + 1
}
