import {
  type Acceptance as AcceptanceRow,
  Prisma,
} from '../../../base/database/generated/client.ts'
import { countThatFit, PLACE } from '../../../base/database/page-bytes.ts'
import { type Db, inSnapshot } from '../../../base/database/transaction.ts'
import type { Page, PageRequest } from '../../../base/values/page-of-list.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors.ts'
import {
  developersOfClients,
  namesOfUsers,
} from '../../../identity/accounts/account-names-service.ts'
import { findTerms, type TermsFile } from '../../apps/terms/read-terms-service.ts'
import { isText } from '../../apps/terms/terms.ts'
import { Acceptance, TERMS_TEXT_MAX_BYTES } from './acceptance.ts'

type ReadDeps = Pick<Deps, 'db' | 'pool'>

/** An installation whose acceptances somebody reads. */
export type AcceptancesOf = {
  installationId: string
  /** Who must own it. */
  where: Prisma.InstallationWhereInput
  /** A developer reads who accepted in its own sandbox; the people of accounts are not its business. */
  reader: 'account' | 'developer' | 'operator'
}

/**
 * Whose installation of what app it is.
 *
 * @throws AppError not_found, the same for unknown and for somebody else's
 */
export async function readSubject(
  { db }: Pick<Deps, 'db'>,
  { installationId: id, where }: Omit<AcceptancesOf, 'reader'>,
) {
  const row = await db.installation.findFirst({
    where: { AND: [{ id }, where] },
    select: {
      appId: true,
      partyType: true,
      app: { select: { name: true } },
      party: { select: { name: true } },
    },
  })
  if (row === null) throw new AppError('not_found')
  const { app, party, ...installation } = row
  return { ...installation, appName: app.name, partyName: party.name }
}

/**
 * What was accepted for an installation, uninstalled ones included, oldest first, in the words that it
 * had then; a page ends early when they are long.
 *
 * @throws AppError not_found, the same for unknown and for somebody else's
 */
export async function listAcceptances(
  deps: ReadDeps,
  of: AcceptancesOf,
  { after, limit }: PageRequest,
): Promise<Page<Acceptance>> {
  const { appId, partyType } = await readSubject(deps, of)
  const { rows, texts, next } = await inSnapshot(deps.db, async (tx) => {
    const found = await tx.acceptance.findMany({
      where: {
        installationId: of.installationId,
        ...(after === undefined ? {} : { id: { gt: BigInt(after[0] ?? 0) } }),
      },
      orderBy: { id: 'asc' },
      take: limit + 1,
    })
    const fitting = Math.min(limit, await countAcceptancesThatFit(tx, appId, found))
    const shown = found.slice(0, fitting)
    const hashes = shown.map(({ sha256 }) => sha256)
    const last = found.length > fitting ? shown.at(-1) : undefined
    return {
      rows: shown,
      texts: await tx.acceptedText.findMany({ where: { sha256: { in: hashes } } }),
      next: last && [Number(last.id)],
    }
  })
  const wordsOf = new Map(texts.map((one) => [one.sha256, one]))
  const nameOf = await readNames(deps, rows)
  const isKnown = of.reader !== 'developer' || partyType === 'None'
  const entries: Acceptance[] = []
  for (const row of rows) {
    const { actorKind, actorId, subjectId, sha256, version, acceptedAt } = row
    const kind = Acceptance.shape.kind.parse(row.kind)
    entries.push({
      kind,
      id: subjectId,
      ...(kind === 'terms'
        ? await termsWords(deps, appId, sha256)
        : { title: null, text: null, mediaType: null, ...wordsOf.get(sha256) }),
      sha256,
      version,
      acceptedAt,
      acceptedBy: {
        kind: Acceptance.shape.acceptedBy.shape.kind.parse(actorKind),
        id: isKnown ? actorId : null,
        name: isKnown ? nameOf(row) : null,
      },
    })
  }
  return { entries, next }
}

/**
 * A terms document that was accepted for an installation, also one that an upgrade has replaced.
 *
 * @throws AppError not_found
 */
export async function acceptedTerms(
  deps: ReadDeps,
  of: Omit<AcceptancesOf, 'reader'>,
  sha256: string,
): Promise<TermsFile> {
  const { installationId } = of
  const { appId } = await readSubject(deps, of)
  const accepted = await deps.db.acceptance.findFirst({
    where: { installationId, kind: 'terms', sha256 },
    select: { id: true },
  })
  if (accepted === null) throw new AppError('not_found')
  return findTerms(deps, { appId, sha256 })
}

function countAcceptancesThatFit(
  db: Db,
  appId: string,
  rows: readonly AcceptanceRow[],
): Promise<number> {
  const hashes = rows.map(({ sha256 }) => sha256)
  return countThatFit(
    db,
    Prisma.sql`
      SELECT coalesce((
        SELECT octet_length(t.title) + octet_length(t.text) FROM accepted_texts t
        WHERE t.sha256 = h.sha256
      ), 0) + coalesce((
        SELECT d.size FROM terms_documents d
        WHERE d.app_id = ${appId} AND d.sha256 = h.sha256 AND d.media_type LIKE 'text/%'
          AND d.size <= ${TERMS_TEXT_MAX_BYTES}
      ), 0) AS bytes
      FROM (SELECT (${hashes}::text[])[${PLACE}] AS sha256) h WHERE h.sha256 IS NOT NULL`,
  )
}

async function termsWords(deps: ReadDeps, appId: string, sha256: string) {
  const { mediaType, size, read } = await findTerms(deps, { appId, sha256 })
  const isAnswered = isText(mediaType) && size <= TERMS_TEXT_MAX_BYTES
  return { title: null, text: isAnswered ? (await read()).toString('utf8') : null, mediaType }
}

/** The names of those who accepted. */
async function readNames({ db }: Pick<Deps, 'db'>, rows: readonly AcceptanceRow[]) {
  const idsOf = (kind: string) => [
    ...new Set(
      rows.flatMap(({ actorKind, actorId }) =>
        actorId !== null && actorKind === kind ? [actorId] : [],
      ),
    ),
  ]
  const [users, developers] = await Promise.all([
    namesOfUsers({ db }, idsOf('user')),
    developersOfClients({ db }, idsOf('developer')),
  ])
  return ({ actorId }: AcceptanceRow): string | null =>
    actorId === null ? null : (users.get(actorId)?.name ?? developers.get(actorId) ?? null)
}
