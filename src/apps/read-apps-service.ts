import type { Prisma } from '../database/generated/client.ts'
import { type Db, inSnapshot } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../errors.ts'
import { pageOf } from '../values/keyset.ts'
import type { Page, PageRequest } from '../values/page-of-list.ts'
import { webhooksOfApps } from '../webhooks/endpoints/app-webhooks-service.ts'
import { type AppFacts, type AppRecord, type AppVersion, appOf } from './app-record.ts'
import { type AppDefinition, acknowledgementSha256 } from './definition.ts'
import { definitionOf } from './stored-definition.ts'
import type { Change } from './versions/change-kinds.ts'
import { compareDefinitions } from './versions/compare-definitions.ts'

const VERSION_PARTS = {
  purchaseOptions: true,
  termsDocument: { select: { sha256: true, mediaType: true, size: true } },
} as const satisfies Prisma.AppVersionInclude

const APP_PARTS = {
  developer: { select: { name: true, suspendedAt: true } },
  latest: { include: VERSION_PARTS },
} as const satisfies Prisma.AppInclude

type AppRow = Prisma.AppGetPayload<{ include: typeof APP_PARTS }>

/** An app with its latest version, as the services work with it. */
export type StoredApp = {
  developerId: string
  revision: number
  definition: AppDefinition
  facts: AppFacts
}

/**
 * Finds an app by its id with its latest version.
 *
 * @param where further conditions, such as the developer it must belong to
 * @throws AppError not_found
 */
export async function findApp(db: Db, id: string, where: Prisma.AppWhereInput): Promise<StoredApp> {
  const row = await inSnapshot(db, (tx) =>
    tx.app.findFirst({ where: { id, deletedAt: null, ...where }, include: APP_PARTS }),
  )
  if (row === null) throw new AppError('not_found')
  return storedAppOf(row)
}

/** One page of apps, in the order of their ids. */
export async function pageOfApps(
  db: Db,
  where: Prisma.AppWhereInput,
  { after, limit }: PageRequest,
): Promise<Page<StoredApp>> {
  const rows = await inSnapshot(db, (tx) =>
    tx.app.findMany({
      where: {
        AND: [where, after === undefined ? {} : { id: { gt: String(after[0]) } }],
        deletedAt: null,
      },
      include: APP_PARTS,
      orderBy: { id: 'asc' },
      take: limit + 1,
    }),
  )
  return pageOf(rows, limit, storedAppOf, ({ id }) => [id])
}

function storedAppOf(row: AppRow): StoredApp {
  const { latest } = row
  if (latest === null) throw new Error(`the app ${row.id} has no version`)
  return {
    developerId: row.developerId,
    revision: row.revision,
    definition: definitionOf({ app: columnsOf(row), version: latest }),
    facts: {
      developerName: row.developer.name,
      listed: row.listed,
      suspended: row.suspendedAt !== null,
      suspendedReason: row.suspendedReason,
      termsDocument: latest.termsDocument,
      createdAt: row.createdAt,
      updatedAt: row.updatedAt,
    },
  }
}

/** What can be stored is less than the types of the columns say. */
function columnsOf<Row extends Omit<AppRow, 'latest' | 'developer'>>(row: Row) {
  return {
    ...row,
    partyTypes: row.partyTypes as AppDefinition['partyTypes'],
    tokenDelivery: row.tokenDelivery as AppDefinition['tokenDelivery'],
    redirectErrors: row.redirectErrors as AppDefinition['redirectErrors'],
  }
}

/**
 * The developer's own apps.
 *
 * @returns the record and the revision that its ETag is made of
 */
export async function readOwnApp(
  { db }: Pick<Deps, 'db'>,
  developerId: string,
  id: string,
): Promise<{ app: AppRecord; revision: number }> {
  const { definition, facts, revision } = await findApp(db, id, { developerId })
  const webhooks = await webhooksOfApps({ db }, [id])
  return { app: appOf(definition, facts, webhooks.get(definition.id)), revision }
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

/**
 * The versions of an app, newest first, each with what changed from the one before.
 *
 * @throws AppError not_found
 */
export async function listVersions(
  { db }: Pick<Deps, 'db'>,
  developerId: string,
  id: string,
  page: PageRequest,
): Promise<Page<AppVersion>> {
  return inSnapshot(db, (tx) => pageOfVersions(tx, developerId, id, page))
}

/**
 * One version of an app, with what changed from the one before.
 *
 * @throws AppError not_found
 */
export async function readVersion(
  { db }: Pick<Deps, 'db'>,
  developerId: string,
  { appId, version }: { appId: string; version: string },
): Promise<AppVersion> {
  return inSnapshot(db, async (tx) => {
    const row = await tx.appVersion.findFirst({
      where: { appId, version },
      select: { sequence: true },
    })
    // The page that begins with it.
    const page = { after: [(row?.sequence ?? 0) + 1], limit: 1 }
    const { entries } = await pageOfVersions(tx, developerId, appId, page)
    const [found] = entries
    if (found?.version !== version) throw new AppError('not_found')
    return found
  })
}

async function pageOfVersions(
  db: Db,
  developerId: string,
  id: string,
  { after, limit }: PageRequest,
): Promise<Page<AppVersion>> {
  const app = await db.app.findFirst({
    where: { id, developerId, deletedAt: null },
    include: APP_PARTS,
  })
  if (app === null) throw new AppError('not_found')
  const rows = await db.appVersion.findMany({
    where: { appId: id, ...(after === undefined ? {} : { sequence: { lt: Number(after[0]) } }) },
    include: VERSION_PARTS,
    orderBy: { sequence: 'desc' },
    // Reads one version more than the page shows: to compare the oldest one with, and to know
    // whether there are more.
    take: limit + 1,
  })
  const entries = rows.slice(0, limit)
  const counts = await liveInstallations(db, id)
  const versions = entries.map((row, index): AppVersion => {
    const definition = definitionOf({ app: columnsOf(app), version: row })
    const former = rows[index + 1]
    const { version, permissions, purchaseOptions, settings, acknowledgements } = definition
    return {
      version,
      publishedAt: row.createdAt,
      latest: version === app.version,
      installations: counts.get(version) ?? 0,
      permissions,
      purchaseOptions,
      settings,
      acknowledgements: acknowledgements.map((one) => ({
        ...one,
        sha256: acknowledgementSha256(one),
      })),
      termsDocument: row.termsDocument,
      changes:
        former === undefined
          ? []
          : compareDefinitions(definitionOf({ app: columnsOf(app), version: former }), definition, {
              before: former.termsSha256,
              after: row.termsSha256,
            }),
    }
  })
  const last = entries.at(-1)
  return { entries: versions, next: rows.length > limit && last ? [last.sequence] : undefined }
}

/**
 * What is different between two published versions of an app.
 *
 * @throws AppError not_found, also when the app has no such version
 */
export async function compareVersions(
  { db }: Pick<Deps, 'db'>,
  developerId: string,
  appId: string,
  { from, to }: { from: string; to: string },
): Promise<Change[]> {
  const app = await db.app.findFirst({
    where: { id: appId, developerId, deletedAt: null },
    include: { versions: { where: { version: { in: [from, to] } }, include: VERSION_PARTS } },
  })
  const versionOf = (version: string) => {
    const row = app?.versions.find((one) => one.version === version)
    if (!app || !row) throw new AppError('not_found')
    return { ...row, definition: definitionOf({ app: columnsOf(app), version: row }) }
  }
  const [before, after] = [versionOf(from), versionOf(to)]
  return compareDefinitions(before.definition, after.definition, {
    before: before.termsSha256,
    after: after.termsSha256,
  })
}

async function liveInstallations(db: Db, appId: string): Promise<Map<string, number>> {
  const groups = await db.installation.groupBy({
    by: ['installedVersion'],
    where: { appId, live: true },
    _count: true,
  })
  return new Map(groups.map((group) => [group.installedVersion, group._count]))
}
