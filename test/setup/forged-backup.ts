import { createReadStream } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import type { ArchiveEntry } from '../../src/operation/backup/archive.ts'
import { type BackupFacts, factsEntry, factsOf } from '../../src/operation/backup/facts.ts'
import { readArchive } from '../../src/operation/backup/read-archive.ts'
import { createSealer, SEAL_BYTES } from '../../src/operation/backup/seal.ts'
import { archiveHead, dataBlock, idOf } from '../../src/operation/backup/write-archive.ts'

/** What ends the rows of a table in an archive. */
const END_OF_ROWS = 5

/** The parts of a backup: its entries after the facts, and the rows of those that have some. */
export type Parts = { facts: BackupFacts; entries: ArchiveEntry[]; rows: Map<string, Buffer> }

/** Takes a backup of `bytes` bytes apart. */
export async function partsOf(file: string, bytes: number): Promise<Parts> {
  const source = createReadStream(file, { end: bytes - SEAL_BYTES - 1 })
  const archive = await readArchive(source)
  const [first, ...entries] = archive.entries
  const rows = new Map<string, Buffer>()
  for (const entry of entries.filter(({ copy }) => copy !== '')) {
    rows.set(entry.tag, (await buffer(archive.rowsOf(entry))).subarray(0, -END_OF_ROWS))
  }
  return { facts: factsOf(first), entries, rows }
}

/**
 * Writes a backup of parts that were changed.
 *
 * @param secretKey seals it; without one it has no seal
 */
export async function writeParts(
  file: string,
  { facts, entries, rows }: Parts,
  secretKey?: string,
): Promise<void> {
  const all = [factsEntry(facts), ...entries]
  const pieces = [
    archiveHead({
      ...{ database: 'marketplace', serverVersion: '18.4', madeBy: 'test', entries: all },
      madeAt: new Date('2026-11-26T10:00:00Z'),
    }),
  ]
  for (const [index, { tag, copy }] of all.entries()) {
    if (copy === '') continue
    const own = [rows.get(tag) ?? Buffer.alloc(0)]
    pieces.push(...(await Array.fromAsync(dataBlock(idOf(index), from(own)))))
  }
  const body = Buffer.concat(pieces)
  const sealer = secretKey === undefined ? undefined : createSealer(secretKey)
  sealer?.update(body)
  await writeFile(file, Buffer.concat([body, sealer?.seal() ?? Buffer.alloc(0)]))
}

async function* from(chunks: Buffer[]) {
  yield* chunks
}
