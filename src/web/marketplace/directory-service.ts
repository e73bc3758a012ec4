import { adminNamesOfEach, whoCan } from '../../accounts/members/party-members-service.ts'
import { appOf, type PublicApp, publicAppOf } from '../../apps/app-record.ts'
import { LISTED, listCatalogue, visibleTo } from '../../apps/catalogue-service.ts'
import { ownSite } from '../../apps/own-site.ts'
import { quote } from '../../apps/pricing/quotes.ts'
import { findApp } from '../../apps/read-apps-service.ts'
import { latestTerms, type TermsFile } from '../../apps/terms/read-terms-service.ts'
import type { Prisma } from '../../database/generated/client.ts'
import type { Deps } from '../../deps.ts'
import { waitingRequests } from '../../installations/requests/requests-shown-service.ts'
import { BARRED, ofUser } from '../../installations/stored-installation-service.ts'
import type { SuspensionCause } from '../../installations/suspension-causes.ts'
import { countProductsOfEach } from '../../products/count-service.ts'
import type { OfferedPartyType } from '../../values/party-type.ts'
import type { PageParty } from '../shared/page/page-party.ts'
import { accountSuspended, installBarred } from '../shared/status/suspension-words.ts'
import { type Listing, notOfferedTo } from './account-on-listing.ts'

type StoreDeps = Pick<Deps, 'db'>

const PAGE_SIZE = 24

/** What the directory looks for. */
export type DirectorySearch = {
  q: string
  partyType: OfferedPartyType | undefined
  /** Id of the last app of the page before. */
  after: string | undefined
}

/**
 * A page of the directory. `installed` are the ids of those that the visitor has, `refused` those
 * that the account that was chosen cannot have, each with the reason.
 */
export type Directory = {
  apps: PublicApp[]
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
  const { entries, next } = await listCatalogue(
    deps,
    { q, partyType },
    { after: after === undefined ? undefined : [after], limit: PAGE_SIZE },
  )
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

async function readRefused(
  { db }: StoreDeps,
  partyId: number | undefined,
  apps: readonly PublicApp[],
): Promise<Map<string, string>> {
  if (partyId === undefined) return new Map()
  const { type } = await db.party.findUniqueOrThrow({ where: { id: partyId } })
  const ids = apps.map(({ id }) => id)
  const [own, barred] = await Promise.all([
    db.app.findMany({
      where: { id: { in: ids }, developer: { sandboxPartyId: partyId } },
      select: { id: true },
    }),
    db.installation.findMany({
      where: { partyId, appId: { in: ids }, ...BARRED },
      select: { appId: true },
    }),
  ])
  const offered = ({ id, partyTypes }: PublicApp) =>
    type === 'None' ? own.some((app) => app.id === id) : partyTypes.includes(type)
  return new Map([
    ...barred.map(({ appId }) => [appId, 'Suspended for this account by the operator.'] as const),
    ...apps.filter((app) => !offered(app)).map(({ id }) => [id, notOfferedTo(type)] as const),
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
  const { definition, facts, developerId } = await findApp(deps.db, appId, {
    OR: [
      visibleTo(userId),
      ...(userId === undefined ? [] : [{ listed: true, ...installedFor(userId) }]),
    ],
  })
  const suspensions = await readSuspensions(deps, appId)
  const options = definition.purchaseOptions
  const parties =
    userId === undefined
      ? []
      : await deps.db.party.findMany({
          where: { memberships: { some: { userId } } },
          include: {
            sandboxOf: { select: { id: true } },
            memberships: { where: { userId }, select: { role: true } },
            installations: { where: { appId, live: true }, select: { id: true, status: true } },
          },
          orderBy: [{ name: 'asc' }, { id: 'asc' }],
        })
  // Together for all accounts: a user may have a thousand.
  const [records, admins, requests, bars] = await Promise.all([
    countProductsOfEach(
      deps,
      parties.map(({ id, type }) => ({ partyId: id, partyType: type })),
    ),
    adminNamesOfEach(
      deps.db,
      parties.flatMap(({ id, memberships: [own] }) => (own?.role === 'admin' ? [] : [id])),
    ),
    userId === undefined ? new Map() : waitingRequests(deps, userId, appId),
    userId === undefined ? new Map() : readBars(deps, userId, appId),
  ])
  const accounts = parties.map(
    ({ id, name, type, suspendedAt, suspendedReason, sandboxOf, memberships, installations }) => {
      const isAdmin = memberships[0]?.role === 'admin'
      const offered =
        type === 'None' ? sandboxOf?.id === developerId : definition.partyTypes.includes(type)
      return {
        partyId: id,
        partyName: name,
        partyType: type,
        offered,
        obstacle:
          suspensions.length > 0
            ? 'The app is suspended.'
            : obstacleOf(
                { offered, type },
                suspendedAt && { reason: suspendedReason },
                bars.get(id),
              ),
        whoCan: isAdmin ? null : whoCanInstall(admins.get(id) ?? []),
        installationId: installations[0]?.id ?? null,
        requestId: isAdmin ? null : (requests.get(id) ?? null),
        canOpen:
          installations[0]?.status === 'active' &&
          suspendedAt === null &&
          suspensions.length === 0 &&
          Boolean(definition.authReturnUrl),
        site: ownSite(definition),
        quotes: options.map((option) => quote(option, records.get(id) ?? 0)),
      }
    },
  )
  return {
    app: publicAppOf(appOf(definition, facts)),
    listed: facts.listed,
    background: !definition.authReturnUrl,
    suspensions,
    options,
    accounts,
  }
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

async function readSuspensions({ db }: StoreDeps, appId: string): Promise<SuspensionCause[]> {
  const select = { suspendedAt: true, suspendedReason: true } as const
  const app = await db.app.findUniqueOrThrow({
    where: { id: appId },
    select: { ...select, developer: { select } },
  })
  return [
    { what: 'app', ...app } as const,
    { what: 'developer', ...app.developer } as const,
  ].flatMap(({ what, suspendedAt, suspendedReason: reason }) =>
    suspendedAt === null ? [] : [{ what, by: 'operator', reason }],
  )
}

function installedFor(userId: string): Prisma.AppWhereInput {
  return { installations: { some: { live: true, party: { memberships: { some: { userId } } } } } }
}

type Stop = { reason: string | null }

/** Of the user's accounts those that cannot install the app again, and why. */
async function readBars(
  { db }: StoreDeps,
  userId: string,
  appId: string,
): Promise<Map<number, Stop>> {
  const rows = await db.installation.findMany({
    where: { appId, ...BARRED, ...ofUser(userId) },
    select: { partyId: true, suspendedReason: true },
    orderBy: { uninstalledAt: 'asc' },
  })
  return new Map(rows.map(({ partyId, suspendedReason: reason }) => [partyId, { reason }]))
}

function obstacleOf(
  { offered, type }: { offered: boolean; type: PageParty['partyType'] },
  suspension: Stop | null,
  bar: Stop | undefined,
): string | null {
  if (!offered) return notOfferedTo(type)
  if (suspension) return accountSuspended(suspension.reason)
  return bar ? installBarred(bar.reason) : null
}

function whoCanInstall(admins: readonly string[]): string {
  return `You are a member of this account, and only its admins install apps. ${whoCan(admins)}`
}
