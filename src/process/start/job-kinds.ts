import { declareJob, type JobKind } from '../../base/jobs/job-kind.ts'
import { MAIL } from '../../base/mail/mail-job.ts'

/** Deletes what is too old, for all replicas. Whatever a try leaves is done by the next one. */
export const TIDYING = declareJob({
  name: 'tidying',
  atOnce: 1,
  lastsSeconds: 3600,
  cron: '*/10 * * * *',
})

/** Everything that the server does as a job. The queue `endpoint-window` is that of release 0.1.0. */
export const JOB_KINDS: readonly JobKind[] = [MAIL, TIDYING]
