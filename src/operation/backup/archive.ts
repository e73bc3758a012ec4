import { OperatorError } from '../../errors.ts'

/**
 * The custom format of pg_dump (`pg_dump -Fc`) in its version 1.14, which every pg_restore since
 * Postgres 12 reads: a head, a table of contents, and a compressed block for each entry with data.
 */
export const MAGIC = Buffer.from('PGDMP')
export const VERSION = { major: 1, minor: 14, revision: 0 } as const
export const INT_BYTES = 4
export const OFFSET_BYTES = 8
export const CUSTOM_FORMAT = 1
export const DATA_BLOCK = 1
/** Where the data of an entry begins: the writer cannot know, or there is none. */
export const OFFSET = { unknown: 1, noData: 3 } as const
/** When pg_restore runs an entry. */
export const SECTION = { preData: 2, data: 3, postData: 4 } as const

/** The file is no backup that can be used; the message is for the operator. */
export class ArchiveError extends OperatorError {}

/** One entry of the table of contents. */
export type ArchiveEntry = {
  section: (typeof SECTION)[keyof typeof SECTION]
  /** What kind of thing it is, such as `TABLE DATA`. */
  kind: string
  /** Which one, such as `products`. */
  tag: string
  /** SQL that makes it; empty for data. */
  sql: string
  /** `COPY ... FROM stdin;` of an entry with data. */
  copy: string
}

export type ArchiveHead = {
  database: string
  /** Versions as texts, such as `18.4`. */
  serverVersion: string
  madeBy: string
  madeAt: Date
  entries: readonly ArchiveEntry[]
}

/** An entry that runs SQL. */
export function sqlEntry(
  section: ArchiveEntry['section'],
  kind: string,
  tag: string,
  sql: string,
): ArchiveEntry {
  return { section, kind, tag, sql, copy: '' }
}

/** An entry with the rows of a table. */
export function dataEntry(table: string, copy: string): ArchiveEntry {
  return { section: SECTION.data, kind: 'TABLE DATA', tag: table, sql: '', copy }
}

/** A backup cannot be made or restored; the message is for the operator. */
export class BackupError extends OperatorError {}
