import type { LinkToken } from '../../base/database/generated/client.ts'
import type { DigestJob, MailJob } from '../../base/mail/mail-job.ts'
import { MailError, type Mailer } from '../../base/mail/mailer.ts'
import type { MailText } from '../../base/mail/message.ts'
import type { Deps } from '../../deps.ts'
import { linkAddress } from '../links/link.ts'
import { noteMailRefused, openAt, renewToken } from '../links/link-tokens-service.ts'
import { digestMail } from '../notifications/digest-service.ts'
import { namesOf } from './accept-invitation-service.ts'
import { EmailChangeGrants } from './email-change.ts'
import { isForMail } from './email-changes-service.ts'
import {
  emailChangeMail,
  factorRemovedMail,
  invitationMail,
  passwordResetMail,
} from './mail-texts.ts'
import { linkForReset } from './password-resets-service.ts'

type DeliverDeps = Pick<Deps, 'db' | 'now' | 'config' | 'log' | 'measures'>

/**
 * Sends the mail of a job. The token of its link is made now, and again when the mail is sent again:
 * no table ever holds it. A link that is not open any more is not mailed.
 *
 * @param isLastTry the mail is given up when it cannot be sent now: whoever invited is told
 * @throws when the mail is to be tried again later
 */
export async function deliverMail(
  deps: DeliverDeps,
  mailer: Mailer,
  job: MailJob,
  isLastTry = false,
): Promise<void> {
  const { log, measures } = deps
  try {
    const mail = await mailOf(deps, job)
    if (mail === undefined) return
    await mailer.send(mail.to, mail.text)
    measures.mails.sent += 1
    await mail.whenSent?.()
  } catch (error) {
    if (!(error instanceof MailError)) {
      measures.mails.postponed += 1
      log.warn({ err: error }, 'a mail could not be made; trying again later')
      throw error
    }
    const { message: reason, isFinal } = error
    if (!isFinal && !isLastTry) {
      measures.mails.postponed += 1
      log.warn({ reason }, 'a mail could not be sent; trying again later')
      throw error
    }
    measures.mails.refused += 1
    const what = isFinal
      ? 'the mail server refuses a mail for good'
      : 'a mail could not be sent for a day; it is given up'
    log.warn({ reason }, what)
    if ('linkId' in job) await noteMailRefused(deps, job.linkId)
  }
}

/** A mail to be sent; undefined when there is nothing to send any more. */
type Mail = { to: string; text: MailText; whenSent?: () => Promise<unknown> } | undefined

function mailOf(deps: DeliverDeps, job: MailJob): Promise<Mail> {
  if ('digestFor' in job) return digestMail(deps, job)
  return 'factorRemovedOf' in job ? removedFactorMail(deps, job) : linkMail(deps, job)
}

/** The mail goes to the address that the user has by now; a user who is gone gets none. */
async function removedFactorMail(
  { db, config }: DeliverDeps,
  { factorRemovedOf: id }: { factorRemovedOf: string },
): Promise<Mail> {
  const user = await db.user.findUnique({
    where: { id, removedAt: null },
    select: { email: true },
  })
  return user === null ? undefined : { to: user.email, text: factorRemovedMail(config) }
}

async function linkMail(deps: DeliverDeps, job: LinkJob): Promise<Mail> {
  const link = await linkOf(deps, job)
  const token = link && (await renewToken(deps, link.id, { mailed: true }))
  if (link === undefined || token === undefined) return undefined
  return { to: link.email, text: await textOf(deps, link, token) }
}

type LinkJob = Exclude<MailJob, DigestJob | { factorRemovedOf: string }>

async function linkOf(deps: DeliverDeps, job: LinkJob): Promise<LinkToken | undefined> {
  if ('resetFor' in job) return linkForReset(deps, job)
  const where = { id: job.linkId, ...openAt(deps.now()) }
  const link = (await deps.db.linkToken.findFirst({ where })) ?? undefined
  if (link?.purpose === 'email_change' && !(await isForMail(deps, link))) return undefined
  if (link?.purpose === 'password_reset' && !deps.config.passwordLogin) return undefined
  return link
}

async function textOf(
  { db, config: { publicUrl } }: DeliverDeps,
  link: LinkToken,
  token: string,
): Promise<MailText> {
  const place = { publicUrl, address: linkAddress(publicUrl, link.purpose, token) }
  switch (link.purpose) {
    case 'invitation':
      return invitationMail(place, await namesOf(db, link))
    case 'password_reset':
      return passwordResetMail(place)
    case 'email_change':
      return emailChangeMail(place, EmailChangeGrants.parse(link.grants))
    case 'sign_in':
      throw new Error('the command line hands over links to sign in')
  }
}
