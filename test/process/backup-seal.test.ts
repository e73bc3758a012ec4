import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, open, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dataEntry, SECTION, sqlEntry } from '../../src/operation/backup/archive.ts'
import { SEAL_BYTES } from '../../src/operation/backup/seal.ts'
import { type SealedFile, withSealedFile } from '../../src/operation/backup/sealed-file-service.ts'
import { type Backups, NO_DIRECTORY, query, startBackups, tableNames } from '../setup/backups.ts'
import { runCli, runCliProcess } from '../setup/cli.ts'
import { type Parts, partsOf, writeParts } from '../setup/forged-backup.ts'

const NO_BACKUP = 'The file is no backup: it does not begin like one of pg_dump.'
const CUT = 'The backup is cut off: the end of it is missing.'
const NO_SEAL_AT_END =
  'The backup does not end with its seal: it is cut off, or something was added to it.'
const CHANGED = 'The backup was changed or damaged after it was made: its seal does not fit it.'

let backups: Backups
let bytes: Buffer
/** A database that stays empty: every restore into it is refused. */
let target: string
beforeAll(async () => {
  backups = await startBackups()
  bytes = await readFile(backups.file)
  target = await backups.emptyDatabase()
})
afterAll(() => backups.close())

const secretKey = () => backups.market.deps.secretKey
const path = (name: string) => join(backups.directory, name)

function readSealed<T>(file: string, work: (sealed: SealedFile) => Promise<T>): Promise<T> {
  return withSealedFile({ file, secretKeys: [secretKey()], onProgress: () => {} }, work)
}

/** What is said of a file with this content, before anything is done with it. */
async function refusalOf(content: Uint8Array): Promise<string> {
  const file = path('refused')
  await writeFile(file, content)
  const works: unknown[] = []
  const outcome = await readSealed(file, async (sealed) => works.push(sealed)).catch(String)
  expect(works).toEqual([])
  return String(outcome).replace(/^\w+: /, '')
}

/** Expects that a file is refused by both commands, which leave nothing. */
async function expectRefused(file: string, message: string) {
  const temporary = path('temporary')
  await mkdir(temporary, { recursive: true })
  const { env } = backups
  const verified = await runCliProcess(NO_DIRECTORY, ['backup', 'verify', file], {
    env: { ...env, TMPDIR: temporary },
  })
  expect(verified).toEqual({ code: 1, stdout: '', stderr: `${message}\n` })
  expect((await readdir(temporary)).filter((name) => name.includes('scratch'))).toEqual([])
  const restored = await backups.restoreInto(target, file)
  expect(restored).toEqual({ code: 1, stdout: '', stderr: `${message}\n` })
  expect(await tableNames(target)).toEqual([])
}

describe('a file is refused before anything is done with it', () => {
  test('whichever byte was changed', async () => {
    const seal = bytes.length - SEAL_BYTES
    const data = Math.floor(seal * 0.9)
    const places = [7, 11, 40, 200, 5_000, 60_000, data, seal - 1, bytes.length - 32]
    for (const at of [...places, bytes.length - 1]) {
      const changed = Buffer.from(bytes)
      changed[at] = (changed[at] ?? 0) ^ 1
      expect([at, await refusalOf(changed)]).toEqual([at, CHANGED])
    }
    const otherMark = Buffer.from(bytes)
    otherMark[seal] = 0
    expect(await refusalOf(otherMark)).toBe(NO_SEAL_AT_END)
    const otherKey = Buffer.from(bytes)
    otherKey[seal + 8] = (otherKey[seal + 8] ?? 0) ^ 1
    expect(await refusalOf(otherKey)).toContain('made with another SECRET_KEY')
  })

  test('when it is cut off, longer, or something else', async () => {
    const cases: [string, Uint8Array, string][] = [
      ['empty', Buffer.alloc(0), NO_BACKUP],
      ['text', Buffer.from('PGDMQ and so on'.repeat(10)), NO_BACKUP],
      ['only a seal', bytes.subarray(-SEAL_BYTES), CHANGED],
      ['cut in its head', bytes.subarray(0, 40), CUT],
      ['cut in its facts', bytes.subarray(0, 900), CUT],
      ['cut in its contents', bytes.subarray(0, 90_000), NO_SEAL_AT_END],
      ['cut in its rows', bytes.subarray(0, -500), NO_SEAL_AT_END],
      ['without its seal', bytes.subarray(0, -SEAL_BYTES), NO_SEAL_AT_END],
      ['cut at its end', bytes.subarray(0, -1), NO_SEAL_AT_END],
      ['longer', Buffer.concat([bytes, Buffer.of(0)]), NO_SEAL_AT_END],
      ['longer by a seal', Buffer.concat([bytes, bytes.subarray(-SEAL_BYTES)]), CHANGED],
      [
        'a byte short in the middle',
        Buffer.concat([bytes.subarray(0, 99), bytes.subarray(100)]),
        CHANGED,
      ],
    ]
    for (const [name, content, message] of cases) {
      expect([name, await refusalOf(content)]).toEqual([name, message])
    }
  })

  test('when it has the seal of another backup of the same key', async () => {
    const other = path('other.backup')
    const { env } = backups
    expect((await runCli(NO_DIRECTORY, ['backup', other], { env })).code).toBe(0)
    const [body, seal] = [
      bytes.subarray(0, -SEAL_BYTES),
      (await readFile(other)).subarray(-SEAL_BYTES),
    ]
    expect(await refusalOf(Buffer.concat([body, seal]))).toBe(CHANGED)
  })

  test('when it is no file', async () => {
    for (const file of [path('missing'), backups.directory, '/dev/null']) {
      await expectRefused(file, `The file ${file} cannot be read.`)
    }
  })
})

test('a file that changes after its seal was checked is refused', async () => {
  const file = path('swapped')
  await writeFile(file, bytes)
  const reading = readSealed(file, async (sealed) => {
    const handle = await open(file, 'r+')
    await handle.write(Buffer.of(1, 2, 3), 0, 3, bytes.length - SEAL_BYTES - 40)
    await handle.close()
    let length = 0
    for await (const chunk of sealed.read()) length += chunk.length
    return length
  })
  await expect(reading).rejects.toThrow(CHANGED)
})

test('the seal that a former SECRET_KEY made is right while it is SECRET_KEY_PREVIOUS', async () => {
  const secretKeys = [randomBytes(32).toString('base64'), secretKey()]
  const given = { file: backups.file, secretKeys, onProgress: () => {} }
  expect(await withSealedFile(given, async (sealed) => sealed.bytes)).toBe(
    bytes.length - SEAL_BYTES,
  )
})

test('an archive whose SQL is hostile, with a seal that was copied, runs nothing', async () => {
  const { market } = backups
  const parts = await partsOf(backups.file, bytes.length)
  const [live] = await query<{ name: string }>(
    market.databaseUrl,
    'SELECT current_database() AS name',
  )
  const entries = [
    sqlEntry(SECTION.preData, 'MIGRATION', 'evil', 'COMMIT'),
    sqlEntry(SECTION.preData, 'MIGRATION', 'evil', `DROP DATABASE "${live?.name}" WITH (FORCE)`),
  ]
  const evil = path('evil')
  await writeParts(evil, { ...parts, entries })
  await writeFile(evil, Buffer.concat([await readFile(evil), bytes.subarray(-SEAL_BYTES)]))
  await expectRefused(evil, CHANGED)
  expect(await query(market.databaseUrl, 'SELECT 1 AS is_there')).toEqual([{ is_there: 1 }])
})

describe('of a backup with a right seal', () => {
  let parts: Parts
  beforeAll(async () => {
    parts = await partsOf(backups.file, bytes.length)
  })

  async function restoreChanged(change: (parts: Parts) => Partial<Parts>) {
    const url = await backups.emptyDatabase()
    const file = path('changed')
    await writeParts(file, { ...parts, ...change(structuredClone(parts)) }, secretKey())
    return { url, result: await backups.restoreInto(url, file) }
  }

  test('no SQL runs: neither a statement nor a COPY', async () => {
    const proof = path('proof')
    const { url, result } = await restoreChanged(({ entries }) => ({
      entries: entries.map((entry) =>
        entry.copy === ''
          ? { ...entry, sql: 'CREATE TABLE evil (); DROP SCHEMA public CASCADE' }
          : { ...entry, copy: `COPY users FROM PROGRAM 'touch ${proof}'` },
      ),
    }))
    expect({ code: result.code, stderr: result.stderr }).toEqual({ code: 0, stderr: '' })
    expect(await tableNames(url)).toEqual(Object.keys(parts.facts.tables).sort())
    expect(existsSync(proof)).toBe(false)
  })

  test.each<[string, (facts: Parts['facts']) => unknown, RegExp]>([
    [
      'an unknown migration',
      ({ migrations }) => migrations.push({ name: '20991231000000_evil', checksum: 'x' }),
      /needs the migration 20991231000000_evil, which this release does not have/,
    ],
    [
      'a migration with another checksum',
      ({ migrations: [first] }) => Object.assign(first as object, { checksum: 'x' }),
      /needs the migration \d+_release_0_1_0, which this release does not have/,
    ],
    [
      'an unknown table',
      ({ tables }) => {
        tables.pg_authid = { rows: 0, columns: ['rolname'] }
      },
      /has the table pg_authid, which its migrations do not make/,
    ],
    [
      'a column that is no name',
      ({ tables }) => tables.users?.columns.push("id\") FROM PROGRAM 'id' --"),
      /has the column users\.id"\) FROM PROGRAM 'id' --, which its migrations do not make/,
    ],
    [
      'a table less',
      ({ tables }) => {
        delete tables.users
      },
      /lacks the table users, which its migrations make/,
    ],
    [
      'a column less',
      ({ tables }) => tables.users?.columns.splice(1, 1),
      /lacks the column users\.\w+, which its migrations make/,
    ],
    [
      'an unknown sequence',
      ({ sequences }) => {
        sequences.evil = '1'
      },
      /has the sequence evil, which its migrations do not make/,
    ],
    [
      'a sequence without a number',
      ({ sequences }) => {
        sequences.evil = "1'); DROP TABLE users"
      },
      /A newer release made the backup/,
    ],
    [
      'other counts',
      ({ tables }) => Object.assign(tables.users as object, { rows: 77 }),
      /says otherwise how many rows are in users/,
    ],
  ])('%s is refused, and the database stays empty', async (_, change, message) => {
    const { url, result } = await restoreChanged(({ facts }) => {
      change(facts)
      return { facts }
    })
    expect(result).toMatchObject({ code: 1, stdout: '' })
    expect(result.stderr).toMatch(/^The backup [^\n]+\n$|^A newer release [^\n]+\n$/)
    expect(result.stderr).toMatch(message)
    expect(await tableNames(url)).toEqual([])
  })

  test('rows of a table that is there twice, or not, are refused', async () => {
    const twice = await restoreChanged(({ entries }) => ({
      entries: [...entries, dataEntry('users', 'COPY users FROM stdin;\n')],
    }))
    expect(twice.result.stderr).toBe('The backup is damaged.\n')
    expect(await tableNames(twice.url)).toEqual([])
    const without = await restoreChanged(({ entries }) => ({
      entries: entries.filter(({ copy, tag }) => copy === '' || tag !== 'users'),
    }))
    expect(without.result.stderr).toBe('The backup is damaged.\n')
    expect(await tableNames(without.url)).toEqual([])
  })
})
