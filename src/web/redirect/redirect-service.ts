import { authReturnUrlProblem, withToken } from '../../apps/auth-return-url.ts'
import { LISTED } from '../../apps/catalogue-service.ts'
import type { Session } from '../../auth/user-session-service.ts'
import type { Deps } from '../../deps.ts'
import type { AppError } from '../../errors.ts'
import { tokenClaims } from '../../installations/mint-token-service.ts'
import { issueToken } from '../../tokens/issue-service.ts'
import { visibleTo } from '../marketplace/directory-service.ts'
import type { PageParty } from '../shared/page/page-party.ts'
import {
  appSuspended,
  brokenReturnAddress,
  nothingToOpen,
  notInstalled,
  notYourAccount,
  suspendedFor,
  unknownApp,
  wrongClientId,
} from './redirect-refusals.ts'
import type { RedirectRequest } from './redirect-request.ts'

/** Other texts are no app's id, and some of them (NUL) no text for Postgres. */
const APP_ID = /^[a-z0-9-]{1,64}$/

/** An app that the redirect can lead to. */
type RedirectApp = { id: string; name: string; listed: boolean; authReturnUrl: string }

/**
 * What the sign-in says of the app that a visitor is on the way to: nothing that is not public.
 * Without a usable return address the way ends on a page of ours.
 */
export async function findListedApp(
  { db }: Pick<Deps, 'db'>,
  appId: string,
): Promise<{ name: string; authReturnUrl: string | undefined } | undefined> {
  if (!APP_ID.test(appId)) return undefined
  const app = await db.app.findFirst({
    where: { id: appId, ...LISTED },
    select: { name: true, authReturnUrl: true },
  })
  if (app === null) return undefined
  const { name, authReturnUrl } = app
  const isUsable = authReturnUrl !== null && authReturnUrlProblem(authReturnUrl) === null
  return { name, authReturnUrl: isUsable ? authReturnUrl : undefined }
}

type RedirectStep =
  | { kind: 'redirect'; location: string }
  | { kind: 'choose'; app: RedirectApp; parties: PageParty[] }

/**
 * Sends a signed-in user on: to the app with a token, or to the choice of an account when
 * several have the app. Client ids and hidden apps are the business of those who have the app:
 * anybody else hears the same of a hidden app as of an unknown one.
 *
 * @throws AppError not_found for an unknown app, and when no account of the user has it;
 *   unprocessable when the app has no usable return URL, is suspended, or the client id is not one
 *   of its developer; installation_suspended
 */
export async function followRedirect(
  deps: Deps,
  { user, tokenGeneration }: Session,
  { appId, clientId, partyId, state }: RedirectRequest,
): Promise<RedirectStep> {
  const app = await findRedirectApp(deps.db, appId.toLowerCase(), user.id, partyId)
  const target = openable(app, clientId)
  const installations = app.installations.filter(
    ({ party }) => partyId === undefined || party.id === partyId,
  )
  const [first] = installations
  if (first === undefined) throw await notInstalledFor(deps.db, user.id, app, partyId)
  const usable = installations.filter(
    ({ status, party }) => status === 'active' && party.suspendedAt === null,
  )
  const [installation] = usable
  if (installation === undefined) {
    const reason = first.suspendedReason ?? first.party.suspendedReason
    throw suspendedFor(app, first.party.name, first.id, reason)
  }
  if (usable.length > 1) {
    return {
      kind: 'choose',
      app: target,
      parties: usable.map(({ party }) => ({
        partyId: party.id,
        partyName: party.name,
        partyType: party.type,
      })),
    }
  }
  const maker = {
    user_id: user.id,
    ugen: tokenGeneration,
    mgen: installation.membership.generation,
  }
  const { token } = await issueToken(
    deps,
    tokenClaims(installation, installation.permissions, maker),
    deps.config.redirectTokenTtlSeconds,
  )
  return { kind: 'redirect', location: withToken(target.authReturnUrl, token, state) }
}

type FoundApp = Awaited<ReturnType<typeof findRedirectApp>>

/**
 * An app with its installations in the accounts of a user.
 *
 * @param partyId the account that was asked for, if one was
 * @throws AppError not_found when there is no such app, or no account of the user has it
 */
async function findRedirectApp(
  db: Deps['db'],
  id: string,
  userId: string,
  partyId: number | undefined,
) {
  const app = APP_ID.test(id)
    ? await db.app.findFirst({
        where: { id, deletedAt: null },
        include: {
          developer: { include: { credentials: { where: { removedAt: null } } } },
          installations: {
            where: { live: true, party: { memberships: { some: { userId } } } },
            include: { party: { include: { memberships: { where: { userId } } } } },
            orderBy: [{ party: { name: 'asc' } }, { partyId: 'asc' }],
          },
        },
      })
    : null
  if (app === null) throw unknownApp()
  // Without those whose membership has ended since they were read.
  const installations = app.installations.flatMap(({ party, ...installation }) =>
    party.memberships.map((membership) => ({ ...installation, party, membership })),
  )
  if (installations.length > 0) return { ...app, installations }
  const isVisible = (await db.app.count({ where: { id, ...visibleTo(userId) } })) > 0
  throw isVisible ? await notInstalledFor(db, userId, app, partyId) : unknownApp()
}

/** @throws AppError unprocessable, in words for somebody who has the app */
function openable(app: FoundApp, clientId: string | undefined): RedirectApp {
  const { id, name, listed, authReturnUrl, developer, installations } = app
  const ownId = installations[0]?.id
  if (app.suspendedAt !== null || developer.suspendedAt !== null) {
    throw appSuspended(app, ownId, app.suspendedReason ?? developer.suspendedReason)
  }
  if (clientId !== undefined && !developer.credentials.some((one) => one.clientId === clientId)) {
    throw wrongClientId(app, ownId)
  }
  if (!authReturnUrl) throw nothingToOpen(app, ownId)
  // Checked when it was saved, and again here: this is where a wrong one would hurt.
  if (authReturnUrlProblem(authReturnUrl) !== null) throw brokenReturnAddress(app, ownId)
  return { id, name, listed, authReturnUrl }
}

/** For which account an app is not installed, and what is left to do. */
async function notInstalledFor(
  db: Deps['db'],
  userId: string,
  app: Pick<FoundApp, 'id' | 'name' | 'listed'>,
  partyId: number | undefined,
): Promise<AppError> {
  const own = { memberships: { some: { userId } } }
  const [accounts, named, elsewhere] = await Promise.all([
    db.party.findMany({ where: own, take: 2, select: { id: true, name: true } }),
    partyId === undefined ? null : db.party.findFirst({ where: { ...own, id: partyId } }),
    db.installation.count({ where: { appId: app.id, live: true, party: own } }),
  ])
  if (partyId !== undefined && named === null) return notYourAccount(app, partyId, elsewhere > 0)
  const only = accounts.length === 1 ? accounts[0] : undefined
  return notInstalled(app, named ?? only, {
    isElsewhere: elsewhere > 0,
    isOneOfSeveral: accounts.length > 1,
  })
}
