/** What one trial does to the server, what must hold, and which tests try the same in short. */
export type Description = {
  does: string
  holds: string
  /** Test files, or the reason why there is none. */
  shortForm: readonly string[] | string
}

/** By the name of a trial: `NAME-trial.ts` in this folder. */
export const DESCRIPTIONS: Readonly<Record<string, Description>> = {
  regexp: {
    does: 'Long numbers and groups of digits are typed into forms.',
    holds: 'No request holds the event loop',
    shortForm: ['test/contract/regular-expressions.test.ts'],
  },
  json: {
    does: 'Four connections send 1 MiB of JSON without end.',
    holds: '`/livez` answers within 100 ms for 99 of 100',
    shortForm: ['test/api/http/body-cost.test.ts'],
  },
  'sign-in': {
    does: '12 addresses with 20 connections each sign in without end.',
    holds: 'A correct sign-in from another address succeeds within 2 s',
    shortForm: ['test/api/identity/auth/password-queue.test.ts'],
  },
  'known-address': {
    does: '200 pairs of a known and an unknown address ask for a new password, sign in, are invited, are asked for as a new email (`KNOWN_ADDRESS_PAIRS` changes the number).',
    holds:
      'The times cannot be told apart by their ranks (Mann-Whitney, |z| under 3.29), and the responses are the same',
    shortForm: ['test/api/identity/people/password-resets.test.ts'],
  },
  'page-cost': {
    does: 'Every page and everything that can be read, one after the other, with the largest legal definitions, settings and terms documents.',
    holds: 'Nothing holds the event loop for more than 50 ms',
    shortForm: [
      'test/flows/developer/long-texts.test.ts',
      'test/api/marketplace/apps/public-bytes.test.ts',
    ],
  },
  'public-flood': {
    does: 'One address without a token asks 100 times a second for each of the largest public records.',
    holds: 'p99 of others under 100 ms',
    shortForm: [
      'test/api/marketplace/apps/public-bytes.test.ts',
      'test/api/http/held-answers.test.ts',
    ],
  },
  import: {
    does: 'Eight Sellers let their files trickle; a server is killed in the middle.',
    holds: 'Imports of others go on; the killed one does not block its account',
    shortForm: ['test/api/marketplace/products/product-import-broken.test.ts'],
  },
  gzip: {
    does: 'Files that decompress to millions of empty lines or of the same byte.',
    holds: 'Refused at little cost',
    shortForm: ['test/api/http/body-coding.test.ts'],
  },
  export: {
    does: 'Readers that stop reading.',
    holds: 'Closed within 60 s; at most four of one installation',
    shortForm: ['test/api/marketplace/products/product-export-limits.test.ts'],
  },
  'slow-clients': {
    does: 'Headers and bodies trickle, answers are not read, a million rows are read slowly, 300 connections ask for more than the server can do.',
    holds:
      'Slow ones closed within 60 s, others served; a slow export under 20 MiB; floods get answers, 429 and 503, and end within 5 s',
    shortForm: ['test/process/slow-clients.test.ts'],
  },
  growth: {
    does: 'Everything that can be read is read in turns from the demo and from a marketplace with 10,000 apps, 100,000 installations, 100,000 users and 1,000,000 audit entries.',
    holds: 'Each median within twice that of the demo',
    shortForm: ['test/database/list-plans.test.ts'],
  },
  workers: {
    does: "The page from memory with `WORKERS=1` and `2` in turns (Debian's package `wrk`).",
    holds:
      '0.9 times the requests for a processor second; 1.4 times the requests, or nine tenths of what the free cores allow',
    shortForm: ['test/process/workers.test.ts'],
  },
  'worker-kill': {
    does: 'One of two workers is killed 50 times (`WORKER_KILLS`) under 100 new connections a second.',
    holds: 'No request without an answer or an end within 10 s',
    shortForm: ['test/process/workers.test.ts'],
  },
  memory: {
    does: '30 minutes (`MEMORY_TRIAL_MINUTES`) of pages, mints, writes, sign-ins, exports and imports.',
    holds: 'Resident memory at most 400 MiB and level, descriptors and connections level',
    shortForm: ['test/process/memory.test.ts'],
  },
  database: {
    does: 'Locked tables, frozen backends, a pool that is used up, Postgres away.',
    holds:
      'No request over 10 s, 503 with `Retry-After`, forged tokens refused and `/livez` answered at once, as before within 3 s',
    shortForm: ['test/database/database-away.test.ts', 'test/database/patience.test.ts'],
  },
  postgres: {
    does: 'Postgres restarts (fast, immediate), connections are cut five times a second, it takes no writes, its disk is full (root only).',
    holds:
      'No request over 10 s, 503 with `Retry-After`, forged tokens refused and `/livez` answered at once, as before within 3 s',
    shortForm: ['test/process/process.test.ts', 'test/database/database-away.test.ts'],
  },
  patroni: {
    does: "A planned switch-over and a `kill -9` of the primary in a cluster of three under Patroni, in synchronous mode (Debian's packages `patroni`, `etcd-server`, `haproxy`, `postgresql`).",
    holds:
      'Only 503 with `Retry-After`, as before 3 s after the new primary is there, no acknowledged write lost',
    shortForm: ['test/process/failover.test.ts'],
  },
  'read-replica': {
    does: '2,000 reads, each after a write, with a replica that applies at once, 200 ms and 5 s late, and without it.',
    holds: 'None stale, none over 10 s',
    shortForm: ['test/process/read-replica.test.ts'],
  },
  crash: {
    does: 'The server is killed ten times under 2,000 installs, changes of settings and writes of products by 20 clients.',
    holds: 'Nothing acknowledged is missing, nothing doubled or half-written',
    shortForm: ['test/process/install-kill.test.ts'],
  },
  clock: {
    does: "The clock jumps by six hours, forward and back (Debian's package `faketime`).",
    holds: 'Tokens follow their `exp`, no storm of retries, the process lives',
    shortForm: ['test/process/clock-jumps.test.ts'],
  },
  shutdown: {
    does: '50 requests in flight at SIGTERM, a second SIGTERM.',
    holds: 'Finished or answered with 503; the second ends at once',
    shortForm: ['test/process/process-shutdown.test.ts'],
  },
  upgrade: {
    does: 'Two servers behind HAProxy are replaced by the next release, which has a migration more, and by this one again, under 100 requests a second.',
    holds: 'No request fails, exit code 0',
    shortForm: ['test/process/upgrade.test.ts', 'test/process/backup.test.ts'],
  },
  'webhook-latency': {
    does: '10,000 events at 200 a second to a healthy receiver, alone and beside 50 endpoints of the same developer that never answer.',
    holds: 'None lost, doubled or out of number; p99 from commit to arrival under 1 s and 2 s',
    shortForm: ['test/api/marketplace/webhooks/delivery.test.ts'],
  },
  'webhook-kill': {
    does: 'One of two replicas is killed ten times under 50 changes a second.',
    holds: 'One event for each committed change, no gap, each delivered within 60 s',
    shortForm: ['test/api/marketplace/webhooks/turns.test.ts'],
  },
  'webhook-postgres': {
    does: 'Postgres is restarted three times under load.',
    holds: 'None lost, delivery goes on within 10 s, the process lives',
    shortForm: ['test/api/marketplace/webhooks/delivery.test.ts'],
  },
  'webhook-dead': {
    does: '100,000 deliveries wait for a dead receiver, which comes back.',
    holds: 'Under 50 MiB, deliveries to others unmoved; recover sends them all',
    shortForm: ['test/api/marketplace/webhooks/recover-steps.test.ts'],
  },
  'webhook-replicas': {
    does: 'Two replicas send; one has `WEBHOOKS=off`.',
    holds: 'None doubled; the one sends nothing',
    shortForm: ['test/api/marketplace/webhooks/webhooks-off.test.ts'],
  },
  'event-cost': {
    does: 'Installs over HTTP with the event that they write, and without it, in turns on one server.',
    holds: 'At most 15 % more processor time, and 15 % longer',
    shortForm: 'it measures a cost',
  },
  haproxy: {
    does: "Three servers behind HAProxy (Debian's package): start at once on an empty database, revoke, try wrong passwords, are replaced one after the other under 100 requests a second.",
    holds: 'Each migration once; one revocation and one limit for all; no request fails',
    shortForm: [
      'test/process/revocation-on-replicas.test.ts',
      'test/process/codes-and-keys-on-replicas.test.ts',
      'test/database/migrations.test.ts',
    ],
  },
}
