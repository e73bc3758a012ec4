import { Readable } from 'node:stream'
import { currentDeadline, deadlineIn, withDeadline } from '../../base/concurrency/deadline.ts'
import type { Page } from '../../base/values/page-of-list.ts'
import type { Deps } from '../../deps.ts'
import { type AuditFormat, headOf, lineOf } from './audit-file.ts'
import type { OperatorAuditRecord } from './audit-record.ts'
import { listAudit, type OperatorAuditFilters } from './audit-trail-service.ts'

/** How long a part may take to read. The first one counts towards the deadline of the request. */
const PART_MS = 8_000
const PART_ENTRIES = 500

/**
 * The audit trail as a file, newest first: read in parts, no faster than the client takes it.
 *
 * @param checkAgain throws when the caller may no longer read
 * @returns the file, once its first part is read. A failure after that cuts it off
 */
export async function exportAudit(
  deps: Pick<Deps, 'db'>,
  filters: OperatorAuditFilters,
  format: AuditFormat,
  checkAgain: () => Promise<unknown>,
): Promise<Readable> {
  const caller = currentDeadline()?.caller
  const read = (after: Page<OperatorAuditRecord>['next']) =>
    listAudit(deps, filters, { after, limit: PART_ENTRIES })
  async function* partsFrom(first: Page<OperatorAuditRecord>): AsyncGenerator<string> {
    yield headOf(format) + linesOf(format, first.entries)
    let { next } = first
    while (next !== undefined) {
      const after = next
      const page = await withDeadline(deadlineIn(PART_MS, { caller }), async () => {
        await checkAgain()
        return await read(after)
      })
      yield linesOf(format, page.entries)
      next = page.next
    }
  }
  const parts = partsFrom(await read(undefined))
  return Readable.from(parts, { objectMode: true, highWaterMark: 1 })
}

function linesOf(format: AuditFormat, entries: readonly OperatorAuditRecord[]): string {
  return entries.map((entry) => lineOf(format, entry)).join('')
}
