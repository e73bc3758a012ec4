import { answerUrlProblem, authReturnUrlProblem } from '../../apps/auth-return-url.ts'
import { LISTED } from '../../apps/catalogue-service.ts'
import type { Deps } from '../../deps.ts'
import type { AppError } from '../../errors.ts'
import { visibleTo } from '../marketplace/directory-service.ts'
import {
  appSuspended,
  brokenReturnAddress,
  nothingToOpen,
  notInstalled,
  notYourAccount,
  takesCodes,
  unknownApp,
  wrongClientId,
  wrongReturnAddress,
} from './redirect-refusals.ts'
import type { RedirectRequest } from './redirect-request.ts'

/** Other texts are no app's id, and some of them (NUL) no text for Postgres. */
const APP_ID = /^[a-z0-9-]{1,64}$/

export function isAppId(text: string): boolean {
  return APP_ID.test(text)
}

/** An app that a redirect can lead to, and the credential that a code is for. */
export type RedirectApp = {
  id: string
  name: string
  listed: boolean
  authReturnUrl: string
  credentialId: string | undefined
  /** Whether the app is told why nobody comes. */
  isToldErrors: boolean
}

/**
 * What the sign-in says of the app that a visitor is on the way to: nothing that is not public.
 * Without a usable return address the way ends on a page of ours.
 */
export async function findListedApp(
  { db }: Pick<Deps, 'db'>,
  appId: string,
): Promise<{ name: string; authReturnUrl: string | undefined } | undefined> {
  if (!isAppId(appId)) return undefined
  const app = await db.app.findFirst({
    where: { id: appId, ...LISTED },
    select: { name: true, authReturnUrl: true },
  })
  if (app === null) return undefined
  const { name, authReturnUrl } = app
  const isUsable = authReturnUrl !== null && authReturnUrlProblem(authReturnUrl) === null
  return { name, authReturnUrl: isUsable ? authReturnUrl : undefined }
}

export type FoundApp = Awaited<ReturnType<typeof findRedirectApp>>

/**
 * An app with its installations in the accounts of a user.
 *
 * @throws AppError not_found when there is no such app, or the user may not know of it
 */
export async function findRedirectApp(db: Deps['db'], id: string, userId: string) {
  const app = isAppId(id)
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
  const isVisible =
    installations.length > 0 || (await db.app.count({ where: { id, ...visibleTo(userId) } })) > 0
  if (!isVisible) throw unknownApp()
  return { ...app, installations }
}

/**
 * The app as the redirect leads to it.
 *
 * @throws AppError unprocessable, in words for somebody who has the app
 */
export function openable(app: FoundApp, { clientId, code }: RedirectRequest): RedirectApp {
  const { id, name, listed, authReturnUrl, developer, installations } = app
  const ownId = installations[0]?.id
  if (app.suspendedAt !== null || developer.suspendedAt !== null) {
    throw appSuspended(app, ownId, app.suspendedReason ?? developer.suspendedReason)
  }
  const credential = developer.credentials.find((one) => one.clientId === clientId)
  if (credential === undefined && (clientId !== undefined || code !== undefined)) {
    throw wrongClientId(app, ownId)
  }
  if (!authReturnUrl) throw nothingToOpen(app, ownId)
  const isToldErrors = code !== undefined || app.redirectErrors === 'return'
  const problemOf = isToldErrors ? answerUrlProblem : authReturnUrlProblem
  // Checked when it was saved, and again here: this is where a wrong one would hurt.
  if (problemOf(authReturnUrl) !== null) throw brokenReturnAddress(app, ownId)
  if (code === undefined && app.tokenDelivery === 'code') throw takesCodes(app, ownId)
  if ((code?.redirectUri ?? authReturnUrl) !== authReturnUrl) throw wrongReturnAddress(app, ownId)
  return { id, name, listed, authReturnUrl, credentialId: credential?.id, isToldErrors }
}

/** For which account an app is not installed, and what is left to do. */
export async function notInstalledFor(
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
