import type { Invitation } from '../../../identity/people/invitation.ts'
import { invitedTo } from '../../../identity/people/mail-texts.ts'

/** What the parties and developers of invitations are called: id -> name. */
export type InvitationNames = {
  parties: ReadonlyMap<number, { name: string }>
  developers: ReadonlyMap<string, string>
}

/** What an invitation is for, in words; empty when it makes a user and nothing more. */
export function whatFor(
  { partyIds, developerId, role, operator, support }: Invitation,
  { parties, developers }: InvitationNames,
): string {
  const things = invitedTo({
    parties: partyIds.map((id) => parties.get(id)?.name ?? String(id)),
    developer: developerId === null ? undefined : (developers.get(developerId) ?? developerId),
    role,
    operator,
    support,
  })
  return things.join(', ')
}
