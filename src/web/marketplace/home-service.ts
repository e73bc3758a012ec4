import { byName } from '../../base/values/names.ts'
import { isOffered } from '../../base/values/party-type.ts'
import type { Deps } from '../../deps.ts'
import { listWaitingInvitations } from '../../identity/people/waiting-invitations-service.ts'
import { ownSite } from '../../marketplace/apps/own-site.ts'
import type { RequestListed } from '../../marketplace/installations/requests/request-shown.ts'
import {
  countRequestsToDecide,
  listOwnRequests,
} from '../../marketplace/installations/requests/requests-shown-service.ts'
import {
  canOpen,
  suspensionCauses,
  suspensionsOfAccount,
} from '../../marketplace/installations/suspension-causes.ts'
import { webhookStatesOfApps } from '../../marketplace/webhooks/endpoints/app-webhooks-service.ts'
import { APPS_OF_ACCOUNT_SHOWN, type HomeApp, type HomeParty } from './home-app.ts'

type StoreDeps = Pick<Deps, 'db' | 'now'>

/** What the start page shows of a user's accounts: one app more of an account than it lists. */
export type Home = {
  parties: HomeParty[]
  apps: HomeApp[]
  requestsToDecide: number
  invitations: number
  /** The user's own: those that wait, and what has become of others lately. */
  ownRequests: RequestListed[]
  /** Whether the user signs in with a second factor. */
  hasTwoStep: boolean
}

const STATE = { suspendedAt: true, suspendedReason: true } as const

/**
 * The accounts of a user, the first apps that are installed for each, and how many install requests
 * and invitations wait for the user.
 *
 * @param chosenId the account that the requests are of; all unless given
 */
export async function readHome(
  { db, now }: StoreDeps,
  userId: string,
  chosenId: number | undefined,
): Promise<Home> {
  const [parties, requestsToDecide, invitations, ownRequests, factors] = await Promise.all([
    db.party.findMany({
      where: { memberships: { some: { userId } } },
      select: {
        ...STATE,
        id: true,
        name: true,
        type: true,
        memberships: { where: { userId }, select: { role: true } },
        _count: { select: { memberships: true } },
      },
    }),
    countRequestsToDecide({ db }, userId, chosenId),
    listWaitingInvitations({ db, now }, userId),
    listOwnRequests({ db, now }, userId, chosenId),
    db.secondFactor.count({ where: { userId, confirmedAt: { not: null } } }),
  ])
  const partyIds = parties.map(({ id }) => id)
  return {
    requestsToDecide,
    invitations: invitations.length,
    ownRequests,
    hasTwoStep: factors > 0,
    parties: parties.toSorted(byName).map((party) => ({
      partyId: party.id,
      partyName: party.name,
      partyType: party.type,
      suspension: suspensionsOfAccount(party)[0] ?? null,
      isAdmin: party.memberships[0]?.role === 'admin',
      hasColleagues: party._count.memberships > 1,
    })),
    apps: await readApps({ db }, partyIds),
  }
}

/** The first apps of each party, and one more if there are more than a page lists. */
async function readApps({ db }: Pick<Deps, 'db'>, partyIds: readonly number[]): Promise<HomeApp[]> {
  const first = await db.$queryRaw<{ id: string }[]>`
    SELECT i.id FROM unnest(${partyIds}::int[]) AS party (id)
    CROSS JOIN LATERAL (
      SELECT i.id FROM installations i WHERE i.party_id = party.id AND i.live
      ORDER BY i.app_id LIMIT ${APPS_OF_ACCOUNT_SHOWN + 1}
    ) AS i`
  const rows = await db.installation.findMany({
    where: { id: { in: first.map(({ id }) => id) } },
    select: {
      ...STATE,
      id: true,
      status: true,
      suspendedBy: true,
      installedVersion: true,
      party: { select: { ...STATE, id: true, name: true, type: true } },
      app: {
        select: {
          ...STATE,
          id: true,
          name: true,
          iconId: true,
          tokenDelivery: true,
          authReturnUrl: true,
          websiteUrl: true,
          version: true,
          partyTypes: true,
          developer: { select: { ...STATE, sandboxPartyId: true } },
        },
      },
    },
    orderBy: { appId: 'asc' },
  })
  const webhooks = await webhookStatesOfApps(
    { db },
    rows.map(({ app }) => app.id),
  )
  return rows.map((row) => {
    const { id: installationId, app, party, installedVersion } = row
    const isUpgradable = app.version !== installedVersion && isOffered(app, party)
    return {
      id: app.id,
      iconId: app.iconId,
      installationId,
      name: app.name,
      partyId: party.id,
      partyName: party.name,
      suspensions: suspensionCauses(row),
      upgrade: isUpgradable ? app.version : null,
      failingSince: webhooks.get(app.id)?.since ?? null,
      canOpen: canOpen(row),
      site: ownSite(app),
    }
  })
}
