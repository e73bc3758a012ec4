import { type Db, inTransaction } from '../../base/database/transaction.ts'
import { SecretBoxError } from '../../base/secrets/secret-box.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'

/** So many forms of one owner are kept at most; the oldest ones make way. */
const KEPT_MAX = 32
const KEPT_BYTES_MAX = 8 * 1_048_576
/** Several of the largest form, a definition of 1 MiB, fit into what one owner may keep. */
const ONE_KEPT_BYTES_MAX = 4 * 1_048_576
const EXPIRED_AT_ONCE = 100

/**
 * Who has typed something: nobody else reads it; what a person types for a developer, the person
 * reads as long as the console is about that developer.
 */
export type KeptOwner = {
  /** The user. */
  id: string
  /** The developer that a person in the developer console works for. */
  developerId?: string | undefined
}

export type KeptDeps = Pick<Deps, 'db' | 'secrets' | 'config' | 'now'>

/**
 * Keeps a text for a page of its owner, sealed, as long as a browser stays signed in at most.
 *
 * @param path of the page; the text opens at no other one
 * @param options `once`: it is gone when it has been read
 * @returns the id that it is read by
 * @throws AppError payload_too_large
 */
export async function keepForm(
  deps: KeptDeps,
  owner: KeptOwner,
  path: string,
  text: string,
  { once = false }: { once?: boolean } = {},
): Promise<string> {
  const content = Buffer.from(text)
  if (content.length > ONE_KEPT_BYTES_MAX) {
    throw new AppError('payload_too_large', {
      detail: 'Go back and shorten its text.',
    })
  }
  const time = deps.now()
  const data = {
    userId: owner.id,
    sealed: new Uint8Array(deps.secrets.encrypt(content, contextOf(owner, path))),
    once,
    expiresAt: new Date(time.getTime() + deps.config.sessionTtlSeconds * 1000),
  }
  await dropExpired(deps.db, time)
  return inTransaction(deps.db, async (tx) => {
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtext(${`forms of ${owner.id}`}))`
    const { id } = await tx.keptForm.create({ data, select: { id: true } })
    await dropOldest(tx, owner)
    return id
  })
}

/** What is kept for a page of its owner; undefined when it is not there, or not any more. */
export async function readKeptForm(
  deps: KeptDeps,
  owner: KeptOwner,
  path: string,
  id: string,
): Promise<string | undefined> {
  const found = await findKeptForm(deps, owner, path, id)
  if (found === undefined || !found.once) return found?.text
  // When two read it at once, one gets it.
  const { count } = await deps.db.keptForm.deleteMany({ where: { id, userId: owner.id } })
  return count === 1 ? found.text : undefined
}

/** What is kept for a page of its owner. It stays, also what `readKeptForm` would delete. */
export async function findKeptForm(
  { db, secrets, now }: KeptDeps,
  owner: KeptOwner,
  path: string,
  id: string,
): Promise<{ text: string; once: boolean } | undefined> {
  const where = { id, userId: owner.id, expiresAt: { gt: now() } }
  const row = await db.keptForm.findFirst({ where })
  if (row === null) return undefined
  const text = opened(() => secrets.decrypt(row.sealed, contextOf(owner, path)).toString('utf8'))
  return text === undefined ? undefined : { text, once: row.once }
}

/** Whether what is kept for a form that somebody has typed into is another owner's. */
export async function isOfAnother(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  owner: KeptOwner,
  id: string,
): Promise<boolean> {
  const where = { id, once: false, expiresAt: { gt: now() } }
  const row = await db.keptForm.findFirst({ where, select: { userId: true } })
  return row !== null && row.userId !== owner.id
}

/** Forgets what is kept: the form has done its work. */
export async function dropKeptForm(
  { db }: Pick<Deps, 'db'>,
  owner: KeptOwner,
  id: string,
): Promise<void> {
  await db.keptForm.deleteMany({ where: { id, userId: owner.id } })
}

/** What a text is sealed for. */
export function contextOf({ id, developerId }: KeptOwner, path: string): string {
  const place = developerId === undefined ? '' : `:for ${developerId}`
  return `kept form:user:${id}${place}:${path}`
}

/** Forgets some of what has had its time; what somebody else deletes at this moment is passed over. */
export function dropExpired(db: Db, time: Date) {
  return db.$executeRaw`
    DELETE FROM kept_forms WHERE id IN (
      SELECT id FROM kept_forms WHERE expires_at <= ${time}
      LIMIT ${EXPIRED_AT_ONCE} FOR UPDATE SKIP LOCKED)`
}

/** What is shown once makes no form that is being filled in go. */
function dropOldest(tx: Db, { id }: KeptOwner) {
  return tx.$executeRaw`
    DELETE FROM kept_forms WHERE id IN (
      SELECT id FROM (
        SELECT id, row_number() OVER newest AS place,
          sum(octet_length(sealed)) OVER newest AS bytes
        FROM kept_forms
        WHERE user_id = ${id}::uuid
        WINDOW newest AS (PARTITION BY once ORDER BY created_at DESC)
      ) AS kept
      WHERE place > ${KEPT_MAX} OR bytes > ${KEPT_BYTES_MAX})`
}

function opened(open: () => string): string | undefined {
  try {
    return open()
  } catch (error) {
    if (error instanceof SecretBoxError) return undefined
    throw error
  }
}
