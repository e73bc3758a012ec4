import { Prisma } from '../../base/database/generated/client.ts'
import type { Db } from '../../base/database/transaction.ts'
import type { Page, PageRequest } from '../../base/values/page-of-list.ts'
import type { Deps } from '../../deps.ts'
import {
  isKind,
  kindOf,
  NO_LONGER_YOURS,
  NOTIFICATION_KINDS,
  type NotificationKind,
  type NotifiedAs,
  type Told,
} from './kinds.ts'
import type { NotificationsRead, OwnNotificationShown } from './notification.ts'

type Row = {
  id: bigint
  kind: string
  party_id: number | null
  developer_id: string | null
  app_id: string | null
  subject_id: string
  data: Record<string, unknown>
  created_at: Date
  read_at: Date | null
  party_role: 'admin' | 'member' | null
  works_there: boolean
  sees_all: boolean
  party: string | null
  developer: string | null
  app: string | null
  person: string | null
  person_belongs: boolean
}

/** Notifications with what their user may do now, and the names as of now. */
function rowsOf(db: Db, userId: string, which: Prisma.Sql, limit: number): Promise<Row[]> {
  return db.$queryRaw<Row[]>`
    SELECT n.id, n.kind, n.party_id, n.developer_id, n.app_id, n.subject_id, n.data, n.created_at,
      n.read_at, m.role::text AS party_role, w.user_id IS NOT NULL AS works_there,
      u.operator OR u.support AS sees_all, p.name AS party, d.name AS developer, a.name AS app,
      person.name AS person, theirs.user_id IS NOT NULL AS person_belongs
    FROM notifications n
    JOIN users u ON u.id = n.user_id
    LEFT JOIN memberships m ON m.user_id = n.user_id AND m.party_id = n.party_id
    LEFT JOIN developer_members w ON w.user_id = n.user_id AND w.developer_id = n.developer_id
    LEFT JOIN parties p ON p.id = n.party_id
    LEFT JOIN developers d ON d.id = n.developer_id
    LEFT JOIN apps a ON a.id = n.app_id
    LEFT JOIN users person ON person.id = (n.data ->> 'userId')::uuid
    LEFT JOIN memberships theirs ON theirs.user_id = person.id AND theirs.party_id = n.party_id
    WHERE n.user_id = ${userId}::uuid AND ${which}
    ORDER BY n.id DESC LIMIT ${limit}`
}

/** What a user is told of, newest first. */
export async function listNotifications(
  { db }: Pick<Deps, 'db'>,
  userId: string,
  { after, limit }: PageRequest,
): Promise<Page<OwnNotificationShown>> {
  const before = Prisma.sql`n.id < ${BigInt(after?.[0] ?? Number.MAX_SAFE_INTEGER)}::bigint`
  const rows = await rowsOf(db, userId, before, limit + 1)
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1) : undefined
  return { entries: shown.flatMap(shownOf), next: last && [Number(last.id)] }
}

/** What waits for the next mail to a user, newest first, so far as the user may see it. */
export async function listToMail(
  { db }: Pick<Deps, 'db'>,
  userId: string,
  limit: number,
): Promise<OwnNotificationShown[]> {
  const rows = await rowsOf(db, userId, Prisma.sql`n.to_mail`, limit)
  return rows.flatMap(shownOf).filter(({ path }) => path !== undefined)
}

/**
 * Marks a notification as read.
 *
 * @returns where it leads, and for which developer; undefined when the user has no such notification
 */
export async function openNotification(
  deps: Pick<Deps, 'db' | 'now'>,
  userId: string,
  id: number,
): Promise<Pick<OwnNotificationShown, 'path' | 'developerId'> | undefined> {
  const [row] = await rowsOf(deps.db, userId, Prisma.sql`n.id = ${BigInt(id)}::bigint`, 1)
  await markNotificationsRead(deps, userId, { ids: [id] })
  return row && shownOf(row)[0]
}

/** Marks notifications as read; those of somebody else and unknown ones are passed over. */
export async function markNotificationsRead(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  userId: string,
  { ids, upTo }: NotificationsRead,
): Promise<void> {
  const which =
    ids === undefined
      ? Prisma.sql`id <= ${BigInt(upTo ?? 0)}::bigint`
      : Prisma.sql`id = ANY(${ids.map(BigInt)}::bigint[])`
  await db.$executeRaw`
    UPDATE notifications SET read_at = ${now()}, to_mail = false WHERE id IN (
      SELECT id FROM notifications
      WHERE user_id = ${userId}::uuid AND read_at IS NULL AND ${which}
      ORDER BY id FOR NO KEY UPDATE)`
}

/** Which kinds a user gets by mail. */
export async function readMailedKinds(
  { db }: Pick<Deps, 'db'>,
  userId: string,
): Promise<Set<NotificationKind>> {
  const { notificationMails } = await db.user.findUniqueOrThrow({
    where: { id: userId },
    select: { notificationMails: true },
  })
  const chosen = new Map(Object.entries(notificationMails as Record<string, boolean>))
  return new Set(NOTIFICATION_KINDS.filter((kind) => chosen.get(kind) ?? kindOf(kind).mail))
}

/** Keeps of which kinds a user gets mails; what waits for a mail of another kind is not mailed. */
export async function keepMailedKinds(
  { db }: Pick<Deps, 'db'>,
  userId: string,
  mails: Partial<Readonly<Record<NotificationKind, boolean>>>,
): Promise<void> {
  const off = Object.keys(mails).filter((kind) => !mails[kind as NotificationKind])
  await db.$executeRaw`
    WITH changed AS (
      UPDATE users SET notification_mails = notification_mails || ${JSON.stringify(mails)}::jsonb
      WHERE id = ${userId}::uuid
    )
    UPDATE notifications SET to_mail = false
    WHERE user_id = ${userId}::uuid AND to_mail AND kind = ANY(${off}::text[])`
}

/** None for a kind of another release. */
function shownOf(row: Row): OwnNotificationShown[] {
  const { kind } = row
  if (!isKind(kind)) return []
  const { as, text, path } = kindOf(kind)
  const common = { id: Number(row.id), kind, createdAt: row.created_at, readAt: row.read_at }
  if (!maySee(row, as)) {
    const hidden = { partyId: null, developerId: null, appId: null, path: undefined }
    return [{ ...common, ...hidden, sentence: [NO_LONGER_YOURS[as]] }]
  }
  const told: Told = {
    party: row.party ?? '',
    developer: row.developer ?? '',
    app: row.app ?? '',
    person: row.person ?? '',
    partyId: row.party_id,
    developerId: row.developer_id,
    appId: row.app_id,
    subjectId: row.subject_id,
    data: row.data,
  }
  const { partyId, developerId, appId } = told
  return [{ ...common, partyId, developerId, appId, sentence: text(told), path: path(told) }]
}

/** Admins read the name of a person who has left their account no more. */
function maySee(row: Row, as: NotifiedAs): boolean {
  switch (as) {
    case 'admin':
      return row.party_role === 'admin' && (row.person === null || row.person_belongs)
    case 'requester':
      return row.party_role !== null
    case 'developer':
      return row.works_there
    case 'operator':
      return row.sees_all
  }
}
