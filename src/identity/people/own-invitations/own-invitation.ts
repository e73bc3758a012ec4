import { z } from 'zod'
import { Timestamp, UuidText } from '../../../base/values/shapes.ts'
import { DeveloperRole, PartyRole } from '../../accounts/members/roles.ts'
import { Invitation, type InvitationGrants } from '../invitation.ts'

/** Whose invitations are read and revoked. */
export type InvitingSide =
  | { kind: 'party'; partyId: number }
  | { kind: 'developer'; developerId: string }

const InvitedBy = z
  .object({
    kind: z
      .enum(['user', 'developer', 'operator'])
      .describe('A person, a credential of the developer, or the operator of the marketplace.')
      .meta({ example: 'user' }),
    name: z
      .string()
      .nullable()
      .describe('Name of the person, or client id of the credential; null for the operator.')
      .meta({ example: 'Kim Keyline' }),
  })
  .meta({ id: 'InvitedBy', description: 'Who has invited.' })

const Fields = {
  id: Invitation.shape.id,
  email: Invitation.shape.email,
  name: Invitation.shape.name,
}
const Times = {
  invitedBy: InvitedBy,
  createdAt: Timestamp,
  expiresAt: Invitation.shape.expiresAt,
  mailRefusedAt: Invitation.shape.mailRefusedAt,
}

/** An open invitation to an account, as its admins see it. */
export const PartyInvitation = z
  .object({ ...Fields, role: PartyRole, ...Times })
  .meta({ id: 'PartyInvitation', description: 'An open invitation to an account.' })

/** An open invitation to a developer, as its owners see it. */
export const DeveloperInvitation = z
  .object({ ...Fields, role: DeveloperRole, ...Times })
  .meta({ id: 'DeveloperInvitation', description: 'An open invitation to work for a developer.' })

/** Either of them. */
export type OwnInvitation<Role extends string = string> = Omit<
  z.infer<typeof PartyInvitation>,
  'role'
> & { role: Role }

/** The path of an open invitation. */
export const OwnInvitationPath = z.object({
  invitationId: UuidText.describe('Id of the invitation.').meta({
    example: '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
    parameter: 'InvitationId',
  }),
})

/** The role that an invitation gives on one side. */
export function roleOn(side: InvitingSide, { role }: InvitationGrants) {
  if (role === 'member') return role
  return side.kind === 'party' ? 'admin' : 'owner'
}

/**
 * What is left of an invitation when one side takes itself out.
 *
 * @returns undefined when nothing is left that it could give
 */
export function withoutSide(
  grants: InvitationGrants,
  side: InvitingSide,
): InvitationGrants | undefined {
  const partyIds =
    side.kind === 'party' ? grants.partyIds.filter((id) => id !== side.partyId) : grants.partyIds
  const developerId = side.kind === 'developer' ? null : grants.developerId
  const isEmpty = partyIds.length === 0 && developerId === null
  if (isEmpty && !grants.operator && !grants.support) return undefined
  return { ...grants, partyIds, developerId, role: isEmpty ? null : grants.role }
}
