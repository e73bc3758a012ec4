import { z } from 'zod'
import { Timestamp } from '../values/shapes.ts'

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
      z.object({ role: z.string(), createdAt: Timestamp, party: named(z.int()) }),
    ),
    developers: z.array(
      z.object({ role: z.string(), createdAt: Timestamp, developer: named(z.uuid()) }),
    ),
    sessions: z.array(
      z.object({
        ...{ createdAt: Timestamp, lastSeenAt: Timestamp, expiresAt: Timestamp },
        browser: z.string().describe('Empty when it is not known.'),
        network: z.string().describe('First part of the address. Empty when it is not known.'),
      }),
    ),
    identities: z
      .array(z.object({ issuer: z.string(), subject: z.string(), createdAt: Timestamp }))
      .describe('Who the user is at the provider of single sign-on.'),
    acceptances: z
      .array(z.record(z.string(), z.unknown()))
      .describe('Acknowledgements and terms that the user accepted.'),
    installRequests: z
      .array(z.record(z.string(), z.unknown()))
      .describe('Apps that the user asked the admins of an account for, without passwords.'),
    auditTrail: z
      .array(z.record(z.string(), z.unknown()))
      .describe(
        'Entries of the audit trail by the user and about the user, oldest first. Sign-ins and ' +
          'opened apps are counted by the hour.',
      ),
  })
  .meta({ id: 'OwnData', description: 'Everything that is kept about one person.' })
