import { z } from 'zod'
import { Timestamp } from '../../base/values/shapes.ts'

/** The id of an unknown user or credential: what was typed as email or client id is not kept. */
export const UNKNOWN = 'unknown'

export const ACTOR_KINDS = ['developer', 'user', 'operator', 'installation', 'system'] as const

/** An entry of the audit trail, as the developer or the account that it concerns sees it. */
export const AuditRecord = z
  .object({
    id: z.int().describe('Rises with every entry.').meta({ example: 4711 }),
    at: Timestamp.describe('When it was done.'),
    actor: z
      .object({
        kind: z
          .enum(ACTOR_KINDS)
          .describe(
            "`system` is the marketplace itself, or the operator's command line, whose id is `cli`.",
          )
          .meta({ example: 'operator' }),
        id: z
          .string()
          .nullable()
          .describe(
            'A user or operator by id, a developer by client id, an installation by id. A person ' +
              'who worked in the developer console is a user. Null for the marketplace itself, ' +
              'and for an actor of the other side.',
          )
          .meta({ example: null }),
      })
      .describe('Who did it.'),
    action: z.string().describe('What was done.').meta({ example: 'installation.suspended' }),
    subject: z
      .object({
        kind: z.string().meta({ example: 'installation' }),
        id: z.string().meta({ example: '0f8fad5b-d9cb-469f-a165-70867728950e' }),
      })
      .describe('To which thing.'),
    before: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe('Fields before, without secrets, or null.')
      .meta({ example: { status: 'active' } }),
    after: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe(
        'Fields after, without secrets, or null. A changed definition has `changes`: at most 100, ' +
          'breaking ones first, with long texts cut off at `…`. When there are more, `changeCount` ' +
          'is the number of all.',
      )
      .meta({ example: { status: 'suspended', reason: 'Unpaid invoices' } }),
  })
  .meta({ id: 'AuditRecord', description: 'An entry of the audit trail.' })
export type AuditRecord = z.infer<typeof AuditRecord>

/** An entry of the audit trail as the operator sees it. */
export const OperatorAuditRecord = AuditRecord.extend({
  actorDeveloperId: z
    .uuid()
    .nullable()
    .describe('The developer for whom a user did it in the developer console, or null.')
    .meta({ example: null }),
  address: z
    .string()
    .nullable()
    .describe('Network address that the request came from.')
    .meta({ example: '192.0.2.17' }),
  developerId: z.uuid().nullable().describe('The developer that may read the entry.'),
  partyId: z.int().nullable().describe('The party that may read the entry.').meta({ example: 3 }),
}).meta({
  id: 'OperatorAuditRecord',
  description: 'An entry of the audit trail as operators see it.',
})
export type OperatorAuditRecord = z.infer<typeof OperatorAuditRecord>

/**
 * How often something was done in the hour of a counted entry, such as opening an app, which changes
 * nothing; undefined for an entry of one action.
 */
export function timesInHour({ after }: Pick<AuditRecord, 'after'>): number | undefined {
  const { count, lastAt } = after ?? {}
  return typeof count === 'number' && lastAt !== undefined ? count : undefined
}

/** Which side reads an entry. */
export type AuditReader = 'developer' | 'party'

/**
 * The kinds of actors that each side knows by id; ids of other actors are shown to operators only.
 */
const KNOWN_ACTORS: Readonly<Record<AuditReader, ReadonlySet<string>>> = {
  developer: new Set(['developer', 'installation', 'system']),
  party: new Set(['user', 'installation', 'system']),
}

/** A person of a developer is known by id to the developer, and is the developer to an account. */
function actorFor(
  reader: AuditReader,
  { kind, id }: AuditRecord['actor'],
  developerId: string | null,
): AuditRecord['actor'] {
  if (developerId !== null) {
    return reader === 'developer' ? { kind, id } : { kind: 'developer', id: null }
  }
  return { kind, id: KNOWN_ACTORS[reader].has(kind) ? id : null }
}

/**
 * Leaves out of an entry what one side may not see: network addresses, ids of the other side's
 * people and, for the party, keys of admin settings, which concern the developer and the platform.
 */
export function recordFor(
  reader: AuditReader,
  {
    address: _address,
    developerId: _developer,
    partyId: _party,
    actorDeveloperId,
    ...record
  }: OperatorAuditRecord,
): AuditRecord {
  const actor = actorFor(reader, record.actor, actorDeveloperId)
  return { ...record, actor, after: reader === 'party' ? forParty(record.after) : record.after }
}

function forParty(after: OperatorAuditRecord['after']): OperatorAuditRecord['after'] {
  if (after === null) return null
  if (after.scope === 'admin') return { scope: 'admin' }
  const { droppedAdmin: _admins, ...rest } = after
  return rest
}
