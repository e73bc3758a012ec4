import { z } from 'zod'
import { MomentText, positiveInteger, UuidText } from '../../base/values/shapes.ts'
import { displayProblem } from '../../base/values/text.ts'
import type { App } from '../../http/app-type.ts'
import { sendStreamedFile } from '../../http/bodies/streamed-file.ts'
import { answerPage } from '../../http/paged-list.ts'
import { PageQuery } from '../../http/pagination.ts'
import { checkAgain, developerOf, userOf } from '../guards/audience.ts'
import { exportAudit } from './audit-export-service.ts'
import { AUDIT_FILES } from './audit-file.ts'
import { ACTOR_KINDS, AuditRecord, OperatorAuditRecord } from './audit-record.ts'
import { listAccountAudit, listAudit, listDeveloperAudit } from './audit-trail-service.ts'

const tags = ['Audit']

const name = (parameter: string, description: string, example: string) =>
  z.string().max(200).optional().describe(description).meta({ example, parameter })

const Filters = {
  actorKind: z
    .enum(ACTOR_KINDS)
    .optional()
    .describe('Only by actors of this kind.')
    .meta({ parameter: 'AuditActorKind' }),
  action: name('AuditAction', 'Only this action.', 'installation.suspended'),
  subjectKind: name('AuditSubjectKind', 'Only on things of this kind.', 'installation'),
  subjectId: name('AuditSubjectId', 'Only on the thing with this id.', 'price-sync'),
  since: MomentText.optional()
    .describe('Only from this moment on.')
    .meta({ example: '2026-11-21T00:00:00Z', parameter: 'AuditSince' }),
  until: MomentText.optional()
    .describe('Only before this moment.')
    .meta({ example: '2026-11-22T00:00:00Z', parameter: 'AuditUntil' }),
}

const PartyFilter = positiveInteger().optional().meta({ example: 3 })

const OperatorFilters = {
  ...Filters,
  actorId: name('AuditActorId', 'Only by this actor.', 'acme-tools'),
  developerId: UuidText.optional()
    .describe('Only what this developer may see.')
    .meta({ parameter: 'AuditDeveloperId' }),
  partyId: PartyFilter.describe('Only what this party may see.').meta({
    parameter: 'AuditPartyId',
  }),
  q: z
    .string()
    .min(1)
    .max(200)
    .refine((text) => displayProblem(text, 'line') === null, 'must be one line')
    .optional()
    .describe(
      'Only what is about or by somebody or something with this text in the name or email, or ' +
        'with this id, and actions with these words.',
    )
    .meta({ example: 'price sync', parameter: 'AuditSearch' }),
}

const ORDER =
  'Newest first. Entries are never deleted or changed; only `after.count`, of what happens often, ' +
  'rises within the hour.'

/** The whole trail, for operators. */
export async function operatorAuditRoutes(app: App) {
  app.get(
    '/v1/Operator/Audit',
    {
      schema: {
        operationId: 'listAuditEntries',
        tags,
        summary: 'See who did what',
        description: ORDER,
        querystring: z.strictObject({ ...OperatorFilters, ...PageQuery }),
        response: { 200: z.array(OperatorAuditRecord) },
      },
    },
    (request, reply) =>
      answerPage(request, reply, ['audit'], (page) => listAudit(app.deps, request.query, page)),
  )

  app.get(
    '/v1/Operator/Audit/Export',
    {
      schema: {
        operationId: 'exportAuditEntries',
        tags,
        summary: 'Export who did what as a file',
        description:
          `${ORDER} One JSON text per line, or CSV, in which what a spreadsheet would take for ` +
          'a formula has an apostrophe in front. The file is sent while it is read: a failure ' +
          'after its first entries cuts the connection off. Then discard the file.',
        querystring: z.strictObject({
          ...OperatorFilters,
          format: z.enum(['csv', 'ndjson']).default('ndjson').describe('Of the file.'),
        }),
        produces: ['application/x-ndjson', 'text/csv'],
        lineExamples: EXPORT_EXAMPLES,
        answerHeaders: ['Content-Disposition'],
        response: { 200: z.array(OperatorAuditRecord) },
      },
    },
    async (request, reply) => {
      const { format, ...filters } = request.query
      return sendStreamedFile(reply, {
        ...AUDIT_FILES[format],
        userId: userOf(request).userId,
        open: () => exportAudit(app.deps, filters, format, () => checkAgain(request)),
      })
    },
  )
}

const EXPORT_EXAMPLES = {
  'application/x-ndjson':
    '{"id":4711,"at":"2026-11-21T09:30:00.000Z","actor":{"kind":"system","id":null},' +
    '"action":"party.resumed","subject":{"kind":"party","id":"3"},"before":null,' +
    '"after":null,"actorDeveloperId":null,"address":null,"developerId":null,"partyId":3}\n',
  'text/csv':
    'id,at,actorKind,actorId,address,action,subjectKind,subjectId,developerId,partyId,before,after' +
    '\r\n4711,2026-11-21T09:30:00.000Z,system,,,party.resumed,party,3,,3,,\r\n',
}

/** What happened to a developer's own things. */
export async function developerAuditRoutes(app: App) {
  app.get(
    '/v1/Developer/Audit',
    {
      schema: {
        operationId: 'listDeveloperAuditEntries',
        tags,
        summary: 'See what happened to your apps, installations and credentials',
        description: `${ORDER} People of the accounts and of the operator are named by kind only.`,
        querystring: z.strictObject({ ...Filters, ...PageQuery }),
        response: { 200: z.array(AuditRecord) },
      },
    },
    (request, reply) => {
      const { developerId } = developerOf(request)
      return answerPage(request, reply, ['developer audit', developerId], (page) =>
        listDeveloperAudit(app.deps, developerId, request.query, page),
      )
    },
  )
}

/** What happened to the things of a user's parties. */
export async function accountAuditRoutes(app: App) {
  app.get(
    '/v1/Account/Audit',
    {
      schema: {
        operationId: 'listAccountAuditEntries',
        tags,
        summary: 'See what happened to your accounts and their installations',
        description:
          `${ORDER} Developers and the operator are named by kind only. Where you are no admin, ` +
          'without invitations, memberships and install requests of others. Without `partyId` also ' +
          'the secrets of yours that were reported and have ended (`secret.reported`).',
        querystring: z.strictObject({
          partyId: PartyFilter.describe('Only of this one of your accounts.'),
          ...Filters,
          ...PageQuery,
        }),
        response: { 200: z.array(AuditRecord) },
      },
    },
    (request, reply) => {
      const { userId } = userOf(request)
      return answerPage(request, reply, ['account audit', userId], (page) =>
        listAccountAudit(app.deps, userId, request.query, page),
      )
    },
  )
}
