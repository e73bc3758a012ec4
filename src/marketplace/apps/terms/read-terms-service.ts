import { batchedLookUp } from '../../../base/database/batched-look-up.ts'
import type { Prisma } from '../../../base/database/generated/client.ts'
import { withoutDeadline } from '../../../base/fair-share/deadline.ts'
import { nextTick } from '../../../base/fair-share/next-tick.ts'
import { createByteCache } from '../../../base/values/byte-cache.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors.ts'
import type { TermsDocument } from '../app-record.ts'
import { TERMS_SLICE_BYTES, termsDocumentOf, termsFileName } from './terms.ts'

const RETRY_AFTER_SECONDS = 1

/** A terms document that was found. `read` answers its content, which others may use as well. */
export type TermsFile = TermsDocument & { fileName: string; read(): Promise<Buffer> }

/** Documents that are kept in memory. They never change under their hash. */
const KEPT_BYTES = 16 * 1_048_576

/** In base64 the driver has half as much to read as in Postgres's own form. */
const findSlice = batchedLookUp<Buffer>(
  {
    name: 'terms-slice',
    text: `
    SELECT encode(substring(t.content FROM k.start FOR ${TERMS_SLICE_BYTES}), 'base64')
    FROM unnest((SELECT $1::text[]), (SELECT $2::text[]), (SELECT $3::int[])) AS k (app_id, sha256, start)
    LEFT JOIN terms_documents t ON t.app_id = k.app_id AND t.sha256 = k.sha256`,
  },
  {
    batchLimit: 1,
    read: ([base64]) => (base64 == null ? undefined : Buffer.from(base64, 'base64')),
  },
)

/** SHA-256 -> the document, for all apps that have it. Who may read it is decided before. */
const known = createByteCache<Promise<Buffer>>(KEPT_BYTES)

/** @throws AppError not_found */
export async function findTerms(
  { db, pool }: Pick<Deps, 'db' | 'pool'>,
  where: Prisma.TermsDocumentWhereInput,
): Promise<TermsFile> {
  const found = await db.termsDocument.findFirst({ where, omit: { content: true } })
  if (found === null) throw new AppError('not_found')
  const { appId, sha256, mediaType } = found
  return {
    ...termsDocumentOf(found),
    fileName: termsFileName(appId, sha256, mediaType),
    read: () => known.get(sha256) ?? readOnce(pool, found),
  }
}

type StoredTerms = { appId: string; sha256: string; size: number }

/** Reads a document once for all who ask meanwhile, and keeps it. */
function readOnce(pool: Deps['pool'], terms: StoredTerms): Promise<Buffer> {
  const { sha256 } = terms
  // Others wait for it, too: it does not end with the request that began it.
  const made = withoutDeadline(() => readContent(pool, terms))
  known.set(sha256, made, 0)
  made.then(
    ({ length }) => known.grow(sha256, made, length),
    () => known.remove(sha256, made),
  )
  return made
}

async function readContent(pool: Deps['pool'], { appId, sha256, size }: StoredTerms) {
  const slices: Buffer[] = []
  for (let start = 1; start <= size; start += TERMS_SLICE_BYTES) {
    const slice = await findSlice(pool, appId, sha256, String(start))
    if (slice === undefined) {
      throw new AppError('unavailable', {
        detail: 'The terms document was replaced just now. Read it again.',
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      })
    }
    slices.push(slice)
    await nextTick()
  }
  return Buffer.concat(slices, size)
}

/** The terms themselves, or the PDF beside them. */
export type TermsPart = 'terms' | 'pdf'

/**
 * The document of versions, or the PDF beside it.
 *
 * @throws AppError not_found
 */
export function termsOf(
  deps: Pick<Deps, 'db' | 'pool'>,
  part: TermsPart,
  version: Prisma.AppVersionWhereInput,
): Promise<TermsFile> {
  const terms = { versions: { some: version } }
  return findTerms(deps, part === 'pdf' ? { pdfOf: { some: terms } } : terms)
}

/**
 * The document of the latest version of an app.
 *
 * @param where which apps may be read
 * @throws AppError not_found
 */
export function latestTerms(
  deps: Pick<Deps, 'db' | 'pool'>,
  appId: string,
  where: Prisma.AppWhereInput,
  part: TermsPart = 'terms',
): Promise<TermsFile> {
  return termsOf(deps, part, { latestOf: { AND: [{ id: appId, deletedAt: null }, where] } })
}
