import { inTransaction } from '../../base/database/transaction.ts'
import { type DigestJob, MAIL } from '../../base/mail/mail-job.ts'
import type { MailText } from '../../base/mail/message.ts'
import type { Deps } from '../../deps.ts'
import { plainSentence } from './kinds.ts'
import { listToMail } from './own-notifications-service.ts'

const DAY_MS = 86_400_000
/** People whose mail is asked for in one transaction. */
const PEOPLE_AT_ONCE = 100
/** A mail names no more. */
const NAMED_MAX = 20

/**
 * Asks for the mails with unread notifications: one for each person whose last one is a day ago, to an
 * address that is known to be theirs. Who is being asked for by another replica is passed over.
 *
 * @param signal when it says so, the rest is left for the next time
 */
export async function askDigests(
  { db, jobs, now }: Pick<Deps, 'db' | 'jobs' | 'now'>,
  signal?: AbortSignal,
): Promise<void> {
  let count: number
  do {
    if (signal?.aborted) return
    count = await inTransaction(db, async (tx) => {
      const at = now()
      const people = await tx.$queryRaw<{ id: string }[]>`
        UPDATE users SET notifications_mailed_at = ${at} WHERE id IN (
          SELECT id FROM users
          WHERE id IN (SELECT user_id FROM notifications WHERE to_mail)
            AND email_proved AND suspended_at IS NULL
            AND coalesce(notifications_mailed_at, '-infinity')
              <= ${new Date(at.getTime() - DAY_MS)}
          ORDER BY id LIMIT ${PEOPLE_AT_ONCE} FOR NO KEY UPDATE SKIP LOCKED)
        RETURNING id`
      for (const { id } of people) {
        await jobs.ask(MAIL, { digestFor: id, askedAt: at.toISOString() }, tx)
      }
      return people.length
    })
  } while (count === PEOPLE_AT_ONCE)
}

/** A mail, and what is to be done once it is sent. */
type Digest = { to: string; text: MailText; whenSent: () => Promise<unknown> }

/**
 * The mail with what a person has not read; undefined when all is read by now, or a newer mail was
 * asked for.
 */
export async function digestMail(
  { db, config: { publicUrl } }: Pick<Deps, 'db' | 'config'>,
  { digestFor: userId, askedAt }: DigestJob,
): Promise<Digest | undefined> {
  const user = await db.user.findFirst({
    where: {
      id: userId,
      notificationsMailedAt: new Date(askedAt),
      emailProved: true,
      suspendedAt: null,
    },
    select: { email: true },
  })
  if (user === null) return undefined
  const unread = await listToMail({ db }, userId, NAMED_MAX + 1)
  const [newest] = unread
  if (newest === undefined) return undefined
  const named = unread.slice(0, NAMED_MAX)
  const list = named.map(({ sentence, path }) => ({
    label: plainSentence(sentence),
    address: `${publicUrl}${path}`,
  }))
  const more = unread.length > named.length ? ['There is more than this.'] : []
  const page = `${publicUrl}/Account/Notifications`
  const text = {
    subject: 'Your notifications from App Marketplace',
    paragraphs: ['Hello,', `this is new for you on App Marketplace at ${publicUrl}:`],
    list: [
      ...list,
      { label: 'See all notifications', address: page },
      { label: 'Choose what is mailed to you', address: `${page}/Mail` },
    ],
    closing: [...more, 'You get at most one such mail a day.'],
  }
  const whenSent = () => db.$executeRaw`
    UPDATE notifications SET to_mail = false WHERE id IN (
      SELECT id FROM notifications
      WHERE user_id = ${userId}::uuid AND to_mail AND id <= ${BigInt(newest.id)}::bigint
      ORDER BY id FOR NO KEY UPDATE)`
  return { to: user.email, text, whenSent }
}
