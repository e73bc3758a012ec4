import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { keepChoice, type Session } from '../../identity/auth/user-session-service.ts'

/** The account in the header, which the pages of a session are about unless they name another one. */
type ChosenAccount = { id: number; name: string }

/**
 * What a user of several accounts has chosen in a session; undefined when there is nothing to
 * choose. An account that the user has left, or that is suspended, is chosen no more.
 */
export async function readHeaderAccount(
  { db }: Pick<Deps, 'db'>,
  { user, partyId }: Session,
): Promise<{ chosen: ChosenAccount | undefined } | undefined> {
  const [memberships, chosen] = await Promise.all([
    db.membership.count({ where: { userId: user.id } }),
    partyId === null
      ? null
      : db.party.findFirst({
          where: { id: partyId, ...choosableBy(user.id) },
          select: { id: true, name: true },
        }),
  ])
  return memberships < 2 ? undefined : { chosen: chosen ?? undefined }
}

/**
 * Makes an account the one that the pages of a session are about; null takes the choice back.
 *
 * @param cookie of the user's own session
 * @throws AppError unprocessable when the user may not act for the account
 */
export async function chooseHeaderAccount(
  deps: Pick<Deps, 'db'>,
  { cookie, userId }: { cookie: string; userId: string },
  partyId: number | null,
): Promise<void> {
  if (partyId !== null) {
    const found = await deps.db.party.count({ where: { id: partyId, ...choosableBy(userId) } })
    if (found === 0) {
      throw new AppError('unprocessable', {
        detail: 'You cannot use that account. Choose one of the accounts below.',
      })
    }
  }
  await keepChoice(deps, cookie, partyId)
}

function choosableBy(userId: string) {
  return { suspendedAt: null, memberships: { some: { userId } } }
}
