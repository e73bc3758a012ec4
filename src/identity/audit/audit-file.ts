import type { OperatorAuditRecord } from './audit-record.ts'

const CSV = { mediaType: 'text/csv; charset=utf-8', fileName: 'audit-trail.csv' }

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
  // Spreadsheets tell UTF-8 by a byte order mark; programs take one for a part of the first name.
  return `${format === 'spreadsheet' ? '\ufeff' : ''}${COLUMNS.join(',')}\r\n`
}

/** An entry as a line of a file. */
export function lineOf(format: AuditFormat, record: OperatorAuditRecord): string {
  if (format === 'ndjson') return `${JSON.stringify(record)}\n`
  const { id, at, actor, address, action, subject, developerId, partyId, before, after } = record
  const cells = [
    ...[id, at.toISOString(), actor.kind, actor.id, address, action, subject.kind, subject.id],
    ...[developerId, partyId, before && JSON.stringify(before), after && JSON.stringify(after)],
  ]
  return `${cells.map(cell).join(',')}\r\n`
}

/**
 * RFC 4180. What a spreadsheet would take for a formula gets an apostrophe in front; some take the
 * fullwidth signs, too.
 */
function cell(value: string | number | null): string {
  const text = String(value ?? '')
  const harmless = /^[=+\-@\uff1d\uff0b\uff0d\uff20\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
