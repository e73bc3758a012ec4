import type { ClientBase } from 'pg'
import { Prisma } from '../../base/database/generated/client.ts'
import type { Db } from '../../base/database/transaction.ts'
import type { Actor } from '../../base/values/actor.ts'
import { kindOf, type NotificationKind } from './kinds.ts'

/** Something that happened: an entry of the audit trail, or what the trail has no entry for. */
type Happening = {
  actor: Actor
  /** Of the audit trail, `import.refused` or `webhook.failing`. */
  action: string
  subject: { kind: string; id: string | number }
  developerId?: string | undefined
  partyId?: number | undefined
  before?: Prisma.InputJsonObject | undefined
  after?: Prisma.InputJsonObject | undefined
}

/** People who are told, as rows `user_id, party_id, developer_id, app_id, subject_id`. */
type Recipients = Prisma.Sql

type Telling = {
  kind: NotificationKind
  to(happening: Happening): Recipients
  /** Kept with the notification: ids and words, no names. */
  data?(happening: Happening): Readonly<Record<string, string>>
  /** Nobody is told otherwise. */
  when?(happening: Happening): boolean
}

const admins: Telling['to'] = (happening) => Prisma.sql`
  SELECT m.user_id, m.party_id, NULL::uuid AS developer_id, ${appOf(happening)} AS app_id,
    ${subjectOf(happening)} AS subject_id
  FROM memberships m WHERE m.party_id = ${happening.partyId ?? null}::int AND m.role = 'admin'`

/** The admins of accounts that have an app installed, each for their own installation. */
const adminsWhoInstalled = (which: (happening: Happening) => Prisma.Sql): Telling['to'] => {
  return (happening) => Prisma.sql`
    SELECT m.user_id, m.party_id, NULL::uuid AS developer_id, i.app_id, i.id::text AS subject_id
    FROM installations i JOIN memberships m ON m.party_id = i.party_id AND m.role = 'admin'
    WHERE i.live AND i.party_type <> 'None' AND ${which(happening)}`
}
const ofApp = ({ subject }: Happening) => Prisma.sql`i.app_id = ${String(subject.id)}`
const ofDeveloper = ({ subject }: Happening) =>
  Prisma.sql`i.developer_id = ${String(subject.id)}::uuid`
const olderThan = (happening: Happening) => Prisma.sql`
  ${ofApp(happening)} AND i.installed_version <> ${String(happening.after?.version)}
  AND EXISTS (SELECT 1 FROM apps a WHERE a.id = i.app_id AND a.visibility <> 'draft')`

const requester: Telling['to'] = (happening) => Prisma.sql`
  SELECT ${String(happening.after?.userId)}::uuid AS user_id,
    ${happening.partyId ?? null}::int AS party_id, NULL::uuid AS developer_id,
    ${appOf(happening)} AS app_id, ${subjectOf(happening)} AS subject_id`

const people: Telling['to'] = (happening) => Prisma.sql`
  SELECT m.user_id, ${happening.partyId ?? null}::int AS party_id, m.developer_id,
    ${appOf(happening)} AS app_id, ${subjectOf(happening)} AS subject_id
  FROM developer_members m WHERE m.developer_id = ${happening.developerId ?? null}::uuid`

/** Not of what a developer does in its sandbox. */
const peopleOfSale: Telling['to'] = (happening) => Prisma.sql`
  ${people(happening)} AND NOT EXISTS (
    SELECT 1 FROM developers d
    WHERE d.id = m.developer_id AND d.sandbox_party_id = ${happening.partyId ?? null}::int)`

const operators: Telling['to'] = (happening) => {
  const { kind, id } = happening.subject
  const [party, developer] = [kind === 'party' ? id : null, kind === 'developer' ? id : null]
  return Prisma.sql`
    SELECT o.id AS user_id, ${party}::int AS party_id, ${developer}::uuid AS developer_id,
      ${appOf(happening)} AS app_id, ${subjectOf(happening)} AS subject_id
    FROM users o WHERE o.operator`
}

const cause = (word: string) => () => ({ cause: word })
const record = ({ subject: { kind, id } }: Happening) => ({
  record: kind,
  ...(kind === 'user' && { userId: String(id) }),
})
const operatorsOnSuspension: Telling = { kind: 'record_suspended', to: operators, data: record }
const operatorsOnResumption: Telling = { kind: 'record_resumed', to: operators, data: record }

/** What happens -> who is told of it. */
const TELLINGS: Readonly<Record<string, readonly Telling[]>> = {
  'install_request.created': [
    {
      kind: 'request_waiting',
      to: admins,
      data: ({ actor }) => ({ userId: String(actor.id) }),
    },
  ],
  'install_request.accepted': [{ kind: 'request_accepted', to: requester }],
  'install_request.declined': [{ kind: 'request_declined', to: requester }],
  'app.published': [{ kind: 'update_available', to: adminsWhoInstalled(olderThan) }],
  'membership.created': [
    {
      kind: 'member_joined',
      to: admins,
      data: ({ after }) => ({ userId: String(after?.userId) }),
    },
  ],
  'products.imported': [
    {
      kind: 'import_problems',
      to: admins,
      when: ({ actor, after }) => actor.kind === 'installation' && Number(after?.rowsRefused) > 0,
    },
  ],
  'import.refused': [
    { kind: 'import_problems', to: admins, when: ({ actor }) => actor.kind === 'installation' },
  ],
  'installation.created': [{ kind: 'app_installed', to: peopleOfSale }],
  'installation.uninstalled': [{ kind: 'app_uninstalled', to: peopleOfSale }],
  'installation.suspended': [{ kind: 'installation_suspended', to: admins }],
  'installation.resumed': [
    {
      kind: 'installation_resumed',
      to: admins,
      when: ({ after }) => after?.status === 'active',
    },
  ],
  'party.suspended': [
    { kind: 'installation_suspended', to: admins, data: cause('account') },
    operatorsOnSuspension,
  ],
  'party.resumed': [
    { kind: 'installation_resumed', to: admins, data: cause('account') },
    operatorsOnResumption,
  ],
  'app.suspended': [
    { kind: 'installation_suspended', to: adminsWhoInstalled(ofApp), data: cause('app') },
    { kind: 'app_suspended', to: people },
    operatorsOnSuspension,
  ],
  'app.resumed': [
    { kind: 'installation_resumed', to: adminsWhoInstalled(ofApp), data: cause('app') },
    { kind: 'app_resumed', to: people },
    operatorsOnResumption,
  ],
  'developer.suspended': [
    {
      kind: 'installation_suspended',
      to: adminsWhoInstalled(ofDeveloper),
      data: cause('developer'),
    },
    { kind: 'app_suspended', to: people, data: cause('developer') },
    operatorsOnSuspension,
  ],
  'developer.resumed': [
    { kind: 'installation_resumed', to: adminsWhoInstalled(ofDeveloper), data: cause('developer') },
    { kind: 'app_resumed', to: people, data: cause('developer') },
    operatorsOnResumption,
  ],
  'user.suspended': [operatorsOnSuspension],
  'user.resumed': [operatorsOnResumption],
  'app.listed': [{ kind: 'app_listed', to: people }],
  'app.unlisted': [{ kind: 'app_unlisted', to: people }],
  'webhook.failing': [{ kind: 'endpoint_failing', to: people }],
  'webhook.disabled': [
    {
      kind: 'endpoint_disabled',
      to: people,
      when: ({ after }) => after?.reason !== 'developer',
      data: ({ after }) => ({ reason: String(after?.reason) }),
    },
  ],
  'secret.reported': [{ kind: 'secret_reported', to: people }],
}

/** What happens -> the kind of notification that nobody has to read any more. */
const SETTLED: Readonly<Record<string, NotificationKind>> = {
  'install_request.accepted': 'request_waiting',
  'install_request.declined': 'request_waiting',
  'install_request.withdrawn': 'request_waiting',
  'installation.upgraded': 'update_available',
  'installation.uninstalled': 'update_available',
}

/**
 * Tells those whom it concerns, but for who did it. Called in the transaction of the change.
 *
 * @param db the transaction; the database itself where nothing else is written
 */
export async function tell(db: Db, happening: Happening): Promise<void> {
  for (const statement of statementsFor(happening)) await db.$executeRaw(statement)
}

/** Tells in a transaction of hand-written SQL. */
export async function tellSql(client: ClientBase, happening: Happening): Promise<void> {
  for (const { text, values } of statementsFor(happening)) await client.query(text, values)
}

function statementsFor(happening: Happening): Prisma.Sql[] {
  const tellings = isOtherReason(happening) ? [] : (TELLINGS[happening.action] ?? [])
  const told = tellings
    .filter(({ when = () => true }) => when(happening))
    .map((telling) => insertOf(telling, happening))
  const settled = SETTLED[happening.action]
  return settled === undefined ? told : [...told, settle(settled, happening)]
}

/** Whether something suspended gets another reason alone. */
function isOtherReason({ before, after }: Happening): boolean {
  return (
    (before?.suspended === true && after?.suspended === true) ||
    (before?.status === 'suspended' && after?.status === 'suspended')
  )
}

/** Nobody hears of what they did themselves, nor of themselves, nor who cannot sign in. */
function insertOf({ kind, to, data }: Telling, happening: Happening): Prisma.Sql {
  const { once, mail } = kindOf(kind)
  const kept = data?.(happening) ?? {}
  const told = [happening.actor.id ?? '', kept.userId ?? '']
  const unlessThere = Prisma.sql`AND NOT EXISTS (
    SELECT 1 FROM notifications n WHERE n.user_id = u.id AND n.read_at IS NULL
      AND n.kind = ${kind} AND n.subject_id = r.subject_id)`
  return Prisma.sql`
    INSERT INTO notifications
      (user_id, kind, party_id, developer_id, app_id, subject_id, data, to_mail)
    SELECT u.id, ${kind}::text, r.party_id, r.developer_id, r.app_id, r.subject_id,
      ${JSON.stringify(kept)}::jsonb,
      coalesce((u.notification_mails ->> ${kind}::text)::boolean, ${mail}::boolean)
    FROM (${to(happening)}) AS r
    JOIN users u ON u.id = r.user_id AND u.suspended_at IS NULL
    WHERE u.id::text <> ALL (${told}::text[]) ${once ? unlessThere : Prisma.empty}`
}

/** What somebody marks as read at this moment is left to them. */
function settle(kind: NotificationKind, happening: Happening): Prisma.Sql {
  return Prisma.sql`
    UPDATE notifications SET read_at = now(), to_mail = false WHERE id IN (
      SELECT n.id FROM memberships m
      JOIN notifications n ON n.user_id = m.user_id AND n.read_at IS NULL
        AND n.kind = ${kind} AND n.subject_id = ${subjectOf(happening)}
      WHERE m.party_id = ${happening.partyId ?? null}::int
      FOR UPDATE OF n SKIP LOCKED)`
}

/** An import is known by the installation that made it. */
function subjectOf({ actor, subject }: Happening): Prisma.Sql {
  const id = subject.kind === 'product_import' ? actor.id : subject.id
  return Prisma.sql`${String(id).toLowerCase()}::text`
}

function appOf({ actor, subject, after }: Happening): Prisma.Sql {
  if (subject.kind === 'app') return Prisma.sql`${String(subject.id)}::text`
  const installation =
    subject.kind === 'installation' ? String(subject.id) : actor.kind === 'installation' && actor.id
  if (installation) {
    return Prisma.sql`(SELECT app_id FROM installations WHERE id = ${installation}::uuid)`
  }
  const appId = after?.appId
  return Prisma.sql`${typeof appId === 'string' ? appId : null}::text`
}
