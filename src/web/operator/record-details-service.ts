import type { Page, PageRequest } from '../../base/values/page-of-list.ts'
import type { Deps } from '../../deps.ts'
import { ignoring } from '../../errors.ts'
import { readDeveloper } from '../../identity/accounts/developers-service.ts'
import { listDeveloperMembers } from '../../identity/accounts/members/developer-members-service.ts'
import { rolesOf } from '../../identity/accounts/members/memberships-service.ts'
import { listParties, readParty } from '../../identity/accounts/parties-service.ts'
import { listUsers, readUser } from '../../identity/accounts/users-service.ts'
import { hasSecondFactor } from '../../identity/auth/second-factor/factor-policy-service.ts'
import { readAppListing } from '../../marketplace/apps/listing/app-listing-service.ts'
import { withIcons } from '../../marketplace/apps/media/icons-service.ts'
import { listAllApps, readAnyApp } from '../../marketplace/apps/operator-apps-service.ts'
import { findApp } from '../../marketplace/apps/read-apps-service.ts'
import {
  listAllInstallations,
  type OperatorInstallationFilters,
  optionsOfInstallations,
  readAnyInstallation,
} from '../../marketplace/installations/operator/operator-installations-service.ts'
import { withSuspensions } from '../../marketplace/installations/suspension-causes-service.ts'
import { summariseEndpoints } from '../../marketplace/webhooks/endpoints/endpoint-summaries-service.ts'
import type {
  AppDetail,
  DeveloperDetail,
  InstallationDetail,
  InstallationEntry,
  PartyDetail,
  UserDetail,
} from './record-details.ts'

type ReadDeps = Pick<Deps, 'db'>

/** A page shows the first ones, and leads to the list of all. */
const FIRST_PAGE = { after: undefined, limit: 20 }
/** More people than a developer may have. */
const ALL_PEOPLE = { after: undefined, limit: 100 }

/**
 * A party with its users, installations and connections.
 *
 * @throws AppError not_found
 */
export async function readPartyDetail(deps: ReadDeps, id: number): Promise<PartyDetail> {
  const [party, users, installations, partners] = await Promise.all([
    readParty(deps, id),
    listUsers(deps, { partyId: id }, FIRST_PAGE),
    listStandingInstallations(deps, { partyId: id }, FIRST_PAGE),
    listParties(deps, { partnerId: id }, FIRST_PAGE),
  ])
  const userIds = users.entries.map((user) => user.id)
  const memberships = await rolesOf(deps, { partyId: id, userIds })
  const roles = new Map(memberships.map(({ userId, role }) => [userId, role]))
  return { party, users, roles, installations, partners }
}

/**
 * A user with the parties that it is a member of.
 *
 * @throws AppError not_found
 */
export async function readUserDetail(
  deps: ReadDeps & Pick<Deps, 'config'>,
  id: string,
): Promise<UserDetail> {
  const [user, parties, hasFactor] = await Promise.all([
    readUser(deps, id),
    listParties(deps, { memberId: id }, FIRST_PAGE),
    hasSecondFactor(deps, id),
  ])
  const partyIds = parties.entries.map((party) => party.id)
  const memberships = await rolesOf(deps, { userId: id, partyIds })
  const roles = new Map(memberships.map(({ partyId, role }) => [partyId, role]))
  return { user, parties, roles, hasFactor, hasPassword: deps.config.passwordLogin }
}

/**
 * A developer with its apps and its people.
 *
 * @throws AppError not_found
 */
export async function readDeveloperDetail(deps: ReadDeps, id: string): Promise<DeveloperDetail> {
  const [developer, apps, people] = await Promise.all([
    readDeveloper(deps, id),
    listAllApps(deps, { developerId: id }, FIRST_PAGE),
    listDeveloperMembers(deps, id, ALL_PEOPLE),
  ])
  return { developer, apps, people: people.entries }
}

/**
 * An app with its latest definition, its installations and its webhook endpoints.
 *
 * @throws AppError not_found
 */
export async function readAppDetail(deps: ReadDeps, id: string): Promise<AppDetail> {
  const [app, { definition, facts }, { listing: words }, installations, webhooks] =
    await Promise.all([
      readAnyApp(deps, id),
      findApp(deps.db, id, {}),
      readAppListing(deps, id, {}),
      listStandingInstallations(deps, { appId: id }, FIRST_PAGE),
      summariseEndpoints(deps, id),
    ])
  const { screenshots } = facts
  return { app, definition, words, screenshots, installations, webhooks }
}

/** Installations, each with what keeps it from working; of any status but uninstalled unless asked. */
export async function listStandingInstallations(
  deps: ReadDeps,
  filters: OperatorInstallationFilters,
  page: PageRequest,
): Promise<Page<InstallationEntry>> {
  const { entries, next } = await listAllInstallations(deps, filters, page)
  return { entries: await withSuspensions(deps, await withIcons(deps, entries)), next }
}

/**
 * One installation with what keeps it from working.
 *
 * @throws AppError not_found
 */
export async function readStandingInstallation(
  deps: ReadDeps,
  id: string,
): Promise<InstallationDetail> {
  const one = await readAnyInstallation(deps, id)
  const [[entry], app, options] = await Promise.all([
    withSuspensions(deps, await withIcons(deps, [one])),
    ignoring('not_found', readAnyApp(deps, one.appId)),
    optionsOfInstallations(deps, [id]),
  ])
  return {
    ...one,
    iconId: entry?.iconId ?? null,
    suspensions: entry?.suspensions ?? [],
    isAppDeleted: app === undefined,
    optionName: options.get(one.id)?.name ?? one.purchaseOptionId,
  }
}
