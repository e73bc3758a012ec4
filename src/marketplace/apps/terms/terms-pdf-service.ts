import { type Db, inTransaction } from '../../../base/database/transaction.ts'
import type { DeveloperAuthor } from '../../../base/values/actor.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors.ts'
import { recordAudit } from '../../../identity/audit/record-audit-service.ts'
import type { TermsDocument } from '../app-record.ts'
import { lockApp } from '../publish-service.ts'
import { updateApp } from '../store-definition-service.ts'
import { isText } from './terms.ts'
import {
  deleteUnusedTerms,
  requireTerms,
  type TermsUpload,
  termsSha256,
  writeTerms,
} from './terms-service.ts'

type PdfUpload = Pick<TermsUpload, 'appId' | 'content' | 'expected'>

/**
 * Puts a PDF beside the terms of the latest version, which are text. Once an account has accepted the
 * text, the PDF beside it stays.
 *
 * @throws AppError unprocessable when it is no PDF or the terms are no text, conflict, not_found,
 *   precondition_failed
 */
export async function putTermsPdf(
  { db }: Pick<Deps, 'db'>,
  { developerId, actor }: DeveloperAuthor,
  { appId, content, expected }: PdfUpload,
): Promise<TermsDocument> {
  const mediaType = 'application/pdf'
  const sha256 = await termsSha256(content, mediaType)
  return inTransaction(db, async (tx) => {
    const { definition, facts } = await lockApp(tx, developerId, appId)
    const terms = facts.termsDocument
    if (terms === null || !isText(terms.mediaType)) {
      throw new AppError('unprocessable', {
        detail:
          'A PDF stands beside terms that are text: attach the text first. A PDF that is itself ' +
          'the terms goes to .../TermsDocument.',
      })
    }
    requireTerms(terms.pdf ?? null, expected)
    if (terms.pdf?.sha256 === sha256) return terms
    const size = content.length
    await writeTerms(tx, { appId, sha256, mediaType, size }, content)
    await changePdf(tx, appId, terms, { sha256, size })
    await updateApp(tx, definition)
    await recordAudit(tx, {
      actor,
      action: 'app.terms_changed',
      subject: { kind: 'app', id: appId },
      developerId,
      before: { pdfSha256: terms.pdf?.sha256 ?? null },
      after: { pdfSha256: sha256, version: definition.version },
    })
    return { ...terms, pdf: { sha256, size } }
  })
}

/**
 * Takes away the PDF beside the terms of the latest version.
 *
 * @throws AppError not_found when there is none; conflict, precondition_failed
 */
export async function removeTermsPdf(
  { db }: Pick<Deps, 'db'>,
  { developerId, actor }: DeveloperAuthor,
  { appId, expected }: Pick<PdfUpload, 'appId' | 'expected'>,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const { definition, facts } = await lockApp(tx, developerId, appId)
    const terms = facts.termsDocument
    if (terms?.pdf === undefined) throw new AppError('not_found')
    requireTerms(terms.pdf, expected)
    await changePdf(tx, appId, terms, null)
    await updateApp(tx, definition)
    await recordAudit(tx, {
      actor,
      action: 'app.terms_changed',
      subject: { kind: 'app', id: appId },
      developerId,
      before: { pdfSha256: terms.pdf.sha256 },
      after: { pdfSha256: null, version: definition.version },
    })
  })
}

/** The caller has locked the app's row, so that no install comes in between. */
async function changePdf(
  tx: Db,
  appId: string,
  { sha256, pdf: former }: TermsDocument,
  pdf: { sha256: string; size: number } | null,
): Promise<void> {
  if (former !== undefined && (await wasAccepted(tx, appId, sha256))) {
    throw new AppError('conflict', {
      detail:
        'An account has accepted these terms, so the PDF beside them stays. Change the text to ' +
        'attach another PDF.',
    })
  }
  await tx.termsDocument.update({
    where: { appId_sha256: { appId, sha256 } },
    data: { pdfSha256: pdf?.sha256 ?? null, pdfSize: pdf?.size ?? null },
    select: { sha256: true },
  })
  if (former !== undefined) await deleteUnusedTerms(tx, appId, former.sha256)
}

async function wasAccepted(tx: Db, appId: string, sha256: string): Promise<boolean> {
  const found = await tx.acceptance.findFirst({
    where: { kind: 'terms', sha256, installation: { appId } },
    select: { id: true },
  })
  return found !== null
}
