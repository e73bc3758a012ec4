import { isDeepStrictEqual } from 'node:util'
import { type Db, inTransaction } from '../../base/database/transaction.ts'
import { nextTick } from '../../base/fair-share/next-tick.ts'
import type { DeveloperAuthor } from '../../base/values/actor.ts'
import { type ExpectedRevisions, isExpected } from '../../base/values/etags.ts'
import { byDisplayOrder } from '../../base/values/text.ts'
import type { Deps } from '../../deps.ts'
import { AppError, type FieldError } from '../../errors.ts'
import { recordAudit } from '../../identity/audit/record-audit-service.ts'
import type { DefinitionChanges } from './app-record.ts'
import type { AppDefinition } from './definition.ts'
import { missingForListing } from './missing-for-listing.ts'
import {
  ID_TAKEN,
  isNameTaken,
  NAME_TAKEN,
  nameOrIdInUse,
  refusingNamesInUse,
  requireFreeName,
} from './names-in-use-service.ts'
import { findApp, type Published, publishedOf, type StoredApp } from './read-apps-service.ts'
import { amendVersion, insertApp, insertVersion, updateApp } from './store-definition-service.ts'
import { definitionOf } from './stored-definition.ts'
import { auditedChanges } from './versions/audited-changes.ts'
import type { Change } from './versions/change-kinds.ts'
import { compareDefinitions, isBreaking } from './versions/compare-definitions.ts'
import { keepInstalledWords } from './versions/installed-words-service.ts'

type AppDeps = Pick<Deps, 'db'>

/**
 * Publishes a new app with its first version; it is not listed yet.
 *
 * @throws AppError already_exists when the id was ever in use or the name is in use
 */
export async function createApp(
  { db }: AppDeps,
  { developerId, actor }: DeveloperAuthor,
  definition: AppDefinition,
): Promise<Published> {
  return refusingNamesInUse(db, definition, () =>
    inTransaction(db, async (tx) => {
      await insertApp(tx, { developerId, definition })
      await recordAudit(tx, {
        actor,
        action: 'app.created',
        subject: { kind: 'app', id: definition.id },
        developerId,
        after: { name: definition.name, version: definition.version },
      })
      return publishedOf(tx, await findApp(tx, definition.id, { developerId }))
    }),
  )
}

/**
 * Checks whether an app could be created now, and creates nothing.
 *
 * @returns an empty list of changes: there is no earlier definition
 * @throws AppError already_exists
 */
export async function previewCreation(
  { db }: AppDeps,
  definition: AppDefinition,
): Promise<DefinitionChanges> {
  const errors: FieldError[] = []
  if ((await db.app.count({ where: { id: definition.id } })) > 0) errors.push(ID_TAKEN)
  if (await isNameTaken(db, definition.name)) errors.push(NAME_TAKEN)
  if (errors.length > 0) throw nameOrIdInUse(errors)
  return { changes: [], breaking: false }
}

/**
 * Replaces the definition of an app. With an unchanged version string only changes that are not
 * breaking are taken; with a new one a new version is published, which new installations get from
 * then on.
 *
 * @param expectedRevisions those that the caller means, if it sent any
 * @throws AppError version_required, version_used, already_exists (the name), precondition_failed,
 *   unprocessable, not_found
 */
export async function replaceApp(
  { db }: AppDeps,
  { developerId, actor }: DeveloperAuthor,
  definition: AppDefinition,
  expectedRevisions?: ExpectedRevisions,
): Promise<Published> {
  return refusingNamesInUse(db, definition, () =>
    inTransaction(db, async (tx) => {
      const stored = await lockApp(tx, developerId, definition.id, expectedRevisions)
      const plan = await planPublication(tx, stored, definition, { isPreview: false })
      const { changes } = plan
      await storeVersion(tx, stored, definition, plan)
      if (changes.length === 0 && isWrittenAlike(stored.definition, definition)) {
        return publishedOf(tx, stored)
      }
      await updateApp(tx, definition)
      await recordAudit(tx, {
        actor,
        action: definition.version === stored.definition.version ? 'app.changed' : 'app.published',
        subject: { kind: 'app', id: definition.id },
        developerId,
        before: { version: stored.definition.version },
        after: { version: definition.version, ...auditedChanges(changes) },
      })
      return publishedOf(tx, await findApp(tx, definition.id, { developerId }))
    }),
  )
}

/**
 * What `replaceApp` would change, without changing anything.
 *
 * @throws AppError version_used, already_exists (the name), precondition_failed, unprocessable,
 *   not_found; breaking changes are part of the answer
 */
export async function previewChanges(
  { db }: AppDeps,
  { developerId }: Pick<DeveloperAuthor, 'developerId'>,
  definition: AppDefinition,
  expectedRevisions?: ExpectedRevisions,
): Promise<DefinitionChanges> {
  const stored = await findApp(db, definition.id, { developerId })
  requireRevision(stored, expectedRevisions)
  const { changes } = await planPublication(db, stored, definition, { isPreview: true })
  return { changes, breaking: isBreaking(changes) }
}

/** The changes that a definition makes, and the version that comes back with it, if one does. */
type Publication = { changes: Change[]; former: FormerVersion | null }

/**
 * What publishing a definition would do; `replaceApp` and `previewChanges` share these checks.
 *
 * @throws AppError already_exists (the name), version_used, unprocessable when a listed app would
 *   not be complete; version_required when breaking changes keep the version string, but for a
 *   preview
 */
async function planPublication(
  db: Db,
  stored: StoredApp,
  definition: AppDefinition,
  { isPreview }: { isPreview: boolean },
): Promise<Publication> {
  await requireFreeName(db, definition)
  const former = await findFormerVersion(db, stored, definition)
  await nextTick()
  const keepsVersion = definition.version === stored.definition.version
  const between = changesBetween(stored, definition, former)
  const changes = keepsVersion ? await keepInstalledWords(db, definition, between) : between
  await nextTick()
  if (!isPreview && keepsVersion && isBreaking(changes)) throw versionRequired(definition, changes)
  if (stored.facts.visibility !== 'draft') requireComplete(definition)
  return { changes, former }
}

function versionRequired({ version }: AppDefinition, changes: readonly Change[]): AppError {
  return new AppError('version_required', {
    detail: `These changes break installations of version ${version}. Choose a new version number to publish these changes.`,
    members: { changes: changes.filter(({ breaking }) => breaking), breaking: true },
  })
}

/** Writes the version; the caller writes what belongs to the app. */
async function storeVersion(
  tx: Db,
  stored: StoredApp,
  definition: AppDefinition,
  { changes, former }: Publication,
): Promise<void> {
  if (definition.version === stored.definition.version) {
    if (changes.length > 0 || !isWrittenAlike(stored.definition, definition)) {
      await amendVersion(tx, definition)
    }
    return
  }
  if (former !== null) await amendVersion(tx, definition)
  else {
    const termsSha256 = stored.facts.termsDocument?.sha256 ?? null
    await insertVersion(tx, definition, { termsSha256 })
  }
}

/** Whether two definitions without a difference also display their entries in the same order. */
function isWrittenAlike(one: AppDefinition, other: AppDefinition): boolean {
  const [left, right] = [one, other].map((definition) => [
    definition.partyTypes,
    definition.permissions.map(({ id }) => id),
    Object.entries(definition.settings).map(([id, profile]) => [id, Object.keys(profile)]),
    definition.purchaseOptions.toSorted(byDisplayOrder).map(({ id }) => id),
    definition.acknowledgements.toSorted(byDisplayOrder).map(({ id }) => id),
  ])
  return isDeepStrictEqual(left, right)
}

/**
 * A new version takes over the terms of the latest one; a version that comes back has its own
 * terms.
 */
function changesBetween(
  { definition, facts }: StoredApp,
  after: AppDefinition,
  former: FormerVersion | null,
): Change[] {
  const terms = facts.termsDocument?.sha256 ?? null
  return compareDefinitions(definition, after, {
    before: terms,
    after: former === null ? terms : former.termsSha256,
  })
}

type FormerVersion = { termsSha256: string | null }

/**
 * The version that had this version string before the latest one. It may come back with
 * the definition that it had, and with changes that break no installation of it.
 *
 * @throws AppError version_used when the definition would break installations of it
 */
async function findFormerVersion(
  db: Db,
  stored: StoredApp,
  definition: AppDefinition,
): Promise<FormerVersion | null> {
  const { id: appId, version } = definition
  if (version === stored.definition.version) return null
  const former = await db.appVersion.findUnique({
    where: { appId_version: { appId, version } },
    include: { purchaseOptions: true },
  })
  if (former === null) return null
  await nextTick()
  const before = definitionOf({ app: stored.definition, version: former })
  const changes = await keepInstalledWords(
    db,
    definition,
    compareDefinitions({ ...before, partyTypes: definition.partyTypes }, definition),
  )
  if (!isBreaking(changes)) return former
  throw new AppError('version_used', {
    detail: `Version ${version} was published with another definition. Choose a new version number.`,
    errors: [{ pointer: '/version', detail: 'It was used with another definition.' }],
    members: { changes: changes.filter(({ breaking }) => breaking), breaking: true },
  })
}

/**
 * Locks the app's row, so that changes of one app follow each other, and reads it.
 *
 * @param expectedRevisions those that the caller means, if it sent any
 * @throws AppError not_found, precondition_failed
 */
export async function lockApp(
  tx: Db,
  developerId: string,
  id: string,
  expectedRevisions?: ExpectedRevisions,
): Promise<StoredApp> {
  await tx.$queryRaw`SELECT 1 FROM apps WHERE id = ${id} FOR NO KEY UPDATE`
  const stored = await findApp(tx, id, { developerId })
  requireRevision(stored, expectedRevisions)
  return stored
}

function requireRevision({ revision }: StoredApp, expected: ExpectedRevisions): void {
  if (isExpected(expected, revision)) return
  throw new AppError('precondition_failed', { detail: 'Read the app again and retry.' })
}

/** @throws AppError unprocessable naming all that an app needs that others find, and this one lacks */
export function requireComplete(definition: AppDefinition): void {
  const errors = missingForListing(definition)
  if (errors.length === 0) return
  throw new AppError('unprocessable', {
    detail: 'An app that others find must be complete. `errors` names what it lacks.',
    errors,
  })
}
