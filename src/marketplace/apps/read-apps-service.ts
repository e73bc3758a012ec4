import type { Prisma } from '../../base/database/generated/client.ts'
import { type Db, inSnapshot } from '../../base/database/transaction.ts'
import type { Page, PageRequest } from '../../base/values/page-of-list.ts'
import type { SuspendableApp } from '../../base/values/principal.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { webhooksOfApps } from '../webhooks/endpoints/app-webhooks-service.ts'
import { type AppFacts, type AppRecord, appOf } from './app-record.ts'
import type { AppDefinition } from './definition.ts'
import { iconOf, SCREENSHOT, SCREENSHOTS_IN_ORDER, screenshotOf } from './media/picture-record.ts'
import { definitionOf } from './stored-definition.ts'
import { termsDocumentOf } from './terms/terms.ts'
import { countVersionsThatFit } from './versions-that-fit-service.ts'
import type { Visibility } from './visibility/visibility.ts'

/** What a definition is made of, beside the columns of its version. */
export const VERSION_PARTS = {
  purchaseOptions: true,
  termsDocument: {
    select: { sha256: true, mediaType: true, size: true, pdfSha256: true, pdfSize: true },
  },
} as const satisfies Prisma.AppVersionInclude

/** What `StoredApp` is made of, beside the columns of the app. */
const APP_PARTS = {
  developer: {
    select: { name: true, sandboxPartyId: true, suspendedAt: true, suspendedReason: true },
  },
  latest: { include: VERSION_PARTS },
  pictures: { where: { kind: 'screenshot' }, select: SCREENSHOT, orderBy: SCREENSHOTS_IN_ORDER },
} as const satisfies Prisma.AppInclude

type AppRow = Prisma.AppGetPayload<{ include: typeof APP_PARTS }>

/** An app with its latest version, as the services work with it. */
export type StoredApp = {
  developerId: string
  developer: { sandboxPartyId: number }
  /** Whether the app or its developer is suspended, and why. */
  suspendable: SuspendableApp
  revision: number
  definition: AppDefinition
  facts: AppFacts
}

/**
 * Finds an app by its id with its latest version.
 *
 * @param where further conditions, such as the developer it must belong to
 * @param options.withSettings false: the settings, which may have a megabyte, are not read, and those
 *   of the definition are empty
 * @throws AppError not_found
 */
export async function findApp(
  db: Db,
  id: string,
  where: Prisma.AppWhereInput,
  { withSettings = true } = {},
): Promise<StoredApp> {
  const row = await inSnapshot(db, (tx) =>
    tx.app.findFirst({
      where: { id, deletedAt: null, ...where },
      include: {
        ...APP_PARTS,
        latest: { include: VERSION_PARTS, omit: { settings: !withSettings } },
      },
    }),
  )
  if (row === null) throw new AppError('not_found')
  const { latest } = row
  return storedAppOf({
    ...row,
    latest: latest && { ...latest, settings: withSettings ? latest.settings : {} },
  })
}

/** One page of apps, in the order of their ids; it ends early when the definitions are large. */
export async function pageOfApps(
  db: Db,
  where: Prisma.AppWhereInput,
  { after, limit }: PageRequest,
): Promise<Page<StoredApp>> {
  return inSnapshot(db, async (tx) => {
    const found = await tx.app.findMany({
      where: {
        AND: [where, after === undefined ? {} : { id: { gt: String(after[0]) } }],
        deletedAt: null,
      },
      select: { id: true, version: true },
      orderBy: { id: 'asc' },
      take: limit + 1,
    })
    const versions = found.map(({ id, version }) => ({ appId: id, version: version ?? '' }))
    const fitting = Math.min(limit, await countVersionsThatFit(tx, versions))
    const rows = await tx.app.findMany({
      where: { id: { in: found.slice(0, fitting).map(({ id }) => id) } },
      include: APP_PARTS,
      orderBy: { id: 'asc' },
    })
    const last = found.length > fitting ? rows.at(-1) : undefined
    return { entries: rows.map(storedAppOf), next: last && [last.id] }
  })
}

function storedAppOf(row: AppRow): StoredApp {
  const { latest } = row
  if (latest === null) throw new Error(`the app ${row.id} has no version`)
  return {
    developerId: row.developerId,
    developer: { sandboxPartyId: row.developer.sandboxPartyId },
    suspendable: {
      suspendedAt: row.suspendedAt,
      suspendedReason: row.suspendedReason,
      developer: row.developer,
    },
    revision: row.revision,
    definition: definitionOf({ app: storedTypes(row), version: latest }),
    facts: {
      developerName: row.developer.name,
      tagline: row.tagline,
      icon: iconOf(row.iconId),
      screenshots: row.pictures.map(screenshotOf),
      listed: row.listed,
      visibility: row.visibility as Visibility,
      suspended: row.suspendedAt !== null,
      suspendedReason: row.suspendedReason,
      termsDocument: latest.termsDocument && termsDocumentOf(latest.termsDocument),
      createdAt: row.createdAt,
      updatedAt: row.updatedAt,
    },
  }
}

/** Narrows the types of columns to what can be stored in them. */
export function storedTypes<Row extends Omit<AppRow, 'latest' | 'developer' | 'pictures'>>(
  row: Row,
) {
  return {
    ...row,
    partyTypes: row.partyTypes as AppDefinition['partyTypes'],
    tokenDelivery: row.tokenDelivery as AppDefinition['tokenDelivery'],
    redirectErrors: row.redirectErrors as AppDefinition['redirectErrors'],
  }
}

/** An app as its developer sees it, and the revision that its ETag is made of. */
export type Published = { app: AppRecord; revision: number }

/** The record of an app, and the revision that its ETag is made of. */
export async function publishedOf(
  db: Db,
  { definition, facts, revision }: StoredApp,
): Promise<Published> {
  const webhooks = await webhooksOfApps({ db }, [definition.id])
  return { app: appOf(definition, facts, webhooks.get(definition.id)), revision }
}

/**
 * One of the developer's own apps.
 *
 * @throws AppError not_found
 */
export async function readOwnApp(
  { db }: Pick<Deps, 'db'>,
  developerId: string,
  id: string,
): Promise<Published> {
  return publishedOf(db, await findApp(db, id, { developerId }))
}

/** Whether the developer had an app that is deleted. */
export async function wasDeleted(
  { db }: Pick<Deps, 'db'>,
  developerId: string,
  id: string,
): Promise<boolean> {
  return (await db.app.count({ where: { id, developerId, deletedAt: { not: null } } })) > 0
}

/**
 * The definition of one of the developer's own apps.
 *
 * @returns the definition and the revision that its ETag is made of
 * @throws AppError not_found
 */
export async function readOwnDefinition(
  { db }: Pick<Deps, 'db'>,
  developerId: string,
  id: string,
): Promise<{ definition: AppDefinition; revision: number }> {
  const { definition, revision } = await findApp(db, id, { developerId })
  return { definition, revision }
}

/** The developer's own apps, in the order of their ids. */
export async function listOwnApps(
  { db }: Pick<Deps, 'db'>,
  developerId: string,
  page: PageRequest,
): Promise<Page<AppRecord>> {
  const { entries, next } = await pageOfApps(db, { developerId }, page)
  const ids = entries.map(({ definition }) => definition.id)
  const webhooks = await webhooksOfApps({ db }, ids)
  return {
    entries: entries.map(({ definition, facts }) =>
      appOf(definition, facts, webhooks.get(definition.id)),
    ),
    next,
  }
}

/** The names of the developer's own apps, to choose from: the first ones, in the order of their ids. */
export function listOwnAppNames(
  { db }: Pick<Deps, 'db'>,
  developerId: string,
  limit: number,
): Promise<Pick<AppRecord, 'id' | 'name'>[]> {
  return db.app.findMany({
    where: { developerId, deletedAt: null },
    select: { id: true, name: true },
    orderBy: { id: 'asc' },
    take: limit,
  })
}
