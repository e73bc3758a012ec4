import { parseInput } from '../../../base/values/field-errors.ts'
import type { Deps } from '../../../deps.ts'
import { AppError, type AppErrorOptions } from '../../../errors.ts'
import {
  namesOfDevelopers,
  namesOfParties,
} from '../../../identity/accounts/account-names-service.ts'
import { type Invitation, InvitationRequest } from '../../../identity/people/invitation.ts'
import { findDeveloperId, findParty, NO_SANDBOX } from '../find-service.ts'
import { filled, type Typed } from '../forms/forms-service.ts'
import type { InvitationNames } from './invitation-names.ts'

type Problem = NonNullable<AppErrorOptions['errors']>[number]

/**
 * The invitation that somebody typed into the form.
 *
 * @throws AppError unprocessable with all problems of its fields
 */
export async function invitationIn(
  deps: Pick<Deps, 'db'>,
  typed: Typed,
): Promise<InvitationRequest> {
  const [party, developer] = [filled(typed, 'party'), filled(typed, 'developer')]
  const errors: Problem[] = []
  const [partyId, developerId] = await Promise.all([
    party === undefined ? undefined : orProblems(errors, findParty(deps, party, NO_SANDBOX)),
    developer === undefined ? undefined : orProblems(errors, findDeveloperId(deps, developer)),
  ])
  const access = typed.get('console')
  const input = {
    email: typed.get('email') ?? '',
    name: typed.get('name') ?? '',
    ...(partyId !== undefined && { partyIds: [partyId] }),
    ...(developerId !== undefined && { developerId }),
    ...(typed.get('role') === 'member' && { role: 'member' as const }),
    operator: access === 'operator',
    support: access === 'support',
  }
  await orProblems(errors, (async () => parseInput(InvitationRequest, input))())
  if (errors.length > 0) throw new AppError('unprocessable', { errors })
  return input
}

/** What the parties and developers of invitations are called. */
export async function namesIn(
  deps: Pick<Deps, 'db'>,
  invitations: readonly Invitation[],
): Promise<InvitationNames> {
  const [parties, developers] = await Promise.all([
    namesOfParties(
      deps,
      invitations.flatMap(({ partyIds }) => partyIds),
    ),
    namesOfDevelopers(
      deps,
      invitations.flatMap(({ developerId }) => developerId ?? []),
    ),
  ])
  return { parties, developers }
}

/** Gathers the problems of one field, so that those of the others are told with them. */
async function orProblems<T>(errors: Problem[], reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'unprocessable') throw error
    errors.push(...(error.options.errors ?? []))
    return undefined
  }
}
