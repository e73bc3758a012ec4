import { z } from 'zod'
import { Timestamp, UuidText } from '../../base/values/shapes.ts'
import { DeveloperRole, PartyRole } from '../accounts/members/roles.ts'
import {
  ChosenPassword,
  PARTIES_PER_USER_MAX,
  PartyId,
  UserEmail,
  UserName,
} from '../accounts/operator-requests.ts'

/** Who invites: an operator, an account, or a developer. */
export type InvitationScope =
  | { kind: 'operator' }
  | { kind: 'party'; partyId: number }
  | { kind: 'developer'; developerId: string }

/** The scope of the links that one side makes. */
export function scopeText(scope: InvitationScope): string {
  switch (scope.kind) {
    case 'operator':
      return 'operator'
    case 'party':
      return `party ${scope.partyId}`
    case 'developer':
      return `developer ${scope.developerId}`
  }
}

/** Whose audit trail the entries of an invitation are in, beside the operator's. */
export function trailOwnerOf(scope: string): { partyId?: number; developerId?: string } {
  const [kind, id = ''] = scope.split(' ')
  if (kind === 'party') return { partyId: Number(id) }
  return kind === 'developer' ? { developerId: id } : {}
}

const Person = { email: UserEmail, name: UserName }

/** What an operator invites somebody to. */
export const InvitationRequest = z
  .strictObject({
    ...Person,
    partyIds: z
      .array(PartyId)
      .max(PARTIES_PER_USER_MAX)
      .optional()
      .describe('The accounts that the person will belong to.')
      .meta({ example: [3] }),
    role: z
      .enum(['member', 'admin', 'owner'])
      .optional()
      .describe(
        'In the accounts and the developer. `admin` is of accounts, `owner` of a developer. Left ' +
          'out: admin and owner.',
      )
      .meta({ example: 'admin' }),
    developerId: UuidText.optional()
      .describe('The developer that the person will work for.')
      .meta({ example: '0f8fad5b-d9cb-469f-a165-70867728950e' }),
    operator: z.boolean().optional().describe('Whether the person will be an operator.'),
    support: z.boolean().optional().describe('Whether the person will be support staff.'),
  })
  .superRefine(({ role, partyIds = [], developerId, operator, support }, ctx) => {
    const refuse = (path: string, message: string) =>
      ctx.addIssue({ code: 'custom', path: [path], message })
    if (operator && support) refuse('support', 'must be false for an operator')
    if (role === 'admin' && partyIds.length === 0) refuse('role', 'needs an account in partyIds')
    if (role === 'owner' && developerId === undefined) refuse('role', 'needs a developerId')
  })
  .meta({
    id: 'InvitationRequest',
    description: 'A person to be invited, and what the person is invited to.',
  })
export type InvitationRequest = z.input<typeof InvitationRequest>

/** Somebody that an account invites. */
export const PartyInvitationRequest = z
  .strictObject({ ...Person, role: PartyRole.default('member') })
  .meta({ id: 'PartyInvitationRequest', description: 'A person to be invited to an account.' })
export type PartyInvitationRequest = z.input<typeof PartyInvitationRequest>

/** Somebody that a developer invites. */
export const DeveloperInvitationRequest = z
  .strictObject({ ...Person, role: DeveloperRole.default('member') })
  .meta({ id: 'DeveloperInvitationRequest', description: 'A person to be invited to a developer.' })
export type DeveloperInvitationRequest = z.input<typeof DeveloperInvitationRequest>

/** What an invitation gives, as it is stored with its link. */
export const InvitationGrants = z.object({
  name: z.string(),
  partyIds: z.array(z.int()),
  role: z.enum(['member', 'admin', 'owner']).nullable(),
  developerId: z.string().nullable(),
  operator: z.boolean(),
  support: z.boolean(),
})
export type InvitationGrants = z.infer<typeof InvitationGrants>

/**
 * What an invitation needs: a password that the person chooses, the sign-in of the user that there
 * is, or nothing.
 *
 * @param link `mailed`: whether it proves the address
 * @param user who has the address; `emailProved`: whether the user is known to be the address's owner
 */
export function neededFor(
  { mailed }: { mailed: boolean },
  user: { emailProved: boolean } | null,
): 'password' | 'sign-in' | 'nothing' {
  if (user === null) return 'password'
  if (!mailed) return 'sign-in'
  return user.emailProved ? 'nothing' : 'password'
}

/** Who invites, and what an invitation is for, in names. */
export type InvitationInNames = InvitedTo & {
  /** Undefined for the operator of the marketplace. */
  inviter: string | undefined
}

/** An invitation that a user can answer without its link. */
export type WaitingInvitation = InvitationInNames & { id: string }

/** What an invitation needs, and what it is for. */
export type InvitationShown = InvitationInNames & {
  email: string
  /** Whether the address belongs to a user. */
  isUser: boolean
  needs: ReturnType<typeof neededFor>
}

/** What an invitation is for, in names. */
export type InvitedTo = Pick<InvitationGrants, 'role' | 'operator' | 'support'> & {
  parties: string[]
  developer: string | undefined
}

/** An open invitation. */
export const Invitation = z
  .object({
    id: z
      .uuid()
      .describe('Id of the invitation.')
      .meta({ example: '3f2504e0-4f89-41d3-9a0c-0305e82c3301' }),
    email: z.string().meta({ example: 'kim@keyline.example' }),
    name: z.string().meta({ example: 'Kim Keyline' }),
    partyIds: z
      .array(z.int())
      .describe('The accounts that the person is invited to.')
      .meta({ example: [3] }),
    developerId: z
      .uuid()
      .nullable()
      .describe('The developer that the person is invited to, or null.')
      .meta({ example: null }),
    role: InvitationGrants.shape.role
      .describe('The role in these, or null when there are none.')
      .meta({ example: 'admin' }),
    operator: z.boolean().meta({ example: false }),
    support: z.boolean().meta({ example: false }),
    createdAt: Timestamp,
    expiresAt: Timestamp.describe('Until when it can be accepted.'),
    mailRefusedAt: Timestamp.nullable()
      .describe('When its mail was refused or given up, or null. Then nobody has the link.')
      .meta({ example: null }),
  })
  .meta({ id: 'Invitation', description: 'An invitation that nobody has accepted yet.' })
export type Invitation = z.infer<typeof Invitation>

/** How a link reaches whom it is for. */
export const LinkDelivery = {
  mailed: z
    .boolean()
    .describe(
      'Whether the link is mailed, as where there is a mail server. If not, hand over `link`.',
    )
    .meta({ example: false }),
  link: z
    .string()
    .optional()
    .describe('Works once. Only when nothing is mailed, and only in this response.')
    .meta({ example: 'https://marketplace.example/invitation?token=amkt_link_...' }),
}

export const CreatedInvitation = Invitation.extend(LinkDelivery).meta({
  id: 'CreatedInvitation',
  description: 'A new invitation, with its link when the marketplace sends no mail.',
})
export type CreatedInvitation = z.infer<typeof CreatedInvitation>

export const LinkTokenText = z
  .string()
  .min(1)
  .max(200)
  .describe('The `token` of the link.')
  .meta({ example: 'amkt_link_...' })

/** The use of an invitation. */
export const InvitationAcceptance = z
  .strictObject({
    token: LinkTokenText,
    password: ChosenPassword.optional().describe(
      'Of a new user, and of one whose address nobody has proved. Otherwise ignored, also where ' +
        'users sign in by single sign-on only.',
    ),
  })
  .meta({ id: 'InvitationAcceptance', description: 'The token of an invitation, and a password.' })
export type InvitationAcceptance = z.input<typeof InvitationAcceptance>

export const AcceptedInvitation = z
  .object({
    userId: z
      .uuid()
      .describe('Id of the user.')
      .meta({ example: '0f8fad5b-d9cb-469f-a165-70867728950e' }),
    email: z.string().describe('What the user signs in with.').meta({
      example: 'kim@keyline.example',
    }),
    name: z.string().meta({ example: 'Kim Keyline' }),
    created: z.boolean().describe('False when the address belonged to a user already.'),
  })
  .meta({ id: 'AcceptedInvitation', description: 'The user who has accepted an invitation.' })
export type AcceptedInvitation = z.infer<typeof AcceptedInvitation>
