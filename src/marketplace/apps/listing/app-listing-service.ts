import { isDeepStrictEqual } from 'node:util'
import type { Prisma } from '../../../base/database/generated/client.ts'
import { type Db, inSnapshot, inTransaction } from '../../../base/database/transaction.ts'
import type { DeveloperAuthor } from '../../../base/values/actor.ts'
import { type ExpectedRevisions, isExpected } from '../../../base/values/etags.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors.ts'
import { recordAudit } from '../../../identity/audit/record-audit-service.ts'
import { type AppListing, EMPTY_LISTING } from './app-listing.ts'

/** A listing, and the revision that its ETag is made of: 0 before it is saved first. */
export type StoredListing = { listing: AppListing; revision: number }

/**
 * The listing of an app.
 *
 * @param where which apps may be read
 * @throws AppError not_found
 */
export async function readAppListing(
  { db }: Pick<Deps, 'db'>,
  appId: string,
  where: Prisma.AppWhereInput,
): Promise<StoredListing> {
  const row = await inSnapshot(db, (tx) =>
    tx.app.findFirst({
      where: { id: appId, deletedAt: null, ...where },
      select: { tagline: true, listing: true },
    }),
  )
  if (row === null) throw new AppError('not_found')
  const { tagline, listing } = row
  if (listing === null) return { listing: EMPTY_LISTING, revision: 0 }
  const { longDescription, categories, revision } = listing
  const contacts = listing.contacts as AppListing['contacts']
  const disclosure = listing.disclosure as AppListing['disclosure']
  return { listing: { tagline, longDescription, categories, contacts, disclosure }, revision }
}

/**
 * Replaces the listing of one of the developer's own apps. The same once more changes nothing.
 *
 * @param expected the revisions that the caller means, if it sent any
 * @throws AppError not_found, precondition_failed; unprocessable for categories that there are not
 */
export async function replaceAppListing(
  { db }: Pick<Deps, 'db'>,
  { developerId, actor }: DeveloperAuthor,
  appId: string,
  listing: AppListing,
  expected?: ExpectedRevisions,
): Promise<StoredListing> {
  requireCategories(listing)
  return inTransaction(db, async (tx) => {
    await tx.$queryRaw`SELECT 1 FROM apps WHERE id = ${appId} FOR NO KEY UPDATE`
    const before = await readAppListing({ db: tx }, appId, { developerId })
    if (!isExpected(expected, before.revision)) {
      throw new AppError('precondition_failed', { detail: 'Read the listing again and retry.' })
    }
    if (before.revision > 0 && isDeepStrictEqual(before.listing, listing)) return before
    await writeListing(tx, appId, listing)
    await recordAudit(tx, {
      actor,
      action: 'app.listing_changed',
      subject: { kind: 'app', id: appId },
      developerId,
      ...auditedListing(before.listing, listing),
    })
    return { listing, revision: before.revision + 1 }
  })
}

async function writeListing(
  tx: Db,
  appId: string,
  { tagline, ...data }: AppListing,
): Promise<void> {
  await tx.appListing.upsert({
    where: { appId },
    create: { appId, ...data },
    update: { ...data, revision: { increment: 1 } },
  })
  await tx.app.update({
    where: { id: appId },
    data: { tagline, listingRevision: { increment: 1 } },
  })
}

/** No marketplace has categories yet. */
function requireCategories({ categories }: AppListing): void {
  if (categories.length === 0) return
  throw new AppError('unprocessable', {
    detail: 'The body has problems.',
    errors: categories.map((id, index) => ({
      pointer: `/categories/${index}`,
      detail: `is not a category: there is none with the id ${JSON.stringify(id)}`,
    })),
  })
}

/** The members that are others now; of the long description its length. */
function auditedListing(before: AppListing, after: AppListing) {
  const changed = Object.keys(after) as (keyof AppListing)[]
  const names = changed.filter((name) => !isDeepStrictEqual(before[name], after[name]))
  const shown = (listing: AppListing): Prisma.InputJsonObject =>
    Object.fromEntries(
      names.map((name) =>
        name === 'longDescription'
          ? ['longDescriptionLength', listing.longDescription.length]
          : [name, listing[name]],
      ),
    )
  return { before: shown(before), after: shown(after) }
}
