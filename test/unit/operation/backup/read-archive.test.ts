import { buffer } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { dataEntry, SECTION, sqlEntry } from '../../../../src/operation/backup/archive.ts'
import { readArchive } from '../../../../src/operation/backup/read-archive.ts'
import { archiveHead, dataBlock, idOf } from '../../../../src/operation/backup/write-archive.ts'

const ENTRIES = [
  sqlEntry(SECTION.preData, 'MIGRATION', 'first', 'CREATE TABLE a ();\n'),
  dataEntry('a', 'COPY a FROM stdin;\n'),
  dataEntry('b', 'COPY b FROM stdin;\n'),
]
const head = (entries = ENTRIES) =>
  archiveHead({
    ...{ database: 'marketplace', serverVersion: '18.4', madeBy: 'test', entries },
    madeAt: new Date('2026-11-26T10:00:00Z'),
  })
async function* from(...chunks: Buffer[]) {
  yield* chunks
}
const block = async (id: number, rows: string) =>
  Buffer.concat(await Array.fromAsync(dataBlock(id, from(Buffer.from(rows)))))

/** The head up to the number of entries, which is the last thing before them. */
const beforeCount = head([]).subarray(0, -5)
const int = (value: number) => {
  const bytes = Buffer.alloc(5)
  bytes.writeUInt32LE(value, 1)
  return bytes
}
const DAMAGED = 'The backup is damaged.'

test('the entries and rows of an archive are read as they were written', async () => {
  const [a, b] = [await block(idOf(1), '1\tx\n'), await block(idOf(2), '')]
  const whole = Buffer.concat([head(), a, b])
  const single = Array.from(whole, (byte) => Buffer.of(byte))
  for (const chunks of [[whole], single]) {
    const archive = await readArchive(from(...chunks))
    expect(archive.entries).toEqual(ENTRIES)
    const rows: string[] = []
    for (const entry of archive.entries.slice(1)) {
      rows.push((await buffer(archive.rowsOf(entry))).toString())
    }
    expect(rows).toEqual(['1\tx\n\\.\n\n\n', '\\.\n\n\n'])
    await archive.finish()
  }
})

describe('an archive is damaged', () => {
  test.each([
    ['no entries', 0],
    ['more entries than any release writes', 20_001],
  ])('that says it has %s', async (_, count) => {
    await expect(readArchive(from(beforeCount, int(count)))).rejects.toThrow(DAMAGED)
  })

  test('whose text is longer than any release writes: it is not waited for', async () => {
    const lengths = Buffer.concat([int(1), int(1), int(0), int(16 * 1024 * 1024 + 1)])
    await expect(readArchive(from(beforeCount, lengths))).rejects.toThrow(DAMAGED)
  })

  test('whose rows are those of another table', async () => {
    const archive = await readArchive(from(head(), await block(idOf(2), '')))
    await expect(buffer(archive.rowsOf(archive.entries[1] as never))).rejects.toThrow(DAMAGED)
  })

  test('whose rows have a length below nothing', async () => {
    const negative = Buffer.of(1, 5, 0, 0, 0)
    const rows = Buffer.concat([Buffer.of(1), int(idOf(1)), negative])
    const archive = await readArchive(from(head(), rows))
    await expect(buffer(archive.rowsOf(archive.entries[1] as never))).rejects.toThrow(DAMAGED)
  })

  test('that goes on after its last entry', async () => {
    const blocks = [await block(idOf(1), ''), await block(idOf(2), '')]
    const archive = await readArchive(from(head(), ...blocks, Buffer.of(0)))
    for (const entry of archive.entries.slice(1)) await buffer(archive.rowsOf(entry))
    await expect(archive.finish()).rejects.toThrow(DAMAGED)
  })
})

test('an archive with an entry of a section that backup does not write is none of ours', async () => {
  const other = [{ ...(ENTRIES[0] as (typeof ENTRIES)[0]), section: 1 as never }]
  await expect(readArchive(from(head(other)))).rejects.toThrow('was not made by the command backup')
})

test('an archive that ends early is cut off', async () => {
  const whole = Buffer.concat([head(), await block(idOf(1), 'row\n')])
  const archive = await readArchive(from(whole.subarray(0, -1)))
  await expect(buffer(archive.rowsOf(archive.entries[1] as never))).rejects.toThrow('is cut off')
})
