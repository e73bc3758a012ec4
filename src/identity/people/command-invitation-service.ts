import { COMMAND_LINE } from '../../base/values/actor.ts'
import type { Deps } from '../../deps.ts'
import type { DeliveredLink, DeliveryWay } from './deliver-link-service.ts'
import type { InvitationRequest } from './invitation.ts'
import { inviteByOperator } from './invitations-service.ts'

/**
 * Invites somebody by the command line: by mail where mails are sent, else, or where the link is
 * asked for, by a link to hand over. A marketplace without an operator and a developer without people
 * get their first one this way.
 *
 * @throws AppError unprocessable
 */
export async function inviteByCommand(
  deps: Pick<Deps, 'db' | 'now' | 'config' | 'jobs'>,
  input: InvitationRequest,
  delivery: DeliveryWay,
): Promise<{ email: string; expiresAt: Date } & DeliveredLink> {
  const { email, expiresAt, link } = await inviteByOperator(deps, input, COMMAND_LINE, delivery)
  const delivered =
    link === undefined ? ({ mailed: true } as const) : { mailed: false as const, link }
  return { email, expiresAt, ...delivered }
}

/** What an operator is told at the start of a marketplace that nobody can run yet. */
export async function firstOperatorHint({
  db,
  config,
}: Pick<Deps, 'db' | 'config'>): Promise<string | undefined> {
  if ((await db.user.count({ where: { operator: true } })) > 0) return undefined
  return [
    `App Marketplace is ready at ${config.publicUrl}. It has no operator yet.`,
    'Make a one-use link for the first one:',
    '  npm run cli -- operator invite you@example.com --link',
  ].join('\n')
}
