import { Readable } from 'node:stream'
import { deadlineIn, withDeadline } from '../concurrency/deadline.ts'
import type { Deps } from '../deps.ts'
import type { Page } from '../values/page-of-list.ts'
import { type AuditFormat, headOf, lineOf } from './audit-file.ts'
import type { OperatorAuditRecord } from './audit-record.ts'
import { listAudit, type OperatorAuditFilters } from './audit-trail-service.ts'

/** How long a part may take to read. */
const PART_MS = 8_000
const PART_ENTRIES = 500

/** The audit trail as a file, newest first: read in parts, no faster than the client takes it. */
export function exportAudit(
  deps: Pick<Deps, 'db'>,
  filters: OperatorAuditFilters,
  format: AuditFormat,
): Readable {
  async function* parts(): AsyncGenerator<string> {
    yield headOf(format)
    let after: Page<OperatorAuditRecord>['next']
    do {
      const page = { after, limit: PART_ENTRIES }
      const { entries, next } = await withDeadline(
        deadlineIn(PART_MS),
        async () => await listAudit(deps, filters, page),
      )
      yield entries.map((entry) => lineOf(format, entry)).join('')
      after = next
    } while (after !== undefined)
  }
  return Readable.from(parts(), { objectMode: true, highWaterMark: 1 })
}
