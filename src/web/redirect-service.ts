import { authReturnUrlProblem, withToken } from '../apps/auth-return-url.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../errors.ts'
import { tokenClaims } from '../installations/token-service.ts'
import { issueToken } from '../tokens/issue-service.ts'
import type { PageParty } from './page.ts'
import type { RedirectRequest } from './redirect-request.ts'

/** Other texts are no app's id, and some of them (NUL) no text for Postgres. */
const APP_ID = /^[a-z0-9-]{1,64}$/

/** An app that the redirect can lead to. */
export type RedirectApp = { id: string; name: string; authReturnUrl: string }

/**
 * Finds the app that a user is on the way to, and checks all that does not depend on the user.
 *
 * @param userId who is told why the app is suspended, when an account of the user has it
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
  if (app === null) {
    throw new AppError('not_found', {
      detail: 'There is no app at this address. Check the link, or ask whoever gave it to you.',
    })
  }
  if (app.suspendedAt !== null || app.developer.suspendedAt !== null) {
    const isConcerned =
      userId !== undefined &&
      (await db.installation.count({
        where: { appId: id, live: true, party: { memberships: { some: { userId } } } },
      })) > 0
    const why = isConcerned ? reasonGiven(app.suspendedReason ?? app.developer.suspendedReason) : ''
    throw new AppError('unprocessable', {
      detail: `${app.name} is suspended by the marketplace and cannot be opened for now.${why}`,
    })
  }
  const { credentials } = app.developer
  if (clientId !== undefined && !credentials.some((one) => one.clientId === clientId)) {
    throw new AppError('unprocessable', {
      detail: `The link names a client id that does not belong to ${app.name}. Ask the app's developer for a correct link.`,
    })
  }
  // Checked when it was saved, and again here: this is where a wrong one would hurt.
  if (app.authReturnUrl === null || authReturnUrlProblem(app.authReturnUrl) !== null) {
    throw new AppError('unprocessable', {
      detail: `${app.name} has no valid return address, so it cannot be opened from here. Its developer has to configure one.`,
    })
  }
  return { id: app.id, name: app.name, authReturnUrl: app.authReturnUrl }
}

function reasonGiven(reason: string | null): string {
  if (reason === null) return ''
  return ` The reason given: ${/[.!?]$/.test(reason) ? reason : `${reason}.`}`
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
  if (installations.length === 0) {
    throw new AppError('not_found', {
      detail: `${app.name} is not installed for your account. Install it first, or sign in as somebody whose account has it.`,
    })
  }
  const usable = installations.filter(
    ({ status, party }) => status === 'active' && party.suspendedAt === null,
  )
  const [installation] = usable
  if (installation === undefined) {
    const [first] = installations
    const why = reasonGiven(first?.suspendedReason ?? first?.party.suspendedReason ?? null)
    throw new AppError('installation_suspended', {
      detail: `${app.name} is suspended for your account.${why} Ask the marketplace's operator what to do.`,
    })
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
