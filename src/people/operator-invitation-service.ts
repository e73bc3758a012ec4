import type { Deps } from '../deps.ts'
import { COMMAND_LINE } from '../values/actor.ts'
import { inviteByOperator } from './invitations-service.ts'

/**
 * Invites an operator by the command line, which shows the link whether mails are sent or not: a
 * marketplace without an operator gets its first one this way.
 *
 * @throws AppError unprocessable
 */
export async function inviteOperator(
  deps: Pick<Deps, 'db' | 'now' | 'config' | 'jobs'>,
  person: { email: string; name: string },
): Promise<{ email: string; expiresAt: Date; link: string }> {
  const input = { ...person, operator: true }
  const made = await inviteByOperator(deps, input, COMMAND_LINE, 'hand over')
  const { email, expiresAt, link } = made
  if (link === undefined) throw new Error('an invitation to be handed over has no link')
  return { email, expiresAt, link }
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
    '  npm run cli -- operator invite you@example.com',
  ].join('\n')
}
