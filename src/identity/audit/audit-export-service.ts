import type { Readable } from 'node:stream'
import { listAsFile } from '../../base/concurrency/list-as-file.ts'
import type { Deps } from '../../deps.ts'
import { type AuditFormat, headOf, lineOf } from './audit-file.ts'
import { listAudit, type OperatorAuditFilters } from './audit-trail-service.ts'

/**
 * The audit trail as a file, newest first.
 *
 * @param checkAgain throws when the caller may no longer read
 */
export function exportAudit(
  deps: Pick<Deps, 'db'>,
  filters: OperatorAuditFilters,
  format: AuditFormat,
  checkAgain: () => Promise<unknown>,
): Promise<Readable> {
  return listAsFile({
    head: headOf(format),
    read: (page) => listAudit(deps, filters, page),
    lineOf: (entry) => lineOf(format, entry),
    checkAgain,
  })
}
