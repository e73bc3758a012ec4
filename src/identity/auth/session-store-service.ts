import { createHash, randomBytes } from 'node:crypto'
import { type Db, inTransaction } from '../../base/database/transaction.ts'
import type { Deps } from '../../deps.ts'

/** `last_seen_at` is written at most so often, */
const LAST_SEEN_STEP_SECONDS = 60
/** and often enough that nobody is signed out earlier than by this part of the idle time. */
const LAST_SEEN_STEPS = 20
/** Each sign-in forgets so many sessions that ran out, and so more than it makes. */
export const EXPIRED_AT_ONCE = 100

type SessionId = Uint8Array<ArrayBuffer>
type Times = { createdAt: Date; lastSeenAt: Date; expiresAt: Date }

/** Where the sessions of one kind of visitor are kept, each by the hash of its cookie. */
type SessionStore<SignedIn, Owner> = {
  /**
   * Keeps who has signed in from changing for the rest of the transaction.
   *
   * @returns false when the password that was checked is not the one any more
   */
  hold(tx: Db, who: SignedIn): Promise<boolean>
  create(
    db: Db,
    session: Times & { id: SessionId; ownerId: string },
    who: SignedIn,
  ): Promise<unknown>
  /** `owner` is undefined when it may not be signed in any more. */
  find(
    pool: Deps['pool'],
    id: SessionId,
  ): Promise<{ times: Omit<Times, 'createdAt'>; owner: Owner | undefined } | undefined>
  /**
   * Keeps when the session was used, unless that was done since `before`. Of many requests at once
   * one writes; the others do not wait for it.
   */
  touch(db: Db, id: SessionId, time: Date, before: Date): Promise<unknown>
  end(db: Db, which: { id: SessionId }): Promise<unknown>
  /** Forgets some that ran out; one that somebody holds is passed over. */
  dropExpired(db: Db, time: Date): Promise<unknown>
}

type SessionDeps = Pick<Deps, 'db' | 'pool' | 'config' | 'now'>

/** The sessions of one kind of visitor, apart from those of the others. */
export type Sessions<SignedIn, Owner> = {
  /**
   * Opens a session with a new id; the one that the browser had before ends.
   *
   * @param who as it was when the password was checked
   * @returns the cookie's value, of which the database keeps only the hash; undefined when the
   *   password was changed since it was checked, or its owner may not sign in any more
   */
  open(
    deps: Omit<SessionDeps, 'pool'>,
    who: SignedIn,
    formerCookie: string | undefined,
  ): Promise<string | undefined>
  /** Who is signed in with this cookie; undefined when the session ended, ran out or idled. */
  read(deps: SessionDeps, cookie: string | undefined): Promise<Owner | undefined>
  /** Ends a session on the server, so that a copy of the cookie is worthless too. */
  close(deps: Pick<Deps, 'db'>, cookie: string | undefined): Promise<void>
}

/** Sessions as every kind of visitor has them: by a random cookie, with an end and an idle end. */
export function sessionsOf<SignedIn extends { id: string }, Owner>(
  store: SessionStore<SignedIn, Owner>,
): Sessions<SignedIn, Owner> {
  return {
    async open({ db, config, now }, who, formerCookie) {
      const cookie = randomBytes(32).toString('base64url')
      const createdAt = now()
      return inTransaction(db, async (tx) => {
        // First, in the order of a change of the password: it holds its user, then ends sessions.
        if (!(await store.hold(tx, who))) return undefined
        if (formerCookie !== undefined) await store.end(tx, { id: sessionIdOf(formerCookie) })
        await store.dropExpired(tx, createdAt)
        const expiresAt = new Date(createdAt.getTime() + config.sessionTtlSeconds * 1000)
        const times = { createdAt, lastSeenAt: createdAt, expiresAt }
        await store.create(tx, { id: sessionIdOf(cookie), ownerId: who.id, ...times }, who)
        return cookie
      })
    },

    async read({ db, pool, config, now }, cookie) {
      if (cookie === undefined) return undefined
      const id = sessionIdOf(cookie)
      const session = await store.find(pool, id)
      if (session?.owner === undefined) return undefined
      const { lastSeenAt, expiresAt } = session.times
      const time = now()
      const idleSeconds = (time.getTime() - lastSeenAt.getTime()) / 1000
      if (expiresAt <= time || idleSeconds > config.sessionIdleSeconds) return undefined
      const stepSeconds = Math.min(
        LAST_SEEN_STEP_SECONDS,
        config.sessionIdleSeconds / LAST_SEEN_STEPS,
      )
      if (idleSeconds > stepSeconds) {
        const before = new Date(time.getTime() - stepSeconds * 1000)
        await store.touch(db, id, time, before)
      }
      return session.owner
    },

    async close({ db }, cookie) {
      if (cookie !== undefined) await store.end(db, { id: sessionIdOf(cookie) })
    },
  }
}

/** The id that a session is kept by: a copy of the database opens none. */
export function sessionIdOf(cookie: string): SessionId {
  return new Uint8Array(createHash('sha256').update(cookie).digest())
}
