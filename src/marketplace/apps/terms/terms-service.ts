import { type Db, inTransaction } from '../../../base/database/transaction.ts'
import { nextTick } from '../../../base/fair-share/next-tick.ts'
import type { DeveloperAuthor } from '../../../base/values/actor.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors.ts'
import { recordAudit } from '../../../identity/audit/record-audit-service.ts'
import type { TermsDocument } from '../app-record.ts'
import type { AppDefinition } from '../definition.ts'
import { lockApp } from '../publish-service.ts'
import type { StoredApp } from '../read-apps-service.ts'
import { insertVersion, updateApp } from '../store-definition-service.ts'
import { compareDefinitions } from '../versions/compare-definitions.ts'
import { checkTerms, type TermsMediaType, termsSlices } from './terms.ts'

export type TermsUpload = {
  appId: string
  mediaType: TermsMediaType
  content: Uint8Array
  /** Publishes the document with a new version that is otherwise the same as the latest. */
  version?: string | undefined
  /** SHA-256 of the documents that the caller means, if it sent any; `''`: none, `*`: any. */
  expected?: readonly string[] | '*' | undefined
}

/**
 * Attaches a terms document to the latest version. A version that was ever installed keeps its
 * terms, so the document then needs a new version.
 *
 * @throws AppError unprocessable when the content is not of its media type, version_required,
 *   version_used, not_found, precondition_failed
 */
export async function putTerms(
  { db }: Pick<Deps, 'db'>,
  { developerId, actor }: DeveloperAuthor,
  { appId, mediaType, content, version, expected }: TermsUpload,
): Promise<TermsDocument> {
  const sha256 = await termsSha256(content, mediaType)
  const document = { sha256, mediaType, size: content.length }

  return inTransaction(db, async (tx) => {
    const stored = await lockApp(tx, developerId, appId)
    const current = stored.facts.termsDocument
    requireTerms(current, expected)
    const isLatest = version === undefined || version === stored.definition.version
    const isSame = current?.sha256 === sha256
    if (isLatest && isSame && current.mediaType === mediaType) return current
    await writeTerms(tx, { appId, ...document }, content)
    if (isLatest && isSame) await updateApp(tx, stored.definition)
    else await changeTerms(tx, stored, sha256, version)
    await recordAudit(tx, {
      actor,
      action: 'app.terms_changed',
      subject: { kind: 'app', id: appId },
      developerId,
      before: { sha256: current?.sha256 ?? null, mediaType: current?.mediaType ?? null },
      after: { sha256, mediaType, version: version ?? stored.definition.version },
    })
    return document
  })
}

/**
 * Checks a document in ticks of the event loop.
 *
 * @returns its hex SHA-256
 * @throws AppError unprocessable
 */
export async function termsSha256(content: Uint8Array, mediaType: TermsMediaType): Promise<string> {
  const check = checkTerms(content, mediaType)
  let step = check.next()
  while (!step.done) {
    await nextTick()
    step = check.next()
  }
  const { value } = step
  if (value.problem !== undefined) throw new AppError('unprocessable', { detail: value.problem })
  return value.sha256
}

/**
 * Stores a document, a slice a tick. Through a model, Prisma takes three times as long for the
 * content, and reads it back. The same bytes may come under another media type: accounts have
 * accepted the bytes.
 */
export async function writeTerms(
  tx: Db,
  { appId, sha256, mediaType }: { appId: string } & TermsDocument,
  content: Uint8Array,
): Promise<void> {
  const known = await tx.$executeRaw`
    UPDATE terms_documents SET media_type = ${mediaType}
    WHERE app_id = ${appId} AND sha256 = ${sha256}`
  if (known > 0) return
  await tx.$executeRaw`
    INSERT INTO terms_documents (app_id, sha256, media_type, size, content)
    VALUES (${appId}, ${sha256}, ${mediaType}, 0, '')`
  for (const slice of termsSlices(content)) {
    await nextTick()
    await tx.$executeRaw`
      UPDATE terms_documents SET size = size + ${slice.length}, content = content || ${slice}
      WHERE app_id = ${appId} AND sha256 = ${sha256}`
  }
}

/**
 * Removes the terms document from the latest version, or publishes a new version without it, so
 * that new installs do not ask for it. A version that was ever installed keeps its terms.
 *
 * @param version the new version, which is otherwise the same as the latest
 * @throws AppError not_found when there is no document; version_required, version_used,
 *   precondition_failed
 */
export async function removeTerms(
  { db }: Pick<Deps, 'db'>,
  { developerId, actor }: DeveloperAuthor,
  { appId, version, expected }: Pick<TermsUpload, 'appId' | 'version' | 'expected'>,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const stored = await lockApp(tx, developerId, appId)
    const { definition, facts } = stored
    if (facts.termsDocument === null) throw new AppError('not_found')
    requireTerms(facts.termsDocument, expected)
    await changeTerms(tx, stored, null, version)
    await recordAudit(tx, {
      actor,
      action: 'app.terms_removed',
      subject: { kind: 'app', id: appId },
      developerId,
      before: { sha256: facts.termsDocument.sha256 },
      after: { version: version ?? definition.version },
    })
  })
}

export function requireTerms(
  current: { sha256: string } | null,
  expected: TermsUpload['expected'],
): void {
  if (expected === undefined) return
  if (expected === '*' ? current !== null : expected.includes(current?.sha256 ?? '')) return
  throw new AppError('precondition_failed', { detail: 'Read the terms document again and retry.' })
}

/**
 * Gives the latest version other terms, or publishes a new version with them; null for none. A
 * document that no version has any more is deleted.
 */
async function changeTerms(
  tx: Db,
  stored: StoredApp,
  termsSha256: string | null,
  newVersion: string | undefined,
): Promise<void> {
  const { definition, facts } = stored
  const { id: appId, version } = definition
  if (newVersion !== undefined && newVersion !== version) {
    await publishWithTerms(tx, { ...definition, version: newVersion }, termsSha256)
    return
  }
  if (await wasInstalled(tx, appId, version)) {
    const terms = { before: facts.termsDocument?.sha256 ?? null, after: termsSha256 }
    throw new AppError('version_required', {
      detail:
        `Version ${version} has been installed: it stays ` +
        `${terms.before === null ? 'without terms' : 'with the terms that it has'}. ` +
        'Publish this change with a new version: add ?version=... to the request.',
      members: { changes: compareDefinitions(definition, definition, terms), breaking: true },
    })
  }
  await tx.appVersion.update({
    where: { appId_version: { appId, version } },
    data: { termsSha256 },
  })
  const former = facts.termsDocument
  if (former !== null) await deleteUnusedTerms(tx, appId, former.sha256)
  if (former?.pdf !== undefined) await deleteUnusedTerms(tx, appId, former.pdf.sha256)
  await updateApp(tx, definition)
}

/** Deletes a document that no version has any more, and no text beside it. */
export async function deleteUnusedTerms(tx: Db, appId: string, sha256: string): Promise<void> {
  await tx.termsDocument.deleteMany({
    where: { appId, sha256, versions: { none: {} }, pdfOf: { none: {} } },
  })
}

/**
 * Whether a version was ever installed. The caller has locked the app's row, so that no install
 * comes in between.
 */
async function wasInstalled(tx: Db, appId: string, version: string): Promise<boolean> {
  const installation = await tx.installation.findFirst({
    // An upgrade leaves what was accepted before.
    where: { appId, OR: [{ installedVersion: version }, { acceptances: { some: { version } } }] },
    select: { id: true },
  })
  return installation !== null
}

async function publishWithTerms(tx: Db, definition: AppDefinition, termsSha256: string | null) {
  const { id: appId, version } = definition
  if ((await tx.appVersion.count({ where: { appId, version } })) > 0) {
    throw new AppError('version_used', {
      detail: `Version ${version} was published already. Choose a new version number.`,
    })
  }
  await insertVersion(tx, definition, { termsSha256 })
  await updateApp(tx, definition)
}
