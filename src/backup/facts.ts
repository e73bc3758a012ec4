import { z } from 'zod'
import { type ArchiveEntry, ArchiveError, SECTION, sqlEntry } from './archive.ts'
import { notOurs } from './read-archive.ts'

const KIND = 'COMMENT'
const TAG = 'app-marketplace'
const PREFIX = '-- app-marketplace backup: '

/** What the first entry of a backup says of it. */
export const BackupFacts = z.object({
  /** The version of this description. */
  format: z.literal(1),
  release: z.string(),
  madeAt: z.iso.datetime(),
  /** Name of the last migration. */
  schema: z.string(),
  /** Names the SECRET_KEY that opens the secrets, and tells nothing of it. */
  keyFingerprint: z.string(),
  /** Rows of each table. */
  tables: z.record(z.string(), z.int().min(0)),
})
export type BackupFacts = z.infer<typeof BackupFacts>

/** The facts as a comment of SQL, so that pg_restore passes over them. */
export function factsEntry(facts: BackupFacts): ArchiveEntry {
  return sqlEntry(SECTION.preData, KIND, TAG, `${PREFIX}${JSON.stringify(facts)}\n`)
}

/** @throws ArchiveError when the archive is another's, or of a release that writes other facts */
export function factsOf([first]: readonly ArchiveEntry[]): BackupFacts {
  if (first?.kind !== KIND || first.tag !== TAG || !first.sql.startsWith(PREFIX)) throw notOurs()
  try {
    return BackupFacts.parse(JSON.parse(first.sql.slice(PREFIX.length)))
  } catch {
    throw new ArchiveError('The backup is damaged, or a newer release made it.')
  }
}

/** How many rows a backup has. */
export function rowsIn({ tables }: Pick<BackupFacts, 'tables'>): number {
  return Object.values(tables).reduce((sum, rows) => sum + rows, 0)
}
