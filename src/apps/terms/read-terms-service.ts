import { batchedLookUp } from '../../database/batched-look-up.ts'
import type { Prisma } from '../../database/generated/client.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import type { TermsDocument } from '../app-record.ts'
import { termsFileName } from './terms.ts'

const RETRY_AFTER_SECONDS = 1

/** A terms document that was found. `read` answers its content, which others may use as well. */
export type TermsFile = TermsDocument & { fileName: string; read(): Promise<Buffer> }

/**
 * One document per statement, because decoding 5 MiB occupies the process. In base64 the driver has
 * half as much to read as in Postgres's own form.
 */
const findContent = batchedLookUp<Buffer>(
  {
    name: 'terms-content',
    text: `
    SELECT encode(t.content, 'base64')
    FROM unnest((SELECT $1::text[]), (SELECT $2::text[])) AS k (app_id, sha256)
    LEFT JOIN terms_documents t ON t.app_id = k.app_id AND t.sha256 = k.sha256`,
  },
  {
    batchLimit: 1,
    read: ([base64]) => (base64 == null ? undefined : Buffer.from(base64, 'base64')),
  },
)

/** @throws AppError not_found */
export async function findTerms(
  { db, pool }: Pick<Deps, 'db' | 'pool'>,
  where: Prisma.TermsDocumentWhereInput,
): Promise<TermsFile> {
  const found = await db.termsDocument.findFirst({ where, omit: { content: true } })
  if (found === null) throw new AppError('not_found')
  const { appId, sha256, mediaType } = found
  return {
    ...found,
    fileName: termsFileName(appId, sha256, mediaType),
    async read() {
      const content = await findContent(pool, appId, sha256)
      if (content !== undefined) return content
      throw new AppError('unavailable', {
        detail: 'The terms document was replaced just now. Read it again.',
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      })
    },
  }
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
): Promise<TermsFile> {
  return findTerms(deps, {
    versions: { some: { latestOf: { AND: [{ id: appId, deletedAt: null }, where] } } },
  })
}
