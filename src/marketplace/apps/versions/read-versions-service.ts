import { type Db, inSnapshot } from '../../../base/database/transaction.ts'
import { nextTick } from '../../../base/fair-share/next-tick.ts'
import type { Page, PageRequest } from '../../../base/values/page-of-list.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors.ts'
import type { AppVersion } from '../app-record.ts'
import { acknowledgementSha256 } from '../definition.ts'
import { countInstallationsOfVersions } from '../installation-counts-service.ts'
import { storedTypes, VERSION_PARTS } from '../read-apps-service.ts'
import { definitionOf, type StoredDefinition } from '../stored-definition.ts'
import { termsDocumentOf } from '../terms/terms.ts'
import { countVersionsThatFit } from '../versions-that-fit-service.ts'
import type { Change } from './change-kinds.ts'
import { compareDefinitions } from './compare-definitions.ts'

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
    // The page that begins with this version.
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
  const app = await db.app.findFirst({ where: { id, developerId, deletedAt: null } })
  if (app === null) throw new AppError('not_found')
  const wanted = {
    where: { appId: id, ...(after === undefined ? {} : { sequence: { lt: Number(after[0]) } }) },
    orderBy: { sequence: 'desc' },
  } as const
  const found = await db.appVersion.findMany({
    ...wanted,
    select: { appId: true, version: true },
    take: limit,
  })
  const shownMax = await countVersionsThatFit(db, found)
  const rows = await db.appVersion.findMany({
    ...wanted,
    include: VERSION_PARTS,
    // Reads one version more than the page shows: to compare the oldest one with, and to know
    // whether there are more.
    take: shownMax + 1,
  })
  const entries = rows.slice(0, shownMax)
  const shown = entries.map(({ version }) => version)
  const counts = await countInstallationsOfVersions({ db }, id, shown)
  const versions: AppVersion[] = []
  for (const [index, row] of entries.entries()) {
    // Comparing two large definitions takes 20 ms: others get their turn between two of them.
    await nextTick()
    const former = rows[index + 1]
    const definition = definitionOf({ app: storedTypes(app), version: row })
    const { version, permissions, purchaseOptions, settings, acknowledgements } = definition
    versions.push({
      version,
      publishedAt: row.createdAt,
      latest: version === app.version,
      installations: counts.get(version) ?? 0,
      releaseNotes: definition.releaseNotes,
      permissions,
      purchaseOptions,
      settings,
      acknowledgements: acknowledgements.map((one) => ({
        ...one,
        sha256: acknowledgementSha256(one),
      })),
      termsDocument: row.termsDocument && termsDocumentOf(row.termsDocument),
      changes: former === undefined ? [] : changesBetween(app, former, row),
    })
  }
  await nextTick()
  const last = entries.at(-1)
  return { entries: versions, next: rows.length > shownMax && last ? [last.sequence] : undefined }
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
  const [before, after] = [from, to].map((version) =>
    app?.versions.find((one) => one.version === version),
  )
  if (!app || !before || !after) throw new AppError('not_found')
  await nextTick()
  const changes = changesBetween(app, before, after)
  await nextTick()
  return changes
}

type VersionRow = StoredDefinition['version'] & { termsSha256: string | null }

function changesBetween(
  app: Parameters<typeof storedTypes>[0],
  before: VersionRow,
  after: VersionRow,
): Change[] {
  const definitionIn = (version: VersionRow) => definitionOf({ app: storedTypes(app), version })
  return compareDefinitions(definitionIn(before), definitionIn(after), {
    before: before.termsSha256,
    after: after.termsSha256,
  })
}
