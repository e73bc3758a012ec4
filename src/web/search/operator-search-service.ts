import { normalEmail } from '../../base/values/email.ts'
import type { Page } from '../../base/values/page-of-list.ts'
import { integerText, isUuid } from '../../base/values/shapes.ts'
import type { Deps } from '../../deps.ts'
import { ignoring } from '../../errors.ts'
import {
  findDeveloperByClientId,
  listDevelopers,
  readDeveloper,
} from '../../identity/accounts/developers-service.ts'
import { listParties, readParty } from '../../identity/accounts/parties-service.ts'
import { listUsers, readUser } from '../../identity/accounts/users-service.ts'
import { withIcons } from '../../marketplace/apps/media/icons-service.ts'
import {
  findAppByName,
  listAllApps,
  readAnyApp,
} from '../../marketplace/apps/operator-apps-service.ts'
import { readAnyInstallation } from '../../marketplace/installations/operator/operator-installations-service.ts'
import { withSuspensions } from '../../marketplace/installations/suspension-causes-service.ts'
import { listStandingInstallations } from '../operator/record-details-service.ts'
import { FOUND_MAX, type FoundSome, firstOf, type OperatorFinds } from './found.ts'

type ReadDeps = Pick<Deps, 'db'>

const FIRST = { after: undefined, limit: FOUND_MAX }

/** What operators find by a text: what has it as its id comes first, then what has it in its name. */
export async function searchAsOperator(deps: ReadDeps, text: string): Promise<OperatorFinds> {
  const id = isUuid(text) ? text.toLowerCase() : undefined
  const [parties, users, developers, apps, installation] = await Promise.all([
    found([partyOfId(deps, text)], listParties(deps, { q: text }, FIRST)),
    found(
      [id && ignoring('not_found', readUser(deps, id)), userOfEmail(deps, text)],
      listUsers(deps, { q: text }, FIRST),
    ),
    found(
      [id && ignoring('not_found', readDeveloper(deps, id)), findDeveloperByClientId(deps, text)],
      listDevelopers(deps, { q: text }, FIRST),
    ),
    found([appOfName(deps, text)], listAllApps(deps, { q: text }, FIRST)),
    id && ignoring('not_found', readAnyInstallation(deps, id)),
  ])
  const of =
    named(parties, (party) => ({ partyId: party.id, name: party.name })) ??
    named(apps, (app) => ({ appId: app.id, name: app.name }))
  const [exact, listed] = await Promise.all([
    withIcons(deps, await withSuspensions(deps, installation ? [installation] : [])),
    of && listStandingInstallations(deps, of, FIRST),
  ])
  const installations = firstOf([...exact, ...(listed?.entries ?? [])], listed?.next !== undefined)
  return { parties, users, developers, apps, installations: { ...installations, of } }
}

/** @param exact what the text is the id of, if anything is */
async function found<Entry extends { id: string | number }>(
  exact: readonly (Promise<Entry | undefined> | undefined | '')[],
  listed: Promise<Page<Entry>>,
): Promise<FoundSome<Entry>> {
  const [{ entries, next }, ...meant] = await Promise.all([listed, ...exact])
  const all = [...meant.flatMap((one) => one || []), ...entries]
  const byId = new Map(all.map((one) => [one.id, one]))
  return firstOf([...byId.values()], next !== undefined)
}

/** The only thing of a kind that was found, if there is but one. */
function named<Entry, Of>({ entries, hasMore }: FoundSome<Entry>, of: (entry: Entry) => Of) {
  const [only] = entries
  return only !== undefined && entries.length === 1 && !hasMore ? of(only) : undefined
}

async function partyOfId(deps: ReadDeps, text: string) {
  if (!integerText().safeParse(text).success) return undefined
  return ignoring('not_found', readParty(deps, Number(text)))
}

async function userOfEmail(deps: ReadDeps, text: string) {
  const { entries } = await listUsers(deps, { email: normalEmail(text) }, FIRST)
  return entries[0]
}

async function appOfName(deps: ReadDeps, text: string) {
  const id = await findAppByName(deps, text)
  return id === undefined ? undefined : ignoring('not_found', readAnyApp(deps, id))
}
