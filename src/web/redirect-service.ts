import { authReturnUrlProblem, withToken } from '../apps/auth-return-url.ts'
import type { Deps } from '../deps.ts'
import type { AppError } from '../errors.ts'
import { tokenClaims } from '../installations/token-service.ts'
import { issueToken } from '../tokens/issue-service.ts'
import type { PageParty } from './page.ts'
import {
  appSuspended,
  brokenReturnAddress,
  nothingToOpen,
  notInstalled,
  suspendedFor,
  unknownApp,
  wrongClientId,
} from './redirect-refusals.ts'
import type { RedirectRequest } from './redirect-request.ts'

/** Other texts are no app's id, and some of them (NUL) no text for Postgres. */
const APP_ID = /^[a-z0-9-]{1,64}$/

/** An app that the redirect can lead to. */
export type RedirectApp = { id: string; name: string; listed: boolean; authReturnUrl: string }

/**
 * Finds the app that a user is on the way to, and checks all that does not depend on the account.
 *
 * @param userId who is on the way; only who has an app is told of one that is not listed, and why
 *   one is suspended
 * @throws AppError not_found for an unknown app; unprocessable when the app has no usable return
 *   URL, is suspended, or the client id is not one of its developer
 */
export async function findRedirectApp(
  { db }: Pick<Deps, 'db'>,
  { appId, clientId }: Pick<RedirectRequest, 'appId' | 'clientId'>,
  userId?: string,
): Promise<RedirectApp> {
  const id = appId.toLowerCase()
  const app = APP_ID.test(id)
    ? await db.app.findFirst({
        where: { id, deletedAt: null },
        include: { developer: { include: { credentials: { where: { removedAt: null } } } } },
      })
    : null
  if (app === null) throw unknownApp()
  const own =
    userId === undefined
      ? null
      : await db.installation.findFirst({
          where: { appId: id, live: true, party: { memberships: { some: { userId } } } },
          select: { id: true },
        })
  if (userId !== undefined && own === null && !app.listed) throw unknownApp()
  if (app.suspendedAt !== null || app.developer.suspendedAt !== null) {
    const reason = own && (app.suspendedReason ?? app.developer.suspendedReason)
    throw appSuspended(app, own?.id, reason)
  }
  const { credentials } = app.developer
  if (clientId !== undefined && !credentials.some((one) => one.clientId === clientId)) {
    throw wrongClientId(app, own?.id)
  }
  const { authReturnUrl, name, listed } = app
  if (!authReturnUrl) throw nothingToOpen(app, own?.id)
  // Checked when it was saved, and again here: this is where a wrong one would hurt.
  if (authReturnUrlProblem(authReturnUrl) !== null) throw brokenReturnAddress(app, own?.id)
  return { id, name, listed, authReturnUrl }
}

type RedirectStep =
  | { kind: 'redirect'; location: string }
  | { kind: 'choose'; parties: PageParty[] }

/**
 * Sends a signed-in user on: to the app with a token, or to the choice of an account when
 * several have the app.
 *
 * @throws AppError not_found when no account of the user has the app; installation_suspended
 */
export async function continueRedirect(
  deps: Deps,
  userId: string,
  app: RedirectApp,
  { partyId, state }: Pick<RedirectRequest, 'partyId' | 'state'>,
): Promise<RedirectStep> {
  const installations = await deps.db.installation.findMany({
    where: {
      appId: app.id,
      live: true,
      party: { memberships: { some: { userId } } },
      ...(partyId === undefined ? {} : { partyId }),
    },
    include: { party: true },
    orderBy: [{ party: { name: 'asc' } }, { partyId: 'asc' }],
  })
  if (installations.length === 0) throw await notInstalledFor(deps, userId, app, partyId)
  const usable = installations.filter(
    ({ status, party }) => status === 'active' && party.suspendedAt === null,
  )
  const [installation] = usable
  if (installation === undefined) {
    const [first] = installations as [(typeof installations)[number]]
    const reason = first.suspendedReason ?? first.party.suspendedReason
    throw suspendedFor(app, first.party.name, first.id, reason)
  }
  if (usable.length > 1) {
    return {
      kind: 'choose',
      parties: usable.map(({ party }) => ({
        partyId: party.id,
        partyName: party.name,
        partyType: party.type,
      })),
    }
  }
  const { token } = await issueToken(
    deps,
    tokenClaims(installation, installation.permissions, userId),
    deps.config.redirectTokenTtlSeconds,
  )
  return { kind: 'redirect', location: withToken(app.authReturnUrl, token, state) }
}

/** For which account an app is not installed, and what is left to do. */
async function notInstalledFor(
  { db }: Pick<Deps, 'db'>,
  userId: string,
  app: RedirectApp,
  partyId: number | undefined,
): Promise<AppError> {
  const own = { memberships: { some: { userId } } }
  const [accounts, named, elsewhere] = await Promise.all([
    db.party.findMany({ where: own, take: 2, select: { id: true, name: true } }),
    partyId === undefined ? null : db.party.findFirst({ where: { ...own, id: partyId } }),
    db.installation.count({ where: { appId: app.id, live: true, party: own } }),
  ])
  const only = accounts.length === 1 ? accounts[0] : undefined
  return notInstalled(app, named ?? only, {
    isElsewhere: elsewhere > 0,
    isOneOfSeveral: accounts.length > 1,
  })
}
