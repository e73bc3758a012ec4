import type { Prisma } from '../../../base/database/generated/client.ts'
import { BY_CREATION, createdAfter, creationPosition, pageOf } from '../../../base/values/keyset.ts'
import type { Page, PageRequest } from '../../../base/values/page-of-list.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../errors.ts'
import { profileOf, type SettingsConfiguration } from '../../apps/settings/definitions.ts'
import { purchaseOptionOf } from '../../apps/stored-definition.ts'
import { visibleTo } from '../../apps/visibility/visible-apps-service.ts'
import {
  NOT_IN_SUMMARY,
  permissionsOf,
  REQUEST_PARTS,
  requestedSettingsOf,
  summariesFor,
} from './request-records-service.ts'
import type { RequestListed, RequestShown } from './request-shown.ts'

type StoreDeps = Pick<Deps, 'db'>

/** So many decided requests are listed. */
const DECIDED_SHOWN = 20
/** So many requests of one's own are on the start page, and decided ones for so long. */
const OWN_SHOWN = 5
const OWN_SHOWN_MS = 14 * 24 * 60 * 60 * 1000

/** Without the settings and permissions of the version: they may have 1 MiB. */
const LISTED = {
  omit: NOT_IN_SUMMARY,
  include: {
    membership: REQUEST_PARTS.membership,
    purchaseOption: {
      include: { appVersion: { select: { app: { select: { name: true, iconId: true } } } } },
    },
  },
} as const satisfies Prisma.InstallRequestDefaultArgs

const SHOWN = {
  omit: { passwords: true, consent: true },
  include: {
    membership: REQUEST_PARTS.membership,
    purchaseOption: {
      include: {
        appVersion: {
          select: {
            settings: true,
            permissions: true,
            app: { select: { name: true, iconId: true } },
          },
        },
      },
    },
  },
} as const satisfies Prisma.InstallRequestDefaultArgs

type ListedRow = Prisma.InstallRequestGetPayload<typeof LISTED>

/**
 * The requests that wait, oldest first: those in accounts that the user is an admin of, and the
 * user's own.
 *
 * @param partyId narrows the list to one account
 */
export function listWaitingRequests(
  deps: StoreDeps,
  userId: string,
  partyId: number | undefined,
  page: PageRequest,
): Promise<Page<RequestListed>> {
  return pageOfRequests(deps, userId, { status: 'pending', ...inAccount(partyId) }, page)
}

/**
 * The requests in some accounts, waiting or decided, oldest first: those in accounts that the user is
 * an admin of, and the user's own.
 */
export function listRequests(
  deps: StoreDeps,
  userId: string,
  partyIds: readonly number[],
  page: PageRequest,
): Promise<Page<RequestListed>> {
  return pageOfRequests(deps, userId, { partyId: { in: [...partyIds] } }, page)
}

async function pageOfRequests(
  deps: StoreDeps,
  userId: string,
  which: Prisma.InstallRequestWhereInput,
  { after, limit }: PageRequest,
): Promise<Page<RequestListed>> {
  const rows = await deps.db.installRequest.findMany({
    where: { AND: [which, { OR: [{ userId }, ofAdmin(userId)] }, createdAfter(after)] },
    ...LISTED,
    orderBy: BY_CREATION,
    take: limit + 1,
  })
  const shown = await shownTo(deps, userId, rows)
  return pageOf(shown, limit, (one) => one, creationPosition)
}

/**
 * The requests that are decided, the latest first: those in accounts that the user is an admin of,
 * and the user's own.
 */
export async function listDecidedRequests(
  deps: StoreDeps,
  userId: string,
  partyId: number | undefined,
): Promise<RequestListed[]> {
  const rows = await deps.db.installRequest.findMany({
    where: {
      status: { not: 'pending' },
      OR: [{ userId }, ofAdmin(userId)],
      ...inAccount(partyId),
    },
    ...LISTED,
    orderBy: [{ decidedAt: 'desc' }, { id: 'desc' }],
    take: DECIDED_SHOWN,
  })
  return shownTo(deps, userId, rows)
}

/**
 * The user's own requests for the start page, the latest first: those that wait, and what has become
 * of others lately.
 */
export async function listOwnRequests(
  deps: Pick<Deps, 'db' | 'now'>,
  userId: string,
  partyId: number | undefined,
): Promise<RequestListed[]> {
  const since = new Date(deps.now().getTime() - OWN_SHOWN_MS)
  const rows = await deps.db.installRequest.findMany({
    where: {
      userId,
      OR: [
        { status: 'pending' },
        { status: { in: ['accepted', 'declined'] }, decidedAt: { gte: since } },
      ],
      ...inAccount(partyId),
    },
    ...LISTED,
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: OWN_SHOWN,
  })
  return shownTo(deps, userId, rows)
}

/** The name of the member whose request an installation is; null when nobody asked for it. */
export async function whoAskedFor(
  { db }: StoreDeps,
  installationId: string,
): Promise<string | null> {
  const request = await db.installRequest.findFirst({
    where: { installationId },
    select: { membership: { select: { user: { select: { name: true } } } } },
  })
  return request?.membership.user.name ?? null
}

/** How many requests wait for the user as an admin. */
export function countRequestsToDecide(
  { db }: StoreDeps,
  userId: string,
  partyId: number | undefined,
): Promise<number> {
  const where = { status: 'pending', ...ofAdmin(userId), ...inAccount(partyId) }
  return db.installRequest.count({ where })
}

/**
 * A request of the user's own, or in an account that the user is an admin of.
 *
 * @throws AppError not_found
 */
export async function readRequestShown(
  deps: StoreDeps,
  userId: string,
  requestId: string,
): Promise<RequestShown> {
  const row = await deps.db.installRequest.findFirst({
    where: { id: requestId, OR: [{ userId }, ofAdmin(userId)] },
    ...SHOWN,
  })
  const [shown] = await shownTo(deps, userId, row === null ? [] : [row])
  if (row === null || shown === undefined) {
    throw new AppError('not_found', { detail: 'There is no such request.' })
  }
  const version = row.purchaseOption.appVersion
  const listings = await deps.db.app.count({ where: { id: row.appId, ...visibleTo(userId) } })
  return {
    ...shown,
    hasListing: listings > 0,
    userSettings: requestedSettingsOf(row),
    permissions: permissionsOf(version),
    profile: profileOf(version.settings as SettingsConfiguration, shown.purchaseOptionId),
  }
}

/** The user's own requests for an app that wait: party id -> id of the request. */
export async function waitingRequests(
  { db }: StoreDeps,
  userId: string,
  appId: string,
): Promise<Map<number, string>> {
  const rows = await db.installRequest.findMany({
    where: { userId, appId, status: 'pending' },
    select: { id: true, partyId: true },
  })
  return new Map(rows.map(({ id, partyId }) => [partyId, id]))
}

function ofAdmin(userId: string): Prisma.InstallRequestWhereInput {
  return { membership: { party: { memberships: { some: { userId, role: 'admin' } } } } }
}

function inAccount(partyId: number | undefined) {
  return partyId === undefined ? {} : { partyId }
}

/** Rows as one reader sees them; the products of each account are counted once. */
async function shownTo(
  { db }: StoreDeps,
  userId: string,
  rows: readonly ListedRow[],
): Promise<RequestListed[]> {
  const parties = new Map(rows.map(({ membership }) => [membership.party.id, membership.party]))
  const roles = await db.membership.findMany({
    where: { userId, role: 'admin', partyId: { in: [...parties.keys()] } },
    select: { partyId: true },
  })
  const deciders = await db.user.findMany({
    where: { id: { in: rows.flatMap(({ decidedBy }) => decidedBy ?? []) } },
    select: { id: true, name: true },
  })
  const summaries = new Map<number, Awaited<ReturnType<typeof summariesFor>>>()
  for (const [id, party] of parties) summaries.set(id, await summariesFor({ db }, party))
  return rows.flatMap((row) => {
    const summary = summaries.get(row.partyId)?.(row)
    if (summary === undefined) return []
    const { membership, purchaseOption } = row
    return {
      ...summary,
      appName: purchaseOption.appVersion.app.name,
      iconId: purchaseOption.appVersion.app.iconId,
      partyName: membership.party.name,
      partyType: membership.party.type,
      option: purchaseOptionOf(purchaseOption),
      isOwn: row.userId === userId,
      decidedBy:
        row.decidedBy === userId
          ? 'you'
          : (deciders.find(({ id }) => id === row.decidedBy)?.name ?? null),
      isAdmin: roles.some(({ partyId }) => partyId === row.partyId),
    }
  })
}
