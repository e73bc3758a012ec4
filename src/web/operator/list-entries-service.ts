import { COUNTED_IN_ROW_MAX, type Page, type PageRequest } from '../../base/values/page-of-list.ts'
import type { Deps } from '../../deps.ts'
import {
  countsOfDevelopers,
  countsOfParties,
  signInsOfUsers,
} from '../../identity/accounts/account-counts-service.ts'
import { namesOfParties } from '../../identity/accounts/account-names-service.ts'
import {
  type DeveloperFilters,
  listDevelopers,
} from '../../identity/accounts/developers-service.ts'
import { listParties, type PartyFilters } from '../../identity/accounts/parties-service.ts'
import { listUsers, type UserFilters } from '../../identity/accounts/users-service.ts'
import { countInstallationsOfParties } from '../../marketplace/apps/installation-counts-service.ts'
import {
  type OperatorInstallationFilters,
  optionsOfInstallations,
} from '../../marketplace/installations/operator/operator-installations-service.ts'
import type { DeveloperEntry, InstallationListed, PartyEntry, UserEntry } from './list-columns.ts'
import { listStandingInstallations } from './record-details-service.ts'

type ReadDeps = Pick<Deps, 'db'>

/** Accounts with their figures. */
export async function listPartyEntries(
  deps: ReadDeps,
  filters: PartyFilters,
  page: PageRequest,
): Promise<Page<PartyEntry>> {
  const { entries, next } = await listParties(deps, filters, page)
  const ids = entries.map(({ id }) => id)
  const [counts, apps] = await Promise.all([
    countsOfParties(deps, ids),
    countInstallationsOfParties(deps, ids, COUNTED_IN_ROW_MAX),
  ])
  const none = { members: 0, connections: 0 }
  return {
    next,
    entries: entries.map((party) => ({
      ...party,
      ...(counts.get(party.id) ?? none),
      apps: apps.get(party.id) ?? 0,
    })),
  }
}

/** Users with the accounts they act for, and how they sign in. */
export async function listUserEntries(
  deps: ReadDeps,
  filters: UserFilters,
  page: PageRequest,
): Promise<Page<UserEntry>> {
  const { entries, next } = await listUsers(deps, filters, page)
  const [signIns, names] = await Promise.all([
    signInsOfUsers(
      deps,
      entries.map(({ id }) => id),
    ),
    namesOfParties(deps, [...new Set(entries.flatMap(({ partyIds }) => partyIds))]),
  ])
  const never = { hasFactor: false, signedInAt: null }
  return {
    next,
    entries: entries.map((user) => ({
      ...user,
      ...(signIns.get(user.id) ?? never),
      accounts: user.partyIds.map((id) => ({ id, name: names.get(id)?.name ?? String(id) })),
    })),
  }
}

/** Developers with their figures. */
export async function listDeveloperEntries(
  deps: ReadDeps,
  filters: DeveloperFilters,
  page: PageRequest,
): Promise<Page<DeveloperEntry>> {
  const { entries, next } = await listDevelopers(deps, filters, page)
  const counts = await countsOfDevelopers(
    deps,
    entries.map(({ id }) => id),
  )
  const none = { members: 0, apps: 0 }
  return {
    next,
    entries: entries.map((one) => ({ ...one, ...(counts.get(one.id) ?? none) })),
  }
}

/** Installations with their purchase options, and with what keeps them from working. */
export async function listInstallationEntries(
  deps: ReadDeps,
  filters: OperatorInstallationFilters,
  page: PageRequest,
): Promise<Page<InstallationListed>> {
  const { entries, next } = await listStandingInstallations(deps, filters, page)
  const options = await optionsOfInstallations(
    deps,
    entries.map(({ id }) => id),
  )
  return { next, entries: entries.map((one) => ({ ...one, option: options.get(one.id) })) }
}
