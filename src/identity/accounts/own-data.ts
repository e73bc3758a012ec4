import { z } from 'zod'
import { Timestamp } from '../../base/values/shapes.ts'
import { AuditRecord, OperatorAuditRecord } from '../audit/audit-record.ts'
import { DeveloperRole, PartyRole } from './members/roles.ts'

export const OWN_DATA_FILE = {
  mediaType: 'application/json; charset=utf-8',
  fileName: 'my-data.json',
} as const

const accepted = z.object({ sha256: z.string() })

const OwnAcceptance = z
  .object({
    installationId: z.uuid(),
    kind: z.enum(['acknowledgement', 'terms', 'permission']),
    subjectId: z.string().nullable().describe('Id of the acknowledgement or the permission.'),
    sha256: z.string(),
    version: z.string().describe('Version of the app.'),
    address: z.string().nullable(),
    acceptedAt: Timestamp,
  })
  .meta({
    id: 'OwnAcceptance',
    description: 'An acknowledgement, terms or a permission that the user accepted.',
  })

const OwnInstallRequest = z
  .object({
    id: z.uuid(),
    partyId: z.int(),
    appId: z.string(),
    version: z.string(),
    purchaseOptionId: z.string(),
    userSettings: z.record(z.string(), z.unknown()).describe('Without passwords.'),
    passwordKeys: z.array(z.string()),
    consent: z.object({
      acknowledgements: z.array(accepted.extend({ id: z.string() })),
      termsDocument: accepted.nullable(),
    }),
    note: z.string().nullable(),
    status: z.enum(['pending', 'accepted', 'declined', 'withdrawn']),
    reason: z.string().nullable(),
    installationId: z.uuid().nullable(),
    createdAt: Timestamp,
    decidedAt: Timestamp.nullable(),
  })
  .meta({ id: 'OwnInstallRequest', description: 'An app that the user asked the admins for.' })

const OwnLink = z
  .object({
    purpose: z.enum(['invitation', 'password_reset', 'email_change', 'sign_in']),
    email: z.string(),
    mailed: z.boolean(),
    mailRefusedAt: Timestamp.nullable(),
    createdAt: Timestamp,
    expiresAt: Timestamp,
    usedAt: Timestamp.nullable(),
    endedAt: Timestamp.nullable(),
    grants: z.record(z.string(), z.unknown()).describe('What its use does.'),
  })
  .meta({ id: 'OwnLink', description: 'A link for the user; its token is not in it.' })

const OwnNotification = z
  .object({
    kind: z.string(),
    partyId: z.int().nullable(),
    developerId: z.uuid().nullable(),
    appId: z.string().nullable(),
    createdAt: Timestamp,
    readAt: Timestamp.nullable(),
  })
  .meta({ id: 'OwnNotification', description: 'Something that the user was told of.' })

const OwnAuditRecord = AuditRecord.extend({ address: OperatorAuditRecord.shape.address }).meta({
  id: 'OwnAuditRecord',
  description: 'An entry of the audit trail by the user or about the user.',
})

const named = (id: z.ZodType) => z.object({ id, name: z.string() })

/** Everything that is kept about one person, as it is exported. */
export const OwnData = z
  .object({
    id: z.uuid(),
    email: z.string(),
    name: z.string(),
    operator: z.boolean(),
    support: z.boolean(),
    createdAt: Timestamp,
    memberships: z.array(
      z.object({ role: PartyRole, createdAt: Timestamp, party: named(z.int()) }),
    ),
    developers: z.array(
      z.object({ role: DeveloperRole, createdAt: Timestamp, developer: named(z.uuid()) }),
    ),
    sessions: z.array(
      z.object({
        createdAt: Timestamp,
        lastSeenAt: Timestamp,
        expiresAt: Timestamp,
        browser: z.string().describe('Empty when it is not known.'),
        network: z.string().describe('First part of the address. Empty when it is not known.'),
        factorAt: Timestamp.nullable().describe('When the second factor was given last.'),
      }),
    ),
    identities: z
      .array(z.object({ issuer: z.string(), subject: z.string(), createdAt: Timestamp }))
      .describe('Who the user is at the provider of single sign-on.'),
    emailProved: z.boolean().describe('Whether the address is known to be yours.'),
    notificationMails: z
      .record(z.string(), z.boolean())
      .describe('Kind of notification -> whether you chose to get it by mail.'),
    savedViews: z
      .array(z.object({ id: z.uuid(), path: z.string(), query: z.string(), name: z.string() }))
      .describe('Lists of pages with filters that you gave a name.'),
    suspendedAt: Timestamp.nullable(),
    suspendedReason: z.string().nullable(),
    secondFactor: z
      .object({ enabledAt: Timestamp, recoveryCodesLeft: z.int() })
      .nullable()
      .describe('Null when it is off.'),
    acceptances: z.array(OwnAcceptance),
    installRequests: z.array(OwnInstallRequest),
    links: z
      .array(OwnLink)
      .describe('Of the last weeks, and open invitations to your address if it is proved.'),
    notifications: z.array(OwnNotification).describe('Oldest first.'),
    auditTrail: z
      .array(OwnAuditRecord)
      .describe('Oldest first. Sign-ins and opened apps are counted by the hour.'),
  })
  .meta({ id: 'OwnData', description: 'Everything that is kept about one person.' })
