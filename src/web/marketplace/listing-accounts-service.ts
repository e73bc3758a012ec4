import { byName } from '../../base/values/names.ts'
import { isOffered } from '../../base/values/party-type.ts'
import type { Deps } from '../../deps.ts'
import { adminNamesOfEach, whoCan } from '../../identity/accounts/members/party-members-service.ts'
import { ownSite } from '../../marketplace/apps/own-site.ts'
import { quote } from '../../marketplace/apps/pricing/quotes.ts'
import type { StoredApp } from '../../marketplace/apps/read-apps-service.ts'
import { waitingRequests } from '../../marketplace/installations/requests/requests-shown-service.ts'
import { BARRED, ofUser } from '../../marketplace/installations/stored-installation-service.ts'
import {
  canOpen,
  suspensionsOfAccount,
  suspensionsOfApp,
} from '../../marketplace/installations/suspension-causes.ts'
import { countProductsOfEach } from '../../marketplace/products/count-service.ts'
import type { PageParty } from '../shared/page/page-party.ts'
import { accountSuspended, installBarred } from '../shared/status/suspension-words.ts'
import { type Account, notOfferedTo } from './account-on-listing.ts'

type StoreDeps = Pick<Deps, 'db'>

/** The accounts of a user, by name, each as the app sees it. */
export async function accountsOnListing(
  deps: StoreDeps,
  userId: string,
  { definition, developer, suspendable }: StoredApp,
): Promise<Account[]> {
  const { id: appId, partyTypes, authReturnUrl = null } = definition
  const isSuspended = suspensionsOfApp(suspendable).length > 0
  const app = { ...suspendable, authReturnUrl }
  const parties = await deps.db.party.findMany({
    where: { memberships: { some: { userId } } },
    include: {
      memberships: { where: { userId }, select: { role: true } },
      installations: {
        where: { appId, live: true },
        select: { id: true, status: true, suspendedBy: true, suspendedReason: true },
      },
    },
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
    waitingRequests(deps, userId, appId),
    readBars(deps, userId, appId),
  ])
  return parties.toSorted(byName).map((party) => {
    const { id, name, type, memberships } = party
    const [installation] = party.installations
    const isAdmin = memberships[0]?.role === 'admin'
    const offered = isOffered({ partyTypes, developer }, party)
    return {
      partyId: id,
      partyName: name,
      partyType: type,
      offered,
      obstacle: isSuspended
        ? 'The app is suspended.'
        : obstacleOf({ offered, type }, suspensionsOfAccount(party)[0], bars.get(id)),
      whoCan: isAdmin ? null : whoCanInstall(admins.get(id) ?? []),
      installationId: installation?.id ?? null,
      isSuspended:
        installation !== undefined &&
        (isSuspended ||
          installation.status === 'suspended' ||
          suspensionsOfAccount(party).length > 0),
      requestId: isAdmin ? null : (requests.get(id) ?? null),
      canOpen: installation !== undefined && canOpen({ ...installation, app, party }),
      site: ownSite(definition),
      quotes: definition.purchaseOptions.map((option) => quote(option, records.get(id) ?? 0)),
    }
  })
}

type Stop = { reason: string | null }

/** The accounts of the user that cannot install the app again, and why. */
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
  suspension: Stop | undefined,
  bar: Stop | undefined,
): string | null {
  if (!offered) return notOfferedTo(type)
  if (suspension) return accountSuspended(suspension.reason)
  return bar ? installBarred(bar.reason) : null
}

const OR = new Intl.ListFormat('en', { type: 'disjunction' })

function whoCanInstall(admins: readonly string[]): string {
  return admins.length === 0
    ? `Only admins can install apps. ${whoCan(admins)}`
    : `Only admins can install apps. Request it, and ${OR.format(admins)} will decide.`
}
