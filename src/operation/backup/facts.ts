import { z } from 'zod'
import { type ArchiveEntry, ArchiveError, SECTION, sqlEntry } from './archive.ts'
import { notOurs } from './read-archive.ts'

const KIND = 'COMMENT'
const TAG = 'app-marketplace'
const PREFIX = '-- app-marketplace backup: '
/** The version of this description. */
const FORMAT = 1

/** What the first entry of a backup says of it. */
export const BackupFacts = z.object({
  format: z.literal(FORMAT),
  release: z.string(),
  madeAt: z.iso.datetime(),
  /** The migrations that made the schema, with the SHA-256 of each. */
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })),
  /** Names the SECRET_KEY that opens the secrets, and tells nothing of it. */
  keyFingerprint: z.string(),
  /** The tables: how many rows, and what the columns of these are in their order. */
  tables: z.record(z.string(), z.object({ rows: z.int().min(0), columns: z.array(z.string()) })),
  /** The last number that each sequence gave out. */
  sequences: z.record(z.string(), z.string().regex(/^-?\d{1,19}$/)),
})
export type BackupFacts = z.infer<typeof BackupFacts>

/** The facts as a comment of SQL, so that pg_restore passes over them. */
export function factsEntry(facts: Omit<BackupFacts, 'format'>): ArchiveEntry {
  const text = JSON.stringify({ format: FORMAT, ...facts })
  return sqlEntry(SECTION.preData, KIND, TAG, `${PREFIX}${text}\n`)
}

/** @throws ArchiveError when the archive is another's, or of a release that writes other facts */
export function factsOf(first: ArchiveEntry | undefined): BackupFacts {
  try {
    return BackupFacts.parse(factsText(first))
  } catch (error) {
    if (error instanceof ArchiveError) throw error
    throw new ArchiveError('A newer release made the backup. Use it with that release.')
  }
}

/** @throws ArchiveError when the archive is another's */
export function requireOurs(first: ArchiveEntry): void {
  factsText(first)
}

function factsText(first: ArchiveEntry | undefined): unknown {
  if (first?.kind !== KIND || first.tag !== TAG || !first.sql.startsWith(PREFIX)) throw notOurs()
  try {
    return JSON.parse(first.sql.slice(PREFIX.length))
  } catch {
    return undefined
  }
}

/** Rows of each table. */
export function rowsOfTables({ tables }: Pick<BackupFacts, 'tables'>): Record<string, number> {
  return Object.fromEntries(Object.entries(tables).map(([tag, { rows }]) => [tag, rows]))
}

/** How many rows a backup has. */
export function rowsIn({ tables }: Pick<BackupFacts, 'tables'>): number {
  return Object.values(tables).reduce((sum, { rows }) => sum + rows, 0)
}
