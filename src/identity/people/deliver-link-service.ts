import type { LinkToken } from '../../base/database/generated/client.ts'
import { MAIL } from '../../base/mail/mail-job.ts'
import type { Deps } from '../../deps.ts'
import { linkAddress } from '../links/link.ts'
import { renewToken } from '../links/link-tokens-service.ts'

/** How somebody gets a link: by mail, or from the one who made it. */
export type DeliveredLink = { mailed: true } | { mailed: false; link: string }

/** Mailed where this marketplace sends mail, or always handed over by the one who made the link. */
export type DeliveryWay = 'mail' | 'hand over'

/** Whether this marketplace sends mail. */
export function sendsMail({ config }: Pick<Deps, 'config'>): boolean {
  return config.smtpUrl !== undefined && config.mailFrom !== undefined
}

/**
 * Has a link mailed, or returns it for whoever will hand it over. A mailed link gets its token when
 * the mail is written.
 *
 * @param deps in the transaction that made the link
 */
export async function deliverLink(
  deps: Pick<Deps, 'db' | 'now' | 'config' | 'jobs'>,
  link: LinkToken,
  delivery: DeliveryWay = 'mail',
): Promise<DeliveredLink> {
  if (delivery === 'mail' && sendsMail(deps)) {
    await deps.jobs.ask(MAIL, { linkId: link.id }, deps.db)
    return { mailed: true }
  }
  const token = await renewToken(deps, link.id, { mailed: false })
  if (token === undefined) throw new Error('a link that was made just now is not open')
  return { mailed: false, link: linkAddress(deps.config.publicUrl, link.purpose, token) }
}
