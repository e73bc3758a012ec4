import type { Prisma } from '../../base/database/generated/client.ts'
import { rowsToRead, textIn } from '../../base/values/keyset.ts'
import { integerText, isUuid } from '../../base/values/shapes.ts'
import type { Deps } from '../../deps.ts'
import type { Visibility } from '../../marketplace/apps/visibility/visibility.ts'
import { ofUser } from '../../marketplace/installations/stored-installation-service.ts'
import { withSuspensions } from '../../marketplace/installations/suspension-causes-service.ts'
import { searchDocs } from '../docs/docs-search-service.ts'
import { readDirectory } from '../marketplace/directory-service.ts'
import { type DeveloperFinds, type Finds, FOUND_MAX, firstOf } from './found.ts'
import { searchAsOperator } from './operator-search-service.ts'

type ReadDeps = Pick<Deps, 'db'>

/** Who searches, and what they may see. */
type Searcher = {
  /** Undefined for who is not signed in. */
  userId: string | undefined
  /** The account that pages are about, if one is chosen. */
  partyId: number | undefined
  seesAll: boolean
  /** The developer that the console is about, if there is one. */
  developerId: string | undefined
}

/** What somebody finds by a text that shows something. */
export async function searchEverything(
  deps: ReadDeps & Pick<Deps, 'config'>,
  { userId, partyId, seesAll, developerId }: Searcher,
  text: string,
): Promise<Finds> {
  const visitor = userId === undefined ? undefined : { userId, partyId }
  const wanted = { q: text, partyType: null, after: undefined }
  const [operator, developer, installed, directory, guides] = await Promise.all([
    seesAll ? searchAsOperator(deps, text) : undefined,
    developerId === undefined ? undefined : searchAsDeveloper(deps, developerId, text),
    visitor === undefined ? [] : findInstalled(deps, visitor, text),
    readDirectory(deps, visitor, wanted),
    searchDocs(deps, text),
  ])
  const { apps, next, others } = directory
  return {
    operator,
    developer,
    installed: firstOf(installed),
    apps: firstOf(apps, next !== undefined || others > 0),
    guides: firstOf(guides.hits),
  }
}

async function searchAsDeveloper(
  deps: ReadDeps,
  developerId: string,
  text: string,
): Promise<DeveloperFinds> {
  const [apps, installations] = await Promise.all([
    deps.db.app.findMany({
      where: { developerId, deletedAt: null, ...textIn(['name', 'id'], text) },
      select: {
        ...{ id: true, name: true, iconId: true },
        ...{ version: true, visibility: true, suspendedAt: true },
      },
      orderBy: { id: 'asc' },
      take: rowsToRead(FOUND_MAX, text),
    }),
    findOfDeveloper(deps, developerId, text),
  ])
  return {
    apps: firstOf(
      apps.map(({ suspendedAt, visibility, ...app }) => ({
        ...app,
        visibility: visibility as Visibility,
        suspended: suspendedAt !== null,
      })),
    ),
    installations: firstOf(installations),
  }
}

/** By its id, or by the id or the name of its account. */
async function findOfDeveloper(deps: ReadDeps, developerId: string, text: string) {
  if (integerText().safeParse(text).success) {
    const ofAccount = await findInstallations(deps, { developerId, partyId: Number(text) })
    if (ofAccount.length > 0) return ofAccount
  }
  const named = isUuid(text) ? { id: text } : { party: textIn(['name'], text) }
  return findInstallations(deps, { developerId, ...named }, text)
}

/** By its id, or by the id or the name of its app. */
function findInstalled(
  deps: ReadDeps,
  { userId, partyId }: { userId: string; partyId: number | undefined },
  text: string,
) {
  const ofAccount = partyId === undefined ? {} : { partyId }
  const named = isUuid(text) ? { id: text } : { app: textIn(['name', 'id'], text) }
  return findInstallations(deps, { AND: [ofUser(userId), ofAccount, named] }, text)
}

/** @returns one more than is shown, where there are more */
async function findInstallations(
  { db }: ReadDeps,
  where: Prisma.InstallationWhereInput,
  text?: string,
) {
  const rows = await db.installation.findMany({
    where: { ...where, live: true },
    select: {
      ...{ id: true, appId: true, installedVersion: true, status: true },
      app: { select: { name: true, iconId: true } },
      party: { select: { name: true } },
    },
    orderBy: [{ installDate: 'asc' }, { id: 'asc' }],
    take: rowsToRead(FOUND_MAX, text),
  })
  const found = rows.slice(0, FOUND_MAX + 1).map(({ app, party, ...row }) => ({
    ...row,
    appName: app.name,
    iconId: app.iconId,
    partyName: party.name,
  }))
  return withSuspensions({ db }, found)
}
