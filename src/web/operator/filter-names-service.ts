import { COMMAND_LINE_ID } from '../../base/values/actor.ts'
import { isUuid } from '../../base/values/shapes.ts'
import type { Deps } from '../../deps.ts'
import {
  developersOfClients,
  namesOfDevelopers,
  namesOfParties,
  namesOfUsers,
} from '../../identity/accounts/account-names-service.ts'
import { namesOfInstallations } from '../../marketplace/installations/operator/operator-installations-service.ts'

type ReadDeps = Pick<Deps, 'db'>
type ByFilter = Readonly<Record<string, string>>

/** Filter -> what the thing is called whose id it has. */
const FINDERS: Readonly<
  Record<string, (deps: ReadDeps, id: string) => Promise<string | undefined>>
> = {
  partyId: partyName,
  partnerId: partyName,
  memberId: userName,
  developerId: async (deps, id) => (await namesOfDevelopers(deps, [id])).get(id),
  actorId: actorName,
}

/** What those are called whose ids the filters have: filter -> name, if it has one. */
export async function namesOfFilters(deps: ReadDeps, chosen: ByFilter): Promise<ByFilter> {
  const found = await Promise.all(
    Object.entries(chosen).map(async ([filter, id]) => {
      const find = Object.hasOwn(FINDERS, filter) ? FINDERS[filter] : undefined
      return [filter, await find?.(deps, id.toLowerCase())] as const
    }),
  )
  return Object.fromEntries(found.flatMap(([filter, name]) => (name ? [[filter, name]] : [])))
}

async function partyName(deps: ReadDeps, id: string): Promise<string | undefined> {
  return (await namesOfParties(deps, [Number(id)])).get(Number(id))?.name
}

async function userName(deps: ReadDeps, id: string): Promise<string | undefined> {
  return (await namesOfUsers(deps, [id])).get(id)?.name
}

async function actorName(deps: ReadDeps, id: string): Promise<string | undefined> {
  if (id === COMMAND_LINE_ID) return 'the command line'
  if (!isUuid(id)) return (await developersOfClients(deps, [id])).get(id)
  return (await userName(deps, id)) ?? (await namesOfInstallations(deps, [id])).get(id)
}
