import type { Prisma } from '../../base/database/generated/client.ts'
import { pageOf } from '../../base/values/keyset.ts'
import { isOffered, type PartyType } from '../../base/values/party-type.ts'
import type { Deps } from '../../deps.ts'
import { appOf, publicAppOf } from '../../marketplace/apps/app-record.ts'
import { foundBy } from '../../marketplace/apps/catalogue-service.ts'
import { readAppListing } from '../../marketplace/apps/listing/app-listing-service.ts'
import { findApp } from '../../marketplace/apps/read-apps-service.ts'
import {
  type SettingsConfiguration,
  withoutAdminSettings,
} from '../../marketplace/apps/settings/definitions.ts'
import { purchaseOptionsOf } from '../../marketplace/apps/stored-definition.ts'
import {
  latestTerms,
  type TermsFile,
  type TermsPart,
} from '../../marketplace/apps/terms/read-terms-service.ts'
import {
  inDirectoryOf,
  LISTED,
  OPEN_TO_ALL,
  VISIBLE_TO_ALL,
  visibleTo,
} from '../../marketplace/apps/visibility/visible-apps-service.ts'
import { BARRED } from '../../marketplace/installations/stored-installation-service.ts'
import { suspensionsOfApp } from '../../marketplace/installations/suspension-causes.ts'
import {
  type AskedSettings,
  type InstallListing,
  type ListedApp,
  type Listing,
  notOfferedTo,
} from './account-on-listing.ts'
import type { AppCard, Directory, DirectorySearch } from './app-card.ts'
import { accountsOnListing } from './listing-accounts-service.ts'

type StoreDeps = Pick<Deps, 'db'>

const PAGE_SIZE = 24

/** What the directory shows of an app: nothing of its settings, which may have a megabyte. */
const CARD = {
  id: true,
  name: true,
  tagline: true,
  iconId: true,
  description: true,
  partyTypes: true,
  developer: { select: { name: true, sandboxPartyId: true } },
  latest: { select: { purchaseOptions: { omit: { description: true } } } },
} as const satisfies Prisma.AppSelect

/**
 * One page of the listed apps.
 *
 * @param visitor `partyId`: of that account alone it is told what is installed
 */
export async function readDirectory(
  { db }: StoreDeps,
  visitor: { userId: string; partyId: number | undefined } | undefined,
  { q, partyType, after }: DirectorySearch,
): Promise<Directory> {
  const partyId = visitor?.partyId
  const account =
    partyId === undefined ? undefined : await db.party.findUniqueOrThrow({ where: { id: partyId } })
  const fitted = partyType === null ? account : undefined
  const found = foundBy({ q, partyType: partyType ?? undefined }, inDirectoryOf(visitor))
  const fits = fitted === undefined ? {} : offeredTo(fitted)
  const rows = await db.app.findMany({
    where: {
      AND: [found, fits, after === undefined ? {} : { id: { gt: after } }],
      deletedAt: null,
    },
    select: CARD,
    orderBy: { id: 'asc' },
    take: PAGE_SIZE + 1,
  })
  const { entries, next } = pageOf(
    rows,
    PAGE_SIZE,
    (row) => row,
    ({ id }) => [id],
  )
  const appId = { in: entries.map(({ id }) => id) }
  const mine = { memberships: { some: { userId: visitor?.userId ?? '' } } }
  const [own, barred, others] = await Promise.all([
    visitor === undefined
      ? []
      : db.installation.findMany({
          where: { live: true, appId, party: mine, ...(partyId === undefined ? {} : { partyId }) },
          select: { appId: true },
        }),
    partyId === undefined
      ? []
      : db.installation.findMany({ where: { partyId, appId, ...BARRED }, select: { appId: true } }),
    fitted === undefined || after !== undefined
      ? 0
      : db.app.count({ where: { AND: [found, { NOT: fits }], deletedAt: null } }),
  ])
  return {
    apps: entries.map(cardOf),
    next: next === undefined ? undefined : String(next[0]),
    installed: new Set(own.map((one) => one.appId)),
    refused: new Map([
      ...barred.map((one) => [one.appId, 'Suspended for this account by the operator.'] as const),
      ...entries.flatMap((app) =>
        account === undefined || isOffered(app, account)
          ? []
          : [[app.id, notOfferedTo(account.type)] as const],
      ),
    ]),
    fits: fitted?.type,
    others,
  }
}

/** The newest of the listed apps, to begin with. */
export async function readNewestApps({ db }: StoreDeps, limit: number): Promise<AppCard[]> {
  const rows = await db.app.findMany({
    where: { ...LISTED, deletedAt: null },
    select: CARD,
    orderBy: [{ createdAt: 'desc' }, { id: 'asc' }],
    take: limit,
  })
  return rows.map(cardOf)
}

/** The apps that an account can have, as `isOffered` tells it. */
function offeredTo({ id, type }: { id: number; type: PartyType }): Prisma.AppWhereInput {
  return type === 'None' ? { developer: { sandboxPartyId: id } } : { partyTypes: { has: type } }
}

function cardOf({
  developer,
  latest,
  ...app
}: Prisma.AppGetPayload<{ select: typeof CARD }>): AppCard {
  const options = latest?.purchaseOptions ?? []
  return {
    ...app,
    developerName: developer.name,
    purchaseOptions: purchaseOptionsOf(options.map((option) => ({ ...option, description: '' }))),
  }
}

/**
 * An app of the catalogue, one of the visitor's own sandbox, or a suspended one that an account of
 * the visitor has.
 *
 * @throws AppError not_found
 */
export async function readListing(
  deps: StoreDeps,
  userId: string | undefined,
  appId: string,
): Promise<Listing> {
  const where = {
    OR: [
      visibleTo(userId),
      ...(userId === undefined ? [] : [{ ...OPEN_TO_ALL, ...installedFor(userId) }]),
    ],
  }
  const stored = await findApp(deps.db, appId, where, { withSettings: false })
  const { definition, facts, suspendable } = stored
  const { listing: words } = await readAppListing(deps, appId, {})
  const { settings: _none, ...listedApp } = publicAppOf(appOf(definition, facts))
  return {
    app: listedApp,
    words,
    visibility: facts.visibility,
    background: !definition.authReturnUrl,
    suspensions: suspensionsOfApp(suspendable),
    options: definition.purchaseOptions,
    accounts: userId === undefined ? [] : await accountsOnListing(deps, userId, stored),
  }
}

/** Larger settings, as the database keeps them, are not looked through for a listing. */
const SETTINGS_READ_MAX_BYTES = 16_384

/**
 * The names of the settings that have to be entered, by purchase option. Postgres takes them out: all
 * settings of a version have up to 1 MiB.
 *
 * @returns undefined where the settings are too large to be looked through for a listing
 */
export async function readAskedSettings(
  { db }: StoreDeps,
  { id, version }: Pick<ListedApp, 'id' | 'version'>,
): Promise<AskedSettings | undefined> {
  const [row] = await db.$queryRaw<{ asked: [optionId: string, name: string][] | null }[]>`
    SELECT CASE WHEN pg_column_size(v.settings) <= ${SETTINGS_READ_MAX_BYTES} THEN (
      SELECT coalesce(json_agg(json_build_array(p.key, s.value -> 'name')
        ORDER BY nullif((s.value ->> 'order')::numeric, 0)), '[]')
      FROM json_each(v.settings) AS p, json_each(p.value) AS s
      WHERE s.value ->> 'mandatory' = 'true' AND s.value ->> 'scope' = 'user'
        AND s.value ->> 'type' <> 'boolean'
    ) END AS asked
    FROM app_versions v WHERE v.app_id = ${id} AND v.version = ${version}`
  if (!row?.asked) return undefined
  const byOption = Map.groupBy(row.asked, ([optionId]) => optionId)
  return new Map([...byOption].map(([optionId, all]) => [optionId, all.map(([, name]) => name)]))
}

/**
 * A listing, with the settings that an install asks for.
 *
 * @throws AppError not_found
 */
export async function readInstallListing(
  deps: StoreDeps,
  userId: string,
  appId: string,
): Promise<InstallListing> {
  const listing = await readListing(deps, userId, appId)
  const { version } = listing.app
  const stored = await deps.db.appVersion.findUniqueOrThrow({
    where: { appId_version: { appId, version } },
    select: { settings: true },
  })
  const settings = withoutAdminSettings(stored.settings as SettingsConfiguration)
  return { ...listing, app: { ...listing.app, settings } }
}

/**
 * The terms document of an app that the visitor may see, or has installed.
 *
 * @throws AppError not_found
 */
export function readVisibleTerms(
  deps: StoreDeps & Pick<Deps, 'pool'>,
  userId: string | undefined,
  appId: string,
  part: TermsPart = 'terms',
): Promise<TermsFile> {
  if (userId === undefined) return latestTerms(deps, appId, VISIBLE_TO_ALL, part)
  return latestTerms(deps, appId, { OR: [visibleTo(userId), installedFor(userId)] }, part)
}

function installedFor(userId: string): Prisma.AppWhereInput {
  return { installations: { some: { live: true, party: { memberships: { some: { userId } } } } } }
}
