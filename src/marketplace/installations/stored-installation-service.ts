import { Prisma } from '../../base/database/generated/client.ts'
import { countThatFit, PLACE } from '../../base/database/page-bytes.ts'
import { type Db, inSnapshot } from '../../base/database/transaction.ts'
import { type ExpectedRevisions, isExpected } from '../../base/values/etags.ts'
import { type Orders, orderOf } from '../../base/values/list-order.ts'
import type { Page, PageRequest } from '../../base/values/page-of-list.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { adminRequired } from '../../identity/accounts/members/party-members-service.ts'
import type { PurchaseOption } from '../apps/pricing/purchase-options.ts'
import type { SettingsProfile } from '../apps/settings/definitions.ts'
import { purchaseOptionOf } from '../apps/stored-definition.ts'
import type { Installation } from './installation.ts'
import { readProfiles } from './settings/profiles-service.ts'
import { settingValuesOf } from './settings/stored-settings.ts'

/** The parts of an installation that its record shows. */
const RECORD_PARTS = {
  app: { select: { name: true } },
  party: { select: { name: true } },
  settings: true,
} as const satisfies Prisma.InstallationInclude

type RecordRow = Prisma.InstallationGetPayload<{ include: typeof RECORD_PARTS }>

/** Whether the answer has the passwords in clear, or leaves them out. */
export type SecretsShown = 'show' | 'omit'

/** A row -> the record of the specification. */
export function installationRecordOf(
  { secrets }: Pick<Deps, 'secrets'>,
  row: RecordRow,
  shown: SecretsShown,
): Installation {
  const settings = row.settings.filter(({ secret }) => shown === 'show' || secret === null)
  return {
    id: row.id,
    appId: row.appId,
    appName: row.app.name,
    partyType: row.partyType,
    partyId: row.partyId,
    partyName: row.party.name,
    installDate: row.installDate,
    purchaseOptionId: row.purchaseOptionId,
    installedVersion: row.installedVersion,
    ...settingValuesOf(secrets, row.id, settings),
    status: row.status,
    suspendedReason: row.suspendedReason,
    permissions: row.permissions,
    updatedAt: row.updatedAt,
  }
}

/** What an installation needs of its version beside the settings, which are read by option. */
const VERSION_COLUMNS = {
  permissions: true,
  termsSha256: true,
} as const satisfies Prisma.AppVersionSelect

const FULL_PARTS = {
  ...RECORD_PARTS,
  app: {
    include: {
      developer: { select: { sandboxPartyId: true, suspendedAt: true, suspendedReason: true } },
    },
  },
  party: { select: { name: true, suspendedAt: true, suspendedReason: true } },
  purchaseOption: { include: { appVersion: { select: VERSION_COLUMNS } } },
} as const satisfies Prisma.InstallationInclude

type FullRow = Prisma.InstallationGetPayload<{ include: typeof FULL_PARTS }>

/** An installation with everything that the account agreed to when it was made. */
export type StoredInstallation = {
  row: FullRow
  option: PurchaseOption
  /** The settings of the chosen purchase option, as installed. */
  profile: SettingsProfile
}

/**
 * Finds an installation, uninstalled ones included.
 *
 * @param where who must own it
 * @throws AppError not_found, the same for unknown and for somebody else's
 */
export async function findInstallation(
  db: Db,
  id: string,
  where: Prisma.InstallationWhereInput,
): Promise<StoredInstallation> {
  const row = await db.installation.findFirst({ where: { id, ...where }, include: FULL_PARTS })
  if (row === null) throw new AppError('not_found')
  const profileOf = await readProfiles(db, [row])
  return storedInstallationOf(row, profileOf(row))
}

const ORDERS = {
  since: [{ name: 'installDate', isTime: true }, { name: 'id' }],
} as const satisfies Orders

/**
 * One page of installations, oldest first unless another order is asked for; it ends early when there
 * is much to read for them.
 */
export function pageOfInstallations(
  db: Db,
  where: Prisma.InstallationWhereInput,
  page: PageRequest,
): Promise<Page<StoredInstallation>> {
  const { limit } = page
  const { where: after, orderBy, positionOf } = orderOf(ORDERS, page)
  return inSnapshot(db, async (tx) => {
    const found = await tx.installation.findMany({
      where: { AND: [where, after] },
      select: { id: true, appId: true, installedVersion: true },
      orderBy,
      take: limit + 1,
    })
    const fitting = Math.min(limit, await countInstallationsThatFit(tx, found))
    const shown = found.slice(0, fitting)
    const versionOf = await readVersionsOf(tx, shown)
    const rows = await tx.installation.findMany({
      where: { id: { in: shown.map(({ id }) => id) } },
      include: { ...FULL_PARTS, purchaseOption: true },
      orderBy,
    })
    const profileOf = await readProfiles(tx, rows)
    const entries = rows.map(({ purchaseOption, ...row }) =>
      storedInstallationOf(
        { ...row, purchaseOption: { ...purchaseOption, appVersion: versionOf(row) } },
        profileOf(row),
      ),
    )
    const last = found.length > fitting ? rows.at(-1) : undefined
    return { entries, next: last && positionOf(last) }
  })
}

type OfVersion = { appId: string; installedVersion: string }
const keyOf = (appId: string, version: string) => JSON.stringify([appId, version])

/**
 * How many installations, from the first on, a page may show. A version that several of them have
 * is read once, and counts once.
 */
function countInstallationsThatFit(
  db: Db,
  installations: readonly (OfVersion & { id: string })[],
): Promise<number> {
  const ids = installations.map(({ id }) => id)
  const versions = installations.map((one) => keyOf(one.appId, one.installedVersion))
  const seen = new Set<string>()
  const isFirst = versions.map((key) => !seen.has(key) && seen.add(key).size > 0)
  return countThatFit(
    db,
    Prisma.sql`
      SELECT octet_length(i.body)
        + (
          SELECT coalesce(sum(octet_length(s.secret)), 0)
          FROM setting_values s WHERE s.installation_id = i.id
        )
        + CASE WHEN (${isFirst}::boolean[])[${PLACE}] THEN (
          SELECT octet_length(v.settings::text) + octet_length(v.permissions::text)
            + octet_length(v.acknowledgements::text)
          FROM app_versions v WHERE v.app_id = i.app_id AND v.version = i.installed_version
        ) ELSE 0 END AS bytes
      FROM installations i WHERE i.id = (${ids}::uuid[])[${PLACE}]`,
  )
}

/** Reads the versions of installations, each once. */
async function readVersionsOf(db: Db, installations: readonly OfVersion[]) {
  const wanted = new Map(
    installations.map(({ appId, installedVersion: version }) => [
      keyOf(appId, version),
      { appId, version },
    ]),
  )
  const rows = await db.appVersion.findMany({
    where: { OR: [...wanted.values()] },
    select: { appId: true, version: true, ...VERSION_COLUMNS },
  })
  const versions = new Map(rows.map((row) => [keyOf(row.appId, row.version), row]))
  return ({ appId, installedVersion }: OfVersion) => {
    const version = versions.get(keyOf(appId, installedVersion))
    if (version === undefined) throw new Error(`the app ${appId} has no ${installedVersion}`)
    return version
  }
}

function storedInstallationOf(row: FullRow, profile: SettingsProfile): StoredInstallation {
  return { row, option: purchaseOptionOf(row.purchaseOption), profile }
}

/**
 * Locks the row, so that changes of one installation follow each other, and reads it.
 *
 * @param expectedRevisions those that the caller means, if it sent any
 * @throws AppError not_found, precondition_failed; conflict when it is uninstalled
 */
export async function lockInstallation(
  tx: Db,
  id: string,
  where: Prisma.InstallationWhereInput,
  expectedRevisions?: ExpectedRevisions,
): Promise<StoredInstallation> {
  await tx.$queryRaw`SELECT 1 FROM installations WHERE id = ${id}::uuid FOR UPDATE`
  const stored = await findInstallation(tx, id, where)
  if (stored.row.live === null) throw uninstalledAlready()
  if (!isExpected(expectedRevisions, stored.row.revision)) {
    throw new AppError('precondition_failed', {
      detail: 'The installation has changed since it was read. Read it again and retry.',
    })
  }
  return stored
}

/** The error for a change of an uninstalled installation. */
export function uninstalledAlready(): AppError {
  return new AppError('conflict', {
    detail: 'The app was uninstalled. An uninstalled installation cannot be changed.',
  })
}

/** Raises the revision of a record; part of every change. */
export const TOUCH = { revision: { increment: 1 } } as const

/**
 * Condition: uninstalled while an operator's suspension held that the operator has not lifted. The
 * account cannot install the app again.
 */
export const BARRED = {
  live: null,
  suspendedBy: 'operator',
  lifted: null,
} as const satisfies Prisma.InstallationWhereInput

/** Condition: installations of parties that the user is a member of, with any role. */
export function ofUser(userId: string): Prisma.InstallationWhereInput {
  return { party: { memberships: { some: { userId } } } }
}

/**
 * Condition: installations of parties that the user is an admin of. Every change that a user makes
 * to an installation passes here.
 *
 * @param id the installation that is to be changed
 * @throws AppError admin_required when the user is a member of its party with a lesser role
 */
export async function ofAdmin(
  db: Db,
  userId: string,
  id: string,
): Promise<Prisma.InstallationWhereInput> {
  const lesser = await db.membership.findFirst({
    where: { userId, role: { not: 'admin' }, party: { installations: { some: { id } } } },
    select: { partyId: true },
  })
  if (lesser !== null) throw await adminRequired(db, lesser.partyId)
  return { party: { memberships: { some: { userId, role: 'admin' } } } }
}
