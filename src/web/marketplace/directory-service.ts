import type { Prisma } from '../../base/database/generated/client.ts'
import { pageOf } from '../../base/values/keyset.ts'
import { isOffered, type OfferedPartyType } from '../../base/values/party-type.ts'
import type { Deps } from '../../deps.ts'
import { appOf, publicAppOf } from '../../marketplace/apps/app-record.ts'
import { foundBy, LISTED, visibleTo } from '../../marketplace/apps/catalogue-service.ts'
import { findApp } from '../../marketplace/apps/read-apps-service.ts'
import {
  type SettingsConfiguration,
  withoutAdminSettings,
} from '../../marketplace/apps/settings/definitions.ts'
import { purchaseOptionsOf } from '../../marketplace/apps/stored-definition.ts'
import { latestTerms, type TermsFile } from '../../marketplace/apps/terms/read-terms-service.ts'
import { BARRED } from '../../marketplace/installations/stored-installation-service.ts'
import { suspensionsOfApp } from '../../marketplace/installations/suspension-causes.ts'
import { type InstallListing, type Listing, notOfferedTo } from './account-on-listing.ts'
import type { AppCard } from './app-card.ts'
import { APP_STATE, accountsOnListing } from './listing-accounts-service.ts'

type StoreDeps = Pick<Deps, 'db'>

const PAGE_SIZE = 24

/** To whom an app is offered. */
const OFFER = { partyTypes: true, developer: { select: { sandboxPartyId: true } } } as const

/** What the directory looks for. */
export type DirectorySearch = {
  q: string
  partyType: OfferedPartyType | undefined
  /** Id of the last app of the page before. */
  after: string | undefined
}

/** What the directory shows of an app: nothing of its settings, which may have a megabyte. */
const CARD = {
  id: true,
  name: true,
  description: true,
  partyTypes: true,
  developer: { select: { name: true } },
  latest: { select: { purchaseOptions: { omit: { description: true } } } },
} as const satisfies Prisma.AppSelect

/**
 * A page of the directory. `installed` are the ids of those that the visitor has, `refused` those
 * that the account that was chosen cannot have, each with the reason.
 */
export type Directory = {
  apps: AppCard[]
  next: string | undefined
  installed: Set<string>
  refused: Map<string, string>
}

/**
 * One page of the listed apps.
 *
 * @param visitor `partyId`: of that account alone it is told what is installed
 */
export async function readDirectory(
  deps: StoreDeps,
  visitor: { userId: string; partyId: number | undefined } | undefined,
  { q, partyType, after }: DirectorySearch,
): Promise<Directory> {
  const rows = await deps.db.app.findMany({
    where: {
      AND: [foundBy({ q, partyType }), after === undefined ? {} : { id: { gt: after } }],
      deletedAt: null,
    },
    select: CARD,
    orderBy: { id: 'asc' },
    take: PAGE_SIZE + 1,
  })
  const { entries, next } = pageOf(rows, PAGE_SIZE, cardOf, ({ id }) => [id])
  const own =
    visitor === undefined
      ? []
      : await deps.db.installation.findMany({
          where: {
            live: true,
            appId: { in: entries.map(({ id }) => id) },
            party: { memberships: { some: { userId: visitor.userId } } },
            ...(visitor.partyId === undefined ? {} : { partyId: visitor.partyId }),
          },
          select: { appId: true },
        })
  return {
    apps: entries,
    next: next === undefined ? undefined : String(next[0]),
    installed: new Set(own.map(({ appId }) => appId)),
    refused: await readRefused(deps, visitor?.partyId, entries),
  }
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

async function readRefused(
  { db }: StoreDeps,
  partyId: number | undefined,
  apps: readonly AppCard[],
): Promise<Map<string, string>> {
  if (partyId === undefined) return new Map()
  const { type } = await db.party.findUniqueOrThrow({ where: { id: partyId } })
  const ids = apps.map(({ id }) => id)
  const [offers, barred] = await Promise.all([
    db.app.findMany({ where: { id: { in: ids } }, select: { id: true, ...OFFER } }),
    db.installation.findMany({
      where: { partyId, appId: { in: ids }, ...BARRED },
      select: { appId: true },
    }),
  ])
  const others = offers.filter((app) => !isOffered(app, { id: partyId, type }))
  return new Map([
    ...barred.map(({ appId }) => [appId, 'Suspended for this account by the operator.'] as const),
    ...others.map(({ id }) => [id, notOfferedTo(type)] as const),
  ])
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
      ...(userId === undefined ? [] : [{ listed: true, ...installedFor(userId) }]),
    ],
  }
  const { definition, facts } = await findApp(deps.db, appId, where, { withSettings: false })
  const app = await deps.db.app.findUniqueOrThrow({ where: { id: appId }, select: APP_STATE })
  const suspensions = suspensionsOfApp(app)
  const subject = { app, definition, isSuspended: suspensions.length > 0 }
  const accounts = userId === undefined ? [] : await accountsOnListing(deps, userId, subject)
  const { settings: _none, ...listedApp } = publicAppOf(appOf(definition, facts))
  return {
    app: listedApp,
    listed: facts.listed,
    background: !definition.authReturnUrl,
    suspensions,
    options: definition.purchaseOptions,
    accounts,
  }
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
): Promise<TermsFile> {
  if (userId === undefined) return latestTerms(deps, appId, LISTED)
  return latestTerms(deps, appId, { OR: [visibleTo(userId), installedFor(userId)] })
}

function installedFor(userId: string): Prisma.AppWhereInput {
  return { installations: { some: { live: true, party: { memberships: { some: { userId } } } } } }
}
