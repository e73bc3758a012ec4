import { BYTE_ORDER_MARK, CSV_TYPE, csvLine } from '../../base/values/csv.ts'
import type { OperatorAuditRecord } from './audit-record.ts'

const CSV = { mediaType: CSV_TYPE, fileName: 'audit-trail.csv' }

/** `spreadsheet` is CSV that people open in one. */
export const AUDIT_FILES = {
  csv: CSV,
  spreadsheet: CSV,
  ndjson: { mediaType: 'application/x-ndjson', fileName: 'audit-trail.ndjson' },
} as const
export type AuditFormat = keyof typeof AUDIT_FILES

const COLUMNS = [
  ...['id', 'at', 'actorKind', 'actorId', 'address', 'action', 'subjectKind', 'subjectId'],
  ...['developerId', 'partyId', 'before', 'after'],
]

/** What a file begins with. */
export function headOf(format: AuditFormat): string {
  if (format === 'ndjson') return ''
  return `${format === 'spreadsheet' ? BYTE_ORDER_MARK : ''}${csvLine(COLUMNS)}`
}

/** An entry as a line of a file. */
export function lineOf(format: AuditFormat, record: OperatorAuditRecord): string {
  if (format === 'ndjson') return `${JSON.stringify(record)}\n`
  const { id, at, actor, address, action, subject, developerId, partyId, before, after } = record
  const cells = [
    ...[id, at.toISOString(), actor.kind, actor.id, address, action, subject.kind, subject.id],
    ...[developerId, partyId, before && JSON.stringify(before), after && JSON.stringify(after)],
  ]
  return csvLine(cells)
}
