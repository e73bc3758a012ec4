import type { Prisma } from '../database/generated/client.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../errors.ts'
import { textIn } from '../values/keyset.ts'
import type { Page, PageRequest } from '../values/page-of-list.ts'
import type { OfferedPartyType } from '../values/party-type.ts'
import { appOf, type PublicApp, publicAppOf } from './app-record.ts'
import { type Quote, quote } from './pricing/quotes.ts'
import { findApp, pageOfApps } from './read-apps-service.ts'
import { purchaseOptionOf } from './stored-definition.ts'

/** Further words of a search do not count: each is compared with three texts of each app. */
const SEARCHED_WORDS_MAX = 10

/** Apps that are not suspended, and whose developers are not. */
export const NOT_SUSPENDED = {
  suspendedAt: null,
  developer: { suspendedAt: null },
} as const satisfies Prisma.AppWhereInput

/** Apps that everybody may see. */
export const LISTED = {
  listed: true,
  ...NOT_SUSPENDED,
} as const satisfies Prisma.AppWhereInput

/** Apps that somebody may see: the listed ones, and those of one's own sandbox. */
export function visibleTo(userId: string | undefined): Prisma.AppWhereInput {
  if (userId === undefined) return LISTED
  const ownSandbox = { sandboxParty: { memberships: { some: { userId } } } }
  return { ...NOT_SUSPENDED, OR: [{ listed: true }, { developer: ownSandbox }] }
}

/** What is looked for in the catalogue. */
type CatalogueSearch = { partyType?: OfferedPartyType | undefined; q?: string | undefined }

/** The apps of the catalogue that a search finds. */
export function foundBy({ partyType, q }: CatalogueSearch): Prisma.AppWhereInput {
  const words = new Set((q ?? '').split(/\s+/).filter((word) => word !== ''))
  return {
    ...LISTED,
    ...(partyType === undefined ? {} : { partyTypes: { has: partyType } }),
    AND: [...words]
      .slice(0, SEARCHED_WORDS_MAX)
      .map((word) => textIn(['name', 'description', 'id'], word)),
  }
}

/** The public catalogue, in the order of ids. */
export async function listCatalogue(
  { db }: Pick<Deps, 'db'>,
  search: CatalogueSearch,
  page: PageRequest,
): Promise<Page<PublicApp>> {
  const { entries, next } = await pageOfApps(db, foundBy(search), page)
  return {
    entries: entries.map(({ definition, facts }) => publicAppOf(appOf(definition, facts))),
    next,
  }
}

/** @throws AppError not_found when the app is not in the catalogue */
export async function readCatalogueApp({ db }: Pick<Deps, 'db'>, id: string): Promise<PublicApp> {
  const { definition, facts } = await findApp(db, id, LISTED)
  return publicAppOf(appOf(definition, facts))
}

/**
 * What a purchase option of a listed app costs for a number of products.
 *
 * @throws AppError not_found; invalid_request for an absurd number, and for none where the
 *   price depends on it
 */
export async function quoteOption(
  { db }: Pick<Deps, 'db'>,
  appId: string,
  purchaseOptionId: string,
  records: number | undefined,
): Promise<Quote> {
  // Nothing else of the definition: it may have 1 MiB.
  const app = await db.app.findFirst({
    where: { id: appId, deletedAt: null, ...LISTED },
    select: { latest: { select: { purchaseOptions: { where: { id: purchaseOptionId } } } } },
  })
  const option = app?.latest?.purchaseOptions[0]
  if (option === undefined) throw new AppError('not_found')
  return quote(purchaseOptionOf(option), records ?? null)
}
