import { z } from 'zod'
import { PartyType } from '../../base/values/party-type.ts'
import { Timestamp } from '../../base/values/shapes.ts'
import { PartyRole } from './members/roles.ts'
import { ConnectionRequest, MembershipRequest } from './operator-requests.ts'

/** Columns of everything that an operator can suspend. */
type SuspensionColumns = { suspendedAt: Date | null; suspendedReason: string | null }

const suspension = {
  suspended: z.boolean().meta({ example: false }),
  suspendedAt: Timestamp.nullable().describe('Since when, or null.').meta({ example: null }),
  suspendedReason: z.string().nullable().describe('Why, or null.').meta({ example: null }),
}

const closedAt = Timestamp.nullable()
  .describe('When it was closed for good, or null.')
  .meta({ example: null })

/** The suspension of a row as it is answered. */
export function suspensionOf({ suspendedAt, suspendedReason }: SuspensionColumns) {
  return { suspended: suspendedAt !== null, suspendedAt, suspendedReason }
}

const Password = z
  .string()
  .nullable()
  .describe(
    'The generated password, shown only now: the database keeps only its hash. Null when you chose ' +
      'it, and for users who sign in by single sign-on only.',
  )
  .meta({ id: 'PasswordShownOnce', example: 'Zb0yN1pWc3J2dUx4a0tqQm1Tb3Jv' })
/** What was made, with the password that it has now. `unlessChosen` makes the answer of it. */
export type WithPassword<Answer extends { password: string | null }> = Answer & { password: string }

/**
 * The answer about something with a password. A password that the caller has chosen is left out: the
 * caller knows it, and answers are kept in logs and shells.
 */
export function unlessChosen<Made extends { password: string }>(
  given: { password?: string | undefined },
  made: Made,
): Omit<Made, 'password'> & { password: string | null } {
  return given.password === undefined ? made : { ...made, password: null }
}

const uuid = (description: string) =>
  z.uuid().describe(description).meta({ example: '0f8fad5b-d9cb-469f-a165-70867728950e' })

/** The answer to a suspension and its end. */
export const Suspension = z
  .object({
    id: z.string().describe('Of what was suspended or resumed.').meta({ example: 'price-sync' }),
    suspended: z.boolean().meta({ example: true }),
    suspendedAt: Timestamp.nullable().describe('Since when, or null.'),
    suspendedReason: z
      .string()
      .nullable()
      .describe('Why, or null.')
      .meta({ example: 'Unpaid invoices' }),
  })
  .meta({ id: 'Suspension', description: 'Whether something is suspended, since when and why.' })

/** The answer to the suspension of a party and its end. */
export const PartySuspension = Suspension.extend({
  id: z.int().describe('Of the party.').meta({ example: 3 }),
}).meta({ id: 'PartySuspension', description: 'Whether a party is suspended, since when and why.' })

/** The suspension of anything: the id of a party is a number. */
export type Suspension = Omit<z.infer<typeof Suspension>, 'id'> & { id: string | number }

/** A live credential of a developer. */
export const Credential = z
  .object({
    id: uuid('Id of the credential; names it when it is removed.'),
    clientId: z.string().meta({ example: 'acme-tools' }),
    createdAt: Timestamp,
    lastUsedAt: Timestamp.nullable()
      .describe('When somebody last signed in with it, to the minute, or null.')
      .meta({ example: '2026-11-21T09:30:00.000Z' }),
  })
  .meta({ id: 'Credential', description: 'A client id with which a developer signs in.' })
export type Credential = z.infer<typeof Credential>

/** What is read of a credential. */
export const CREDENTIAL_COLUMNS = {
  id: true,
  clientId: true,
  createdAt: true,
  lastUsedAt: true,
} as const

export const CreatedCredential = Credential.extend({ password: Password }).meta({
  id: 'CreatedCredential',
  description: 'A new credential with its generated password, which is shown only once.',
})
export type CreatedCredential = z.infer<typeof CreatedCredential>

export const CreatedDeveloper = z
  .object({
    id: uuid('Id of the developer.'),
    name: z.string().meta({ example: 'Acme Tools' }),
    clientId: z.string().meta({ example: 'acme-tools' }),
    password: Password,
    sandboxPartyId: z.int().describe('The party in which it tries its apps.').meta({ example: 9 }),
  })
  .meta({
    id: 'CreatedDeveloper',
    description:
      'A new developer with its first credential, whose generated password is shown only once.',
  })
export type CreatedDeveloper = z.infer<typeof CreatedDeveloper>

/** A developer as the operator sees it. */
export const DeveloperRecord = z
  .object({
    id: uuid('Id of the developer.'),
    name: z.string().meta({ example: 'Acme Tools' }),
    sandboxPartyId: z.int().meta({ example: 9 }),
    ...suspension,
    closedAt,
    credentials: z.array(Credential).describe('The live ones, at most two, oldest first.'),
    createdAt: Timestamp,
  })
  .meta({ id: 'DeveloperRecord', description: 'A developer as operators see it.' })
export type DeveloperRecord = z.infer<typeof DeveloperRecord>

/** An account as the operator sees it. */
export const PartyRecord = z
  .object({
    id: z.int().meta({ example: 3 }),
    name: z.string().meta({ example: 'Keyline Electronics' }),
    type: PartyType,
    ...suspension,
    closedAt,
    createdAt: Timestamp,
  })
  .meta({ id: 'PartyRecord', description: 'A party as operators see it.' })
export type PartyRecord = z.infer<typeof PartyRecord>

/** A user as the operator sees it. */
export const UserRecord = z
  .object({
    id: uuid('Id of the user.'),
    email: z.string().meta({ example: 'kim@keyline.example' }),
    emailProved: z
      .boolean()
      .describe(
        'False for whom somebody who is no operator invited by a link that was handed over. Such ' +
          'a user gets no role (`email_not_proved`) until the email is proved by a mailed link or ' +
          'single sign-on, or an operator sets this.',
      ),
    name: z.string().meta({ example: 'Kim Keyline' }),
    operator: z.boolean().describe('Whether the user may use the operator endpoints.'),
    support: z.boolean().describe('Whether the user may read what operators read.'),
    partyIds: z.array(z.int()).describe('The accounts that the user belongs to.'),
    memberships: z
      .array(z.object({ partyId: z.int().meta({ example: 3 }), role: PartyRole }))
      .describe('The same accounts, with what the user may do for each.'),
    ...suspension,
    createdAt: Timestamp,
  })
  .meta({ id: 'UserRecord', description: 'A user as operators see it.' })
export type UserRecord = z.infer<typeof UserRecord>

export const CreatedUser = UserRecord.extend({
  password: Password,
}).meta({
  id: 'CreatedUser',
  description: 'A new user with the generated password, which is shown only once.',
})
export type CreatedUser = z.infer<typeof CreatedUser>

/** The answer to a new password. */
export const NewPassword = z
  .object({
    id: uuid('Id of the user.'),
    email: z.string().meta({ example: 'kim@keyline.example' }),
    password: Password,
  })
  .meta({
    id: 'NewPassword',
    description: 'The new password of a user; a generated one is shown only once.',
  })
export type NewPassword = z.infer<typeof NewPassword>

/** A user who belongs to a party. */
export const Membership = z
  .object({ ...MembershipRequest.shape, role: PartyRole })
  .meta({ id: 'Membership', description: 'A user who belongs to a party.' })
export type Membership = z.infer<typeof Membership>

/** A Buyer that sees the products of a Seller. */
export const Connection = z
  .object(ConnectionRequest.shape)
  .meta({ id: 'Connection', description: 'A Buyer that sees the products of a Seller.' })
export type Connection = z.infer<typeof Connection>
