import type { SharedMarketplace } from '../setup/app.ts'
import { type Author, draft, newId } from '../setup/apps.ts'
import { PDF } from './access-cast.ts'
import type { Aim } from './fuzz-aims.ts'
import { Raw } from './fuzz-values.ts'

const accepted = { sha256: 'accepted.hashes' }

/** Requests about terms that are to succeed. */
export const TERMS_AIMS: Readonly<Record<string, Aim>> = {
  readInstalledTermsDocument: { path: { installationId: 'termed.ids' } },
  readUpgradeTermsDocument: { path: { installationId: 'termed.ids' } },
  readInstalledTermsPdf: { path: { installationId: 'termed.ids' } },
  readUpgradeTermsPdf: { path: { installationId: 'termed.ids' } },
  readTermsPdf: { path: { appId: 'pdf.apps' } },
  readOwnTermsPdf: { path: { appId: 'pdf.apps' } },
  replaceTermsPdf: { path: { appId: 'pdf.spare' }, body: 'pdfs', type: 'application/pdf' },
  deleteTermsPdf: { path: { appId: 'pdf.spare' } },
  listAccountAcceptances: { path: { installationId: 'termed.ids' } },
  listDeveloperAcceptances: { path: { installationId: 'termed.ids' } },
  listOperatorAcceptances: { path: { id: 'termed.ids' } },
  readAccountAcceptedTermsDocument: { path: { installationId: 'termed.ids', ...accepted } },
  readDeveloperAcceptedTermsDocument: { path: { installationId: 'termed.ids', ...accepted } },
  readOperatorAcceptedTermsDocument: { path: { id: 'termed.ids', ...accepted } },
}

/** What these requests are about: an installation whose terms are accepted, and apps with a PDF. */
export async function termsPools(
  { deps: { db } }: SharedMarketplace,
  developer: Author,
  installationId: string,
): Promise<Map<string, unknown[]>> {
  const withPdf = async () => {
    const { id } = draft(newId())
    await developer.create(draft(id))
    await developer.putTerms(id, '# Terms')
    await developer.putTermsPdf(id, PDF)
    return id
  }
  const listed = await withPdf()
  await developer.list(listed)
  const { sha256 } = (await developer.read(listed)).body.termsDocument
  const by = { version: '1.0.0', actorKind: 'user' }
  await db.acceptance.create({ data: { installationId, kind: 'terms', sha256, ...by } })
  return new Map<string, unknown[]>([
    ['pdf.apps', [listed]],
    ['pdf.spare', [await withPdf()]],
    ['pdfs', [new Raw(PDF)]],
    ['accepted.hashes', [sha256]],
  ])
}
