import { Readable } from 'node:stream'
import { Prisma, type User } from '../../base/database/generated/client.ts'
import { countThatFit, PLACE } from '../../base/database/page-bytes.ts'
import { type Db, inSnapshot } from '../../base/database/transaction.ts'
import { currentDeadline, deadlineIn, withDeadline } from '../../base/fair-share/deadline.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { ofPerson } from '../audit/personal-audit-service.ts'

/** How long a part may take to read. */
const PART_MS = 8_000
const PART_ROWS = 500
/** A request holds as much as a form of settings may: of long ones a part has fewer. */
const PART_REQUESTS = 20

/** A part of a list, and the id after which the next part begins if there is one. */
type Part<Id> = { records: readonly object[]; next: Id | undefined }
type ReadPart = (after: unknown) => Promise<Part<unknown>>

/**
 * All that is kept about a user, as one JSON document: who it is, its memberships, sessions, second
 * factor and links to a provider, what it accepted, which apps it asked for, links that were made
 * for it, what it was told of, and the entries of the audit trail that are by it or about it. No password, no secret, no
 * id that opens a session; no unused code and no entries of an unfinished form, which are secrets or
 * may hold some. Reads in short statements, no faster than the client takes the text.
 *
 * @param checkAgain throws when the caller may no longer read; the file is then cut off
 * @throws AppError invalid_token when the user was removed after the token was checked
 */
export async function exportOwnData(
  { db }: Pick<Deps, 'db'>,
  userId: string,
  checkAgain: () => Promise<unknown>,
): Promise<Readable> {
  const caller = currentDeadline()?.caller
  const person = await readPerson(db, userId)
  const lists: Record<string, ReadPart> = {
    acceptances: list((after?: bigint) => acceptancesOf(db, userId, after)),
    installRequests: list((after?: string) => requestsOf(db, userId, after)),
    links: list((after?: string) => linksOf(db, person, after)),
    notifications: list((after?: bigint) => notificationsOf(db, userId, after)),
    auditTrail: list((after?: number) => auditTrailOf(db, userId, after)),
  }
  async function* parts(): AsyncGenerator<string> {
    yield `${JSON.stringify(person, undefined, 2).slice(0, -2)}`
    for (const [name, read] of Object.entries(lists)) {
      yield `,\n  ${JSON.stringify(name)}: [`
      let after: unknown
      let separator = '\n    '
      do {
        const part = await withDeadline(deadlineIn(PART_MS, { caller }), async () => {
          await checkAgain()
          return await read(after)
        })
        for (const record of part.records) {
          yield separator + JSON.stringify(record)
          separator = ',\n    '
        }
        after = part.next
      } while (after !== undefined)
      yield '\n  ]'
    }
    yield '\n}\n'
  }
  return Readable.from(parts(), { objectMode: true, highWaterMark: 1 })
}

/** Makes a list of one whose parts begin after an id of its own kind. */
function list<Id>(read: (after?: Id) => Promise<Part<Id>>): ReadPart {
  return (after) => read(after as Id | undefined)
}

async function readPerson(db: Db, userId: string) {
  const user = await db.user.findUnique({
    where: { id: userId },
    select: {
      id: true,
      email: true,
      name: true,
      operator: true,
      support: true,
      createdAt: true,
      memberships: {
        select: { role: true, createdAt: true, party: { select: { id: true, name: true } } },
        orderBy: { partyId: 'asc' },
      },
      developers: {
        select: { role: true, createdAt: true, developer: { select: { id: true, name: true } } },
        orderBy: { developerId: 'asc' },
      },
      sessions: {
        select: {
          createdAt: true,
          lastSeenAt: true,
          expiresAt: true,
          browser: true,
          network: true,
          factorAt: true,
        },
        orderBy: { createdAt: 'asc' },
      },
      identities: { select: { issuer: true, subject: true, createdAt: true } },
      emailProved: true,
      notificationMails: true,
      savedViews: true,
      suspendedAt: true,
      suspendedReason: true,
      secondFactor: {
        select: { confirmedAt: true, _count: { select: { recoveryCodes: true } } },
      },
    },
  })
  if (user === null) throw new AppError('invalid_token')
  const { confirmedAt: enabledAt, _count } = user.secondFactor ?? {}
  return {
    ...user,
    secondFactor: enabledAt ? { enabledAt, recoveryCodesLeft: _count?.recoveryCodes } : null,
  }
}

async function acceptancesOf(
  db: Db,
  userId: string,
  after: bigint | undefined,
): Promise<Part<bigint>> {
  const rows = await db.acceptance.findMany({
    where: {
      actorId: userId,
      actorKind: 'user',
      ...(after === undefined ? {} : { id: { gt: after } }),
    },
    orderBy: { id: 'asc' },
    take: PART_ROWS,
  })
  const records = rows.map(({ id: _id, actorId: _actor, actorKind: _kind, ...record }) => record)
  return { records, next: rows.length === PART_ROWS ? rows.at(-1)?.id : undefined }
}

/** Without passwords, and without who decided. */
async function requestsOf(
  db: Db,
  userId: string,
  after: string | undefined,
): Promise<Part<string>> {
  return inSnapshot(db, async (tx) => {
    const found = await tx.installRequest.findMany({
      where: { userId, ...(after === undefined ? {} : { id: { gt: after } }) },
      select: { id: true },
      orderBy: { id: 'asc' },
      take: PART_REQUESTS,
    })
    const ids = found.map(({ id }) => id)
    const fitting = await countThatFit(
      tx,
      Prisma.sql`
        SELECT octet_length(user_settings::text) + octet_length(consent::text) AS bytes
        FROM install_requests WHERE id = (${ids}::uuid[])[${PLACE}]`,
    )
    const records = await tx.installRequest.findMany({
      where: { id: { in: ids.slice(0, fitting) } },
      omit: { passwords: true, decidedBy: true, userId: true },
      orderBy: { id: 'asc' },
    })
    const isLast = fitting === ids.length && ids.length < PART_REQUESTS
    return { records, next: isLast ? undefined : records.at(-1)?.id }
  })
}

/** Links of the user, and open invitations to an address that is known to be the user's. */
async function linksOf(
  db: Db,
  { id: userId, email, emailProved }: Pick<User, 'id' | 'email' | 'emailProved'>,
  after: string | undefined,
): Promise<Part<string>> {
  const invitations = { purpose: 'invitation', email, usedAt: null, endedAt: null } as const
  const rows = await db.linkToken.findMany({
    where: {
      OR: [{ userId }, ...(emailProved ? [invitations] : [])],
      ...(after === undefined ? {} : { id: { gt: after } }),
    },
    select: {
      id: true,
      purpose: true,
      email: true,
      mailed: true,
      mailRefusedAt: true,
      createdAt: true,
      expiresAt: true,
      usedAt: true,
      endedAt: true,
      grants: true,
    },
    orderBy: { id: 'asc' },
    take: PART_ROWS,
  })
  const records = rows.map(({ id: _id, ...record }) => record)
  return { records, next: rows.length === PART_ROWS ? rows.at(-1)?.id : undefined }
}

/** Without what tells of other people. */
async function notificationsOf(
  db: Db,
  userId: string,
  after: bigint | undefined,
): Promise<Part<bigint>> {
  const rows = await db.notification.findMany({
    where: { userId, ...(after === undefined ? {} : { id: { gt: after } }) },
    omit: { userId: true, subjectId: true, data: true, toMail: true },
    orderBy: { id: 'asc' },
    take: PART_ROWS,
  })
  const records = rows.map(({ id: _id, ...record }) => record)
  return { records, next: rows.length === PART_ROWS ? rows.at(-1)?.id : undefined }
}

async function auditTrailOf(
  db: Db,
  userId: string,
  after: number | undefined,
): Promise<Part<number>> {
  const { entries, isContinued } = await ofPerson(db, userId, { after, limit: PART_ROWS })
  return { records: entries, next: isContinued ? entries.at(-1)?.id : undefined }
}
