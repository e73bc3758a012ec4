import { batchedLookUp } from '../../base/database/batched-look-up.ts'
import { bytesText } from '../../base/database/statement.ts'
import { inTransaction } from '../../base/database/transaction.ts'
import type { Actor } from '../../base/values/actor.ts'
import type { Deps } from '../../deps.ts'
import { recordAudit } from '../audit/record-audit-service.ts'
import { UNREAD_MAX } from '../notifications/notification.ts'
import { hasSecondFactor, mustEnrol } from './second-factor/factor-policy-service.ts'
import { EXPIRED_AT_ONCE, sessionIdOf, sessionsOf } from './session-store-service.ts'
import type { Device } from './sessions/device.ts'
import { dropOldestSessions } from './sessions/own-sessions-service.ts'

/** A cookie's session: who is signed in, and the id of the account that was chosen last. */
export type Session = {
  user: {
    id: string
    name: string
    email: string
    operator: boolean
    /** Whether the operator console is open to the user, to look at only. */
    support: boolean
    /** Whether the developer console is open to the user. */
    worksForDevelopers: boolean
    /** How many notifications are unread; counted up to `UNREAD_MAX`. */
    unread: number
    /** When the user gave the second factor last in this session; null for never. */
    factorAt: Date | null
  }
  /** The generation of the user at the moment in which the session was seen to be live. */
  tokenGeneration: number
  partyId: number | null
  /** The developer that was chosen last. */
  developerId: string | null
}

/** What the statement answers, with its times as text. */
type SessionRow = Omit<Session, 'user'> & {
  lastSeenAt: string
  expiresAt: string
  isSuspended: boolean
  user: Omit<Session['user'], 'factorAt'> & { factorAt: string | null }
}

/** One statement: who signs out everywhere ends the session and its generation in one moment. */
const findSession = batchedLookUp<SessionRow>({
  name: 'user-sessions',
  text: `
    SELECT CASE WHEN u.id IS NOT NULL THEN json_build_object(
      'lastSeenAt', s.last_seen_at, 'expiresAt', s.expires_at,
      'partyId', s.party_id, 'developerId', s.developer_id,
      'tokenGeneration', u.token_generation, 'isSuspended', u.suspended_at IS NOT NULL,
      'user', json_build_object(
        'id', u.id, 'name', u.name, 'email', u.email, 'operator', u.operator, 'support', u.support,
        'worksForDevelopers', EXISTS (SELECT 1 FROM developer_members m WHERE m.user_id = u.id),
        'unread', (SELECT count(*) FROM (
          SELECT FROM notifications n WHERE n.user_id = u.id AND n.read_at IS NULL
          LIMIT ${UNREAD_MAX}) AS counted),
        'factorAt', s.factor_at)) END
    FROM unnest((SELECT $1::bytea[])) WITH ORDINALITY AS k (session_id, position)
    LEFT JOIN sessions s ON s.id = k.session_id
    LEFT JOIN users u ON u.id = s.user_id
    ORDER BY k.position`,
})

/** Who has signed in, as it was when the password was checked. */
type NewSession = {
  id: string
  tokenGeneration: number
  device: Device
  /** When a second factor was given; a user who has one gets no session without. */
  factorAt?: Date | undefined
}

/**
 * The sessions of users. `readAnySession` also finds the session of a user who has to turn on a
 * second factor first: it is good for that, and for signing out.
 */
export const {
  open: openSession,
  read: readAnySession,
  close: closeSession,
} = sessionsOf<NewSession, Session>({
  async hold(tx, { id, tokenGeneration, factorAt }) {
    const held = await tx.$queryRaw<object[]>`
      SELECT 1 FROM users
      WHERE id = ${id}::uuid AND token_generation = ${tokenGeneration} AND suspended_at IS NULL
      FOR SHARE`
    if (held.length === 0) return false
    return factorAt !== undefined || !(await hasSecondFactor({ db: tx }, id))
  },
  async create(db, { ownerId: userId, ...data }, { device, factorAt = null }) {
    await db.session.create({ data: { ...data, ...device, factorAt, userId } })
    await dropOldestSessions(db, userId)
  },
  async find(pool, id) {
    const session = await findSession(pool, bytesText(id))
    if (session === undefined) return undefined
    const { lastSeenAt, expiresAt, isSuspended, user, ...choices } = session
    const times = { lastSeenAt: new Date(lastSeenAt), expiresAt: new Date(expiresAt) }
    const factorAt = user.factorAt === null ? null : new Date(user.factorAt)
    return {
      times,
      owner: isSuspended ? undefined : { ...choices, user: { ...user, factorAt } },
    }
  },
  touch: (db, id, time, before) => db.$executeRaw`
    UPDATE sessions SET last_seen_at = ${time} WHERE id IN (
      SELECT id FROM sessions WHERE id = ${id} AND last_seen_at < ${before}
      FOR NO KEY UPDATE SKIP LOCKED)`,
  end: (db, where) => db.session.deleteMany({ where }),
  dropExpired: (db, time) => db.$executeRaw`
    DELETE FROM sessions WHERE id IN (
      SELECT id FROM sessions WHERE expires_at < ${time}
      LIMIT ${EXPIRED_AT_ONCE} FOR UPDATE SKIP LOCKED)`,
})

/**
 * Who is signed in with this cookie. Nobody is as long as a second factor has to be turned on first.
 */
export async function readSession(
  deps: Pick<Deps, 'db' | 'pool' | 'config' | 'now'>,
  cookie: string | undefined,
): Promise<Session | undefined> {
  const session = await readAnySession(deps, cookie)
  if (session === undefined || session.user.factorAt !== null) return session
  return (await mustEnrol(deps, session.user.id)) ? undefined : session
}

/** Keeps with a session that its user has just given the second factor. */
export async function keepFactorTime(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  cookie: string,
): Promise<void> {
  await db.session.updateMany({ where: { id: sessionIdOf(cookie) }, data: { factorAt: now() } })
}

/** Keeps with a session which account its user has chosen; null for none. Nothing is checked. */
export async function keepChoice(
  { db }: Pick<Deps, 'db'>,
  cookie: string,
  partyId: number | null,
): Promise<void> {
  await db.session.updateMany({ where: { id: sessionIdOf(cookie) }, data: { partyId } })
}

/** Ends all sessions of a user, and every token that was given out for the user. */
export async function closeAllSessions(
  { db }: Pick<Deps, 'db'>,
  userId: string,
  actor: Actor,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    await tx.user.update({
      where: { id: userId },
      data: { tokenGeneration: { increment: 1 } },
    })
    await tx.session.deleteMany({ where: { userId } })
    await recordAudit(tx, {
      actor,
      action: 'user.signed_out_everywhere',
      subject: { kind: 'user', id: userId },
    })
  })
}
