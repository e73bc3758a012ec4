import { type Db, inTransaction } from '../../base/database/transaction.ts'
import { type SecretBox, SecretBoxError } from '../../base/secrets/secret-box.ts'
import type { Actor } from '../../base/values/actor.ts'
import type { Deps } from '../../deps.ts'
import { recordAudit } from '../../identity/audit/record-audit-service.ts'
import type { RowKey, SealedTable } from './sealed-tables.ts'

/** Rows of one transaction: a server that changes one of them waits for its end. */
const BATCH_ROWS = 50

/** How many rows were re-encrypted and how many were skipped, and which rows no key opens. */
export type RekeyPass = { done: number; left: number; unreadable: string[] }

/** A row's key, and its ciphertexts in the order of the table's protected columns. */
type SealedRow = { key: RowKey; sealed: (Uint8Array | null)[] }
type Aliased = Record<string, string | Uint8Array | null>

/**
 * Goes through a table once, in the order of its key, and re-encrypts what is not encrypted with
 * the current key. Works in batches, each in its own transaction with its audit entry. Rows that
 * another transaction is changing are skipped until the next pass.
 */
export async function rekeyTable(
  { db, secrets }: Pick<Deps, 'db' | 'secrets'>,
  actor: Actor,
  table: SealedTable,
): Promise<RekeyPass> {
  const pass: RekeyPass = { done: 0, left: 0, unreadable: [] }
  let page = await readPage(db, table, undefined)
  while (page.length > 0) {
    const stale = page.filter(({ sealed }) => sealed.some((one) => isStale(secrets, one)))
    if (stale.length > 0) {
      await inTransaction(db, (tx) => rekeyBatch(tx, secrets, actor, table, stale)).then(
        (batch) => {
          pass.done += batch.done
          pass.left += batch.left
          pass.unreadable.push(...batch.unreadable)
        },
      )
    }
    page = await readPage(db, table, page.at(-1)?.key)
  }
  return pass
}

/**
 * Locks each row without waiting, so that no two transactions wait for each other, and reads it
 * again: a row that changed since it was read is re-encrypted as it is now.
 */
async function rekeyBatch(
  tx: Db,
  secrets: SecretBox,
  actor: Actor,
  table: SealedTable,
  stale: readonly SealedRow[],
): Promise<RekeyPass> {
  const pass: RekeyPass = { done: 0, left: 0, unreadable: [] }
  for (const { key } of stale) {
    const row = await lockRow(tx, table, key)
    if (row === undefined) {
      if (await isSealed(tx, table, key)) pass.left += 1
      continue
    }
    const { renewed, isReadable } = renewedColumns(secrets, table, row)
    if (!isReadable) pass.unreadable.push(table.nameOf(...key))
    if (renewed.length > 0) {
      await writeColumns(tx, table, key, renewed)
      pass.done += 1
    }
  }
  if (pass.done > 0) {
    await recordAudit(tx, {
      actor,
      action: 'secrets.rekeyed',
      subject: { kind: 'secrets', id: table.subject },
      after: { count: pass.done },
    })
  }
  return pass
}

const isStale = (secrets: SecretBox, sealed: Uint8Array | null) =>
  sealed !== null && !secrets.isCurrent(sealed)

type Renewed = { column: string; ciphertext: Uint8Array<ArrayBuffer> }

/** The columns that need a new ciphertext. Columns that no key opens stay as they are. */
function renewedColumns(secrets: SecretBox, { columns }: SealedTable, { key, sealed }: SealedRow) {
  const renewed: Renewed[] = []
  let isReadable = true
  for (const [index, { column, context }] of columns.entries()) {
    const ciphertext = sealed[index] ?? null
    if (ciphertext === null || secrets.isCurrent(ciphertext)) continue
    try {
      const plaintext = secrets.decrypt(ciphertext, context(...key))
      renewed.push({
        column,
        ciphertext: new Uint8Array(secrets.encrypt(plaintext, context(...key))),
      })
    } catch (error) {
      if (!(error instanceof SecretBoxError)) throw error
      isReadable = false
    }
  }
  return { renewed, isReadable }
}

async function readPage(
  db: Db,
  table: SealedTable,
  after: RowKey | undefined,
): Promise<SealedRow[]> {
  // Orders by the columns themselves: their text can sort differently.
  const key = table.key.map(({ column }) => `t.${column}`).join(', ')
  const rows = await db.$queryRawUnsafe<Aliased[]>(
    `SELECT ${aliases(table)} FROM ${table.table} t WHERE ${sealedCondition(table)}
     ${after === undefined ? '' : `AND (${key}) > (${parameters(table)})`}
     ORDER BY ${key} LIMIT ${BATCH_ROWS}`,
    ...(after ?? []),
  )
  return rows.map((row) => sealedRow(table, row))
}

/**
 * Locks a row with all that a write of it changes.
 *
 * @returns undefined when the row is gone or another transaction is changing one of them
 */
async function lockRow(tx: Db, table: SealedTable, key: RowKey): Promise<SealedRow | undefined> {
  const [row] = await tx.$queryRawUnsafe<Aliased[]>(
    `SELECT ${aliases(table)} FROM ${table.table} t ${table.changed ?? ''}
     WHERE ${keyCondition(table)}
     FOR NO KEY UPDATE SKIP LOCKED`,
    ...key,
  )
  return row && sealedRow(table, row)
}

async function isSealed(tx: Db, table: SealedTable, key: RowKey): Promise<boolean> {
  const rows = await tx.$queryRawUnsafe<object[]>(
    `SELECT 1 FROM ${table.table} t WHERE ${keyCondition(table)} AND ${sealedCondition(table)}`,
    ...key,
  )
  return rows.length > 0
}

/** Leaves `updated_at` alone: the decrypted values stay the same. */
async function writeColumns(
  tx: Db,
  table: SealedTable,
  key: RowKey,
  renewed: readonly Renewed[],
): Promise<void> {
  const columns = renewed.map(({ column }, index) => `${column} = $${key.length + index + 1}`)
  await tx.$executeRawUnsafe(
    `UPDATE ${table.table} t SET ${columns.join(', ')} WHERE ${keyCondition(table)}`,
    ...key,
    ...renewed.map(({ ciphertext }) => ciphertext),
  )
}

function aliases({ key, columns }: SealedTable): string {
  return [
    ...key.map(({ column }, index) => `t.${column}::text AS key${index}`),
    ...columns.map(({ column }, index) => `t.${column} AS sealed${index}`),
  ].join(', ')
}

function sealedRow({ key, columns }: SealedTable, row: Aliased): SealedRow {
  return {
    key: key.map((_, index) => row[`key${index}`] as string),
    sealed: columns.map((_, index) => row[`sealed${index}`] as Uint8Array | null),
  }
}

const parameters = ({ key }: SealedTable) =>
  key.map(({ type }, index) => `$${index + 1}::${type}`).join(', ')

const keyCondition = (table: SealedTable) =>
  `(${table.key.map(({ column }) => `t.${column}`).join(', ')}) = (${parameters(table)})`

const sealedCondition = ({ columns }: SealedTable) =>
  `(${columns.map(({ column }) => `t.${column} IS NOT NULL`).join(' OR ')})`
