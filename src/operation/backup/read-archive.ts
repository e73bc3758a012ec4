import { Readable } from 'node:stream'
import { createInflate } from 'node:zlib'
import {
  type ArchiveEntry,
  ArchiveError,
  CUSTOM_FORMAT,
  DATA_BLOCK,
  INT_BYTES,
  MAGIC,
  OFFSET_BYTES,
  SECTION,
  VERSION,
} from './archive.ts'
import { type ByteReader, createByteReader } from './byte-reader.ts'
import { idOf } from './write-archive.ts'

/** More than any release writes; a damaged length asks for no gigabytes. */
const TEXT_BYTES_MAX = 16 * 1024 * 1024
const ENTRIES_MAX = 20_000
const DEPENDENCIES_MAX = 1_000
/** Compression, seven parts of the time, and then three texts. */
const HEAD_INTS = 8
const HEAD_TEXTS = 3

/** An archive whose table of contents was read. */
export type Archive = {
  entries: readonly ArchiveEntry[]
  /** The rows of the next entry with data, decompressed; entries come in their order. */
  rowsOf(entry: ArchiveEntry): Readable
  /** @throws ArchiveError when something follows the last entry */
  finish(): Promise<void>
}

/**
 * Reads the head of an archive that `archiveHead` wrote.
 *
 * @throws ArchiveError when the source is something else, or damaged
 */
export async function readArchive(source: AsyncIterable<Buffer>): Promise<Archive> {
  const reader = createByteReader(source)
  const count = await readHead(reader)
  const entries: ArchiveEntry[] = []
  for (let index = 0; index < count; index++) entries.push(await readEntry(reader, idOf(index)))
  return {
    entries,
    rowsOf(entry) {
      const block = Readable.from(readBlock(reader, idOf(entries.indexOf(entry))))
      const inflate = createInflate()
      block.once('error', (error) => inflate.destroy(error))
      inflate.once('close', () => block.destroy())
      return block.pipe(inflate)
    },
    async finish() {
      if (!(await reader.isAtEnd())) throw damaged()
    },
  }
}

/**
 * The first entry of an archive; the rest may be missing.
 *
 * @throws ArchiveError when the source is something else, or damaged
 */
export async function readFirstEntry(source: AsyncIterable<Buffer>): Promise<ArchiveEntry> {
  const reader = createByteReader(source)
  await readHead(reader)
  return readEntry(reader, idOf(0))
}

/** @returns how many entries the archive has */
async function readHead(reader: ByteReader): Promise<number> {
  const magic = await reader.exactly(MAGIC.length).catch(() => undefined)
  if (magic?.equals(MAGIC) !== true) {
    throw new ArchiveError('The file is no backup: it does not begin like one of pg_dump.')
  }
  const [major, minor, , intBytes, offsetBytes, format] = await reader.exactly(6)
  const isOurs =
    major === VERSION.major &&
    minor === VERSION.minor &&
    intBytes === INT_BYTES &&
    offsetBytes === OFFSET_BYTES &&
    format === CUSTOM_FORMAT
  if (!isOurs) throw notOurs()
  for (let n = 0; n < HEAD_INTS; n++) await readInt(reader)
  for (let n = 0; n < HEAD_TEXTS; n++) await readText(reader)
  const count = await readInt(reader)
  if (count < 1 || count > ENTRIES_MAX) throw damaged()
  return count
}

/** The backup was made by pg_dump itself. */
export function notOurs(): ArchiveError {
  return new ArchiveError(
    'The file was not made by the command backup. Restore one of pg_dump with pg_restore.',
  )
}

function damaged(): ArchiveError {
  return new ArchiveError('The backup is damaged.')
}

async function readEntry(reader: ByteReader, id: number): Promise<ArchiveEntry> {
  if ((await readInt(reader)) !== id) throw notOurs()
  const hasData = (await readInt(reader)) === 1
  await readTexts(reader, 2)
  const [tag = '', kind = ''] = await readTexts(reader, 2)
  const section = await readInt(reader)
  const [sql = '', , copy = ''] = await readTexts(reader, 3)
  await readTexts(reader, 5)
  for (let n = 0; (await readText(reader)) !== undefined; n++) {
    if (n === DEPENDENCIES_MAX) throw damaged()
  }
  await reader.exactly(1 + OFFSET_BYTES)
  if (!isSection(section) || hasData !== (copy !== '')) throw notOurs()
  return { section, kind, tag, sql, copy }
}

function isSection(section: number): section is ArchiveEntry['section'] {
  return Object.values<number>(SECTION).includes(section)
}

async function readTexts(reader: ByteReader, count: number): Promise<(string | undefined)[]> {
  const texts: (string | undefined)[] = []
  for (let n = 0; n < count; n++) texts.push(await readText(reader))
  return texts
}

async function readText(reader: ByteReader): Promise<string | undefined> {
  const length = await readInt(reader)
  if (length < 0) return undefined
  if (length > TEXT_BYTES_MAX) throw damaged()
  return (await reader.exactly(length)).toString('utf8')
}

async function readInt(reader: ByteReader): Promise<number> {
  const bytes = await reader.exactly(1 + INT_BYTES)
  const value = bytes.readUInt32LE(1)
  return bytes[0] === 0 ? value : -value
}

async function* readBlock(reader: ByteReader, id: number): AsyncGenerator<Buffer> {
  const [kind] = await reader.exactly(1)
  if (kind !== DATA_BLOCK || (await readInt(reader)) !== id) throw damaged()
  for (;;) {
    const length = await readInt(reader)
    if (length === 0) return
    if (length < 0) throw damaged()
    for (let missing = length; missing > 0; ) {
      const piece = await reader.some(missing)
      missing -= piece.length
      yield piece
    }
  }
}
