import { type Db, inTransaction } from '../../../base/database/transaction.ts'
import type { DeveloperAuthor } from '../../../base/values/actor.ts'
import type { ExpectedRevisions } from '../../../base/values/etags.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors.ts'
import { holdOpenDeveloper } from '../../../identity/accounts/developers-service.ts'
import { recordAudit } from '../../../identity/audit/record-audit-service.ts'
import { recordAppEvent } from '../../events/record-event-service.ts'
import { lockApp, requireComplete } from '../publish-service.ts'
import { findApp, type Published, publishedOf, type StoredApp } from '../read-apps-service.ts'
import { type AppVisibility, Visibility, type VisibilityRequest } from './visibility.ts'

type AppDeps = Pick<Deps, 'db'>

/**
 * Shows an app in the public catalogue, or takes it out: then everybody still finds it who has its
 * address. Installations do not change. Repeating the call changes nothing.
 *
 * @param expectedRevisions those that the caller means, if it sent any
 * @throws AppError unprocessable naming all that an incomplete app lacks, not_found,
 *   precondition_failed; conflict when the developer is closed meanwhile
 */
export async function setListed(
  { db }: AppDeps,
  author: DeveloperAuthor,
  id: string,
  listed: boolean,
  expectedRevisions?: ExpectedRevisions,
): Promise<Published> {
  return inTransaction(db, async (tx) => {
    const stored = await lockApp(tx, author.developerId, id, expectedRevisions)
    if (!listed && !stored.facts.listed) return publishedOf(tx, stored)
    await change(tx, author, stored, listed ? 'listed' : 'unlisted')
    return publishedOf(tx, await findApp(tx, id, { developerId: author.developerId }))
  })
}

/** Who finds an app, and the revision that its ETag is made of. */
type Shown = { shown: AppVisibility; revision: number }

/**
 * Who finds one of the developer's own apps.
 *
 * @throws AppError not_found
 */
export async function readVisibility(
  { db }: AppDeps,
  developerId: string,
  id: string,
): Promise<Shown> {
  const app = await db.app.findFirst({
    where: { id, developerId, deletedAt: null },
    select: {
      visibility: true,
      listed: true,
      revision: true,
      audience: { where: { linkId: null }, select: { partyId: true }, orderBy: { partyId: 'asc' } },
    },
  })
  if (app === null) throw new AppError('not_found')
  const { revision, listed, audience } = app
  const visibility = app.visibility as Visibility
  return { shown: { visibility, listed, partyIds: audience.map((one) => one.partyId) }, revision }
}

/**
 * Changes who finds an app. Whoever has it installed keeps it.
 *
 * @param expectedRevisions those that the caller means, if it sent any
 * @throws AppError unprocessable for accounts that there are not, and naming all that an app lacks
 *   that more are to find; not_found, precondition_failed, conflict
 */
export async function setVisibility(
  { db }: AppDeps,
  author: DeveloperAuthor,
  id: string,
  { visibility, partyIds }: VisibilityRequest,
  expectedRevisions?: ExpectedRevisions,
): Promise<Shown> {
  return inTransaction(db, async (tx) => {
    const stored = await lockApp(tx, author.developerId, id, expectedRevisions)
    const renamed = partyIds !== undefined && (await nameParties(tx, id, partyIds))
    await change(tx, author, stored, visibility, renamed)
    return readVisibility({ db: tx }, author.developerId, id)
  })
}

/** Whether fewer find an app: that is possible whatever it lacks by now. */
function isNarrower(visibility: Visibility, before: Visibility): boolean {
  const { options } = Visibility
  return options.indexOf(visibility) < options.indexOf(before)
}

/** Notes a change of who finds an app, if there is one. */
async function change(
  tx: Db,
  { developerId, actor }: DeveloperAuthor,
  { definition, facts }: StoredApp,
  visibility: Visibility,
  isOtherAudience = false,
): Promise<void> {
  const { id } = definition
  if (visibility !== 'draft' && !isNarrower(visibility, facts.visibility)) {
    await holdOpenDeveloper(tx, developerId)
    requireComplete(definition)
  }
  if (facts.visibility === visibility && !isOtherAudience) return
  await tx.app.update({ where: { id }, data: { visibility, revision: { increment: 1 } } })
  const listed = visibility === 'listed'
  const event = facts.listed === listed ? undefined : listed ? 'app.listed' : 'app.unlisted'
  await recordAudit(tx, {
    actor,
    action: event ?? 'app.visibility_changed',
    subject: { kind: 'app', id },
    developerId,
    before: { visibility: facts.visibility },
    after: { visibility },
  })
  if (event !== undefined) await recordAppEvent(tx, event, { appId: id, developerId })
}

/**
 * Replaces the accounts that a developer has named for an app.
 *
 * @returns whether they are other ones now
 */
async function nameParties(tx: Db, appId: string, partyIds: readonly number[]): Promise<boolean> {
  const wanted = new Set(partyIds)
  const known = await tx.party.findMany({
    where: { id: { in: [...wanted] }, type: { not: 'None' }, closedAt: null },
    select: { id: true },
  })
  const there = new Set(known.map(({ id }) => id))
  const errors = partyIds.flatMap((partyId, index) =>
    there.has(partyId)
      ? []
      : [{ pointer: `/partyIds/${index}`, detail: 'There is no such account.' }],
  )
  if (errors.length > 0) {
    throw new AppError('unprocessable', { detail: 'Accounts that there are not.', errors })
  }
  const gone = await tx.appAudience.deleteMany({
    where: { appId, linkId: null, partyId: { notIn: [...wanted] } },
  })
  const added = await tx.$executeRaw`
    INSERT INTO app_audience (app_id, party_id) SELECT ${appId}, unnest(${[...wanted]}::int[])
    ON CONFLICT (app_id, party_id) DO UPDATE SET link_id = NULL
    WHERE app_audience.link_id IS NOT NULL`
  return gone.count + added > 0
}
