import { pipeline } from 'node:stream'
import { createDeflate } from 'node:zlib'
import {
  type ArchiveEntry,
  type ArchiveHead,
  CUSTOM_FORMAT,
  DATA_BLOCK,
  INT_BYTES,
  MAGIC,
  OFFSET,
  OFFSET_BYTES,
  VERSION,
} from './archive.ts'

const ZLIB_DEFAULT_LEVEL = -1
const FIRST_YEAR = 1900
/** Ends the rows of a table, as pg_dump writes it: scripts made of the archive need it. */
const END_OF_COPY = Buffer.from('\\.\n\n\n')

/** A text that is not there. */
const NO_TEXT = int(-1)

/** The head and the table of contents of an archive. */
export function archiveHead(head: ArchiveHead): Buffer {
  const { madeAt } = head
  return Buffer.concat([
    MAGIC,
    Buffer.of(VERSION.major, VERSION.minor, VERSION.revision),
    Buffer.of(INT_BYTES, OFFSET_BYTES, CUSTOM_FORMAT),
    ...[
      ZLIB_DEFAULT_LEVEL,
      madeAt.getUTCSeconds(),
      madeAt.getUTCMinutes(),
      madeAt.getUTCHours(),
      madeAt.getUTCDate(),
      madeAt.getUTCMonth(),
      madeAt.getUTCFullYear() - FIRST_YEAR,
      // No daylight saving time.
      0,
    ].map(int),
    text(head.database),
    text(head.serverVersion),
    text(head.madeBy),
    int(head.entries.length),
    ...head.entries.map((entry, index) => entryBytes(entry, idOf(index))),
  ])
}

/** The id of an entry by its place in the table of contents. */
export function idOf(index: number): number {
  return index + 1
}

function entryBytes({ section, kind, tag, sql, copy }: ArchiveEntry, id: number): Buffer {
  const hasData = copy !== ''
  const [noOid, noDrop, noSpace, noOwner] = ['0', '', '', '']
  return Buffer.concat([
    int(id),
    int(hasData ? 1 : 0),
    text(noOid),
    text(noOid),
    text(tag),
    text(kind),
    int(section),
    text(sql),
    text(noDrop),
    text(copy),
    // Names in the statements are complete: no schema is to be looked in.
    text(''),
    text(noSpace),
    // No way to store tables.
    NO_TEXT,
    text(noOwner),
    text('false'),
    // No dependencies: the order of the entries says it all.
    NO_TEXT,
    Buffer.of(hasData ? OFFSET.unknown : OFFSET.noData),
    Buffer.alloc(OFFSET_BYTES),
  ])
}

/**
 * The block of an entry with data, made as it is read.
 *
 * @param rows what `COPY ... TO STDOUT` sends
 */
export async function* dataBlock(id: number, rows: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield Buffer.concat([Buffer.of(DATA_BLOCK), int(id)])
  const compressed = pipeline(withEnd(rows), createDeflate(), () => {})
  for await (const chunk of compressed as AsyncIterable<Buffer>) {
    yield int(chunk.length)
    yield chunk
  }
  yield int(0)
}

async function* withEnd(rows: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield* rows
  yield END_OF_COPY
}

/** A sign and the bytes of the absolute value, the lowest first. */
function int(value: number): Buffer {
  const bytes = Buffer.alloc(1 + INT_BYTES)
  bytes[0] = value < 0 ? 1 : 0
  bytes.writeUInt32LE(Math.abs(value), 1)
  return bytes
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value)
  return Buffer.concat([int(bytes.length), bytes])
}
