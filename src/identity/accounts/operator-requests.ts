import { z } from 'zod'
import { PersonalEmail } from '../../base/values/email.ts'
import { MALFORMED } from '../../base/values/field-errors.ts'
import { nameKey } from '../../base/values/names.ts'
import { OfferedPartyType } from '../../base/values/party-type.ts'
import { INT4_MAX, UuidText } from '../../base/values/shapes.ts'
import { displayProblem } from '../../base/values/text.ts'
import { canonicalLine, invisibleProblem } from '../../base/values/text-forms/canonical.ts'
import {
  isPasswordTooLong,
  isPasswordTooShort,
  PASSWORD_MAX_BYTES,
  PASSWORD_MIN_LENGTH,
} from '../auth/password-text.ts'
import { PartyRole } from './members/roles.ts'

const NAME_MAX_LENGTH = 200
const REASON_MAX_LENGTH = 500
export const PARTIES_PER_USER_MAX = 1000

const line = (maxLength: number) =>
  z
    .string()
    .overwrite(canonicalLine)
    .min(1)
    .max(maxLength, { abort: true })
    .refine(
      (value) => displayProblem(value, 'line') === null,
      'must be a single line without control characters',
    )

const Name = line(NAME_MAX_LENGTH)
  .superRefine((name, ctx) => {
    const problem =
      name !== '' && nameKey(name) === '' ? 'must show something' : invisibleProblem(name)
    if (problem !== null) ctx.addIssue({ code: 'custom', message: problem })
  })
  .describe(
    `1 to ${NAME_MAX_LENGTH} characters, without surrounding space and invisible characters but for ` +
      'the joiners that a script or an emoji needs. It is kept in NFC.',
  )

/** A password that somebody chooses. */
export const ChosenPassword = z
  .string()
  .refine(
    (password) => !isPasswordTooShort(password) && !isPasswordTooLong(password),
    `must have at least ${PASSWORD_MIN_LENGTH} characters and at most ${PASSWORD_MAX_BYTES} bytes`,
  )
  .describe(
    `${PASSWORD_MIN_LENGTH} characters to ${PASSWORD_MAX_BYTES} bytes, counted in NFC. None of the ` +
      '100,000 most common ones, and not the name or email that it is for.',
  )
  .meta({ example: 'correct horse battery staple' })

const Password = ChosenPassword.optional()
  .describe(
    `${PASSWORD_MIN_LENGTH} characters to ${PASSWORD_MAX_BYTES} bytes, counted in NFC. None of the ` +
      '100,000 most common ones, and not the name, email or client id that it is for. Left out: the ' +
      'server generates a random one.',
  )
  .meta({ id: 'PasswordOrGenerated', example: 'correct horse battery staple' })

const ClientId = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._-]{1,127}$/,
    'must be 2 to 128 letters, digits, dots, underscores and hyphens, beginning with a letter or digit',
  )
  .optional()
  .describe(
    'Never used before, not even by a removed credential. Left out: the server generates one.',
  )
  .meta({ id: 'ClientIdOrGenerated', example: 'acme-tools' })

export const PartyId = z.int().min(1).max(INT4_MAX)

const DeveloperName = Name.meta({ example: 'Acme Tools' })
const PartyName = Name.meta({ example: 'Keyline Electronics' })
export const UserEmail = PersonalEmail.describe(
  'What the user signs in with; case, width and surrounding space do not matter (it is kept in ' +
    'NFKC). A domain in other letters is kept and answered as the DNS has it (`xn--...`, UTS 46).',
).meta({ id: 'UserEmail', example: 'kim@keyline.example' })
export const UserName = Name.meta({ id: 'UserName', example: 'Kim Keyline' })

/** A developer to be made. */
export const DeveloperRequest = z
  .strictObject({
    name: DeveloperName,
    clientId: ClientId,
    password: Password,
  })
  .meta({ id: 'DeveloperRequest', description: 'A developer to be created.' })
export type DeveloperRequest = z.input<typeof DeveloperRequest>

/** A further credential of a developer. */
export const CredentialRequest = z.strictObject({ clientId: ClientId, password: Password }).meta({
  id: 'CredentialRequest',
  description: 'A further credential of a developer; the server generates what is left out.',
})
export type CredentialRequest = z.input<typeof CredentialRequest>

/** An account to be made. */
export const PartyRequest = z
  .strictObject({
    name: PartyName,
    type: OfferedPartyType.describe('Sandbox parties are made with their developer only.'),
  })
  .meta({ id: 'PartyRequest', description: 'A party to be created.' })
export type PartyRequest = z.input<typeof PartyRequest>

const Support = z
  .boolean()
  .optional()
  .describe(
    'Whether the user may read what operators read, and change nothing. Never together with ' +
      '`operator`.',
  )
  .meta({ example: false })
/** What is wrong with a user who would have both roles. */
export const BOTH_ROLES = 'A user is an operator or support, not both.'
const BOTH = { path: ['support'], message: BOTH_ROLES }
const notBoth = ({
  operator,
  support,
}: {
  operator?: boolean | undefined
  support?: boolean | undefined
}) => !(operator === true && support === true)

/** A user to be made. */
export const UserRequest = z
  .strictObject({
    name: UserName,
    email: UserEmail,
    password: Password,
    partyIds: z
      .array(PartyId)
      .max(PARTIES_PER_USER_MAX)
      .describe('The accounts that the user belongs to.')
      .meta({ example: [3] }),
    operator: z
      .boolean()
      .optional()
      .describe('Whether the user may use the operator endpoints. Default: false.'),
    support: Support,
  })
  .refine(notBoth, BOTH)
  .meta({ id: 'UserRequest', description: 'A user to be created.' })
export type UserRequest = z.input<typeof UserRequest>

/** What changes about a developer. */
export const DeveloperChange = z
  .strictObject({ name: DeveloperName })
  .meta({ id: 'DeveloperChange', description: 'What changes about a developer.' })
export type DeveloperChange = z.input<typeof DeveloperChange>

/** What changes of an account. */
export const PartyChange = z
  .strictObject({ name: PartyName })
  .meta({ id: 'PartyChange', description: 'What changes about a party.' })
export type PartyChange = z.input<typeof PartyChange>

/** What changes of a user: what is left out stays. */
export const UserChange = z
  .strictObject({
    name: UserName.optional(),
    email: UserEmail.optional(),
    operator: z
      .boolean()
      .optional()
      .describe('Whether the user may use the operator endpoints.')
      .meta({ example: true }),
    support: Support,
    emailProved: z
      .literal(true)
      .optional()
      .describe(
        'You have checked that the email is theirs, as for a user without mail. Whoever signs in ' +
          'as the user now goes on doing so.',
      ),
  })
  .refine(notBoth, BOTH)
  .refine((change) => Object.values(change).some((value) => value !== undefined), {
    message: 'must have a name, email, operator, support or emailProved',
    params: MALFORMED,
  })
  .meta({
    id: 'UserChange',
    description: 'What changes about a user; members that are left out stay.',
    minProperties: 1,
  })
export type UserChange = z.input<typeof UserChange>

/** A new password for a user. */
export const PasswordRequest = z.strictObject({ password: Password }).meta({
  id: 'PasswordRequest',
  description: 'The new password; without one the server generates it.',
})
export type PasswordRequest = z.input<typeof PasswordRequest>

/** A user who becomes a member of a party. */
export const MembershipRequest = z
  .strictObject({
    userId: UuidText.meta({ example: '5b1c0a5e-6d2f-4c86-9a0e-3f1f9f2f7c11' }),
    partyId: PartyId.meta({ example: 3 }),
    role: PartyRole.default('admin'),
  })
  .meta({ id: 'MembershipRequest', description: 'A user and the party that it is to belong to.' })
export type MembershipRequest = z.input<typeof MembershipRequest>

/** Another role for a member of a party. */
export const MemberChange = z
  .strictObject({ role: PartyRole })
  .meta({ id: 'MemberChange', description: 'The role that a member of a party is to have.' })
export type MemberChange = z.infer<typeof MemberChange>

/** A Buyer that is to see the products of a Seller. */
export const ConnectionRequest = z
  .strictObject({
    buyerId: PartyId.describe('A party of type Buyer.').meta({ example: 4 }),
    sellerId: PartyId.describe('A party of type Seller.').meta({ example: 3 }),
  })
  .meta({
    id: 'ConnectionRequest',
    description: 'A Buyer and the Seller whose products it is to see.',
  })
export type ConnectionRequest = z.infer<typeof ConnectionRequest>

/** Why something is suspended. */
export const SuspensionRequest = z
  .strictObject({
    reason: z
      .string()
      .trim()
      .min(1)
      .max(REASON_MAX_LENGTH)
      .refine(
        (text) => displayProblem(text, 'paragraph') === null,
        'must not contain control characters other than line feeds and tabs',
      )
      .describe(`Shown to those concerned: 1 to ${REASON_MAX_LENGTH} characters.`)
      .meta({ example: 'Unpaid invoices' }),
  })
  .meta({ id: 'SuspensionRequest', description: 'Why something is suspended.' })
export type SuspensionRequest = z.input<typeof SuspensionRequest>
