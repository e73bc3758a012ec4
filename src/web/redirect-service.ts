import { authReturnUrlProblem, withToken } from '../apps/auth-return-url.ts'
import { LISTED } from '../apps/catalogue-service.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../errors.ts'
import { tokenClaims } from '../installations/token-service.ts'
import { issueToken } from '../tokens/issue-service.ts'
import type { PageParty } from './page.ts'
import type { RedirectRequest } from './redirect-request.ts'
import type { Session } from './session-service.ts'
import { visibleTo } from './storefront-service.ts'

/** Other texts are no app's id, and some of them (NUL) no text for Postgres. */
const APP_ID = /^[a-z0-9-]{1,64}$/

/** An app that the redirect can lead to. */
type RedirectApp = { id: string; name: string; authReturnUrl: string }

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
  const app = await findRedirectApp(deps.db, appId.toLowerCase(), user.id)
  const target = openable(app, clientId)
  const installations = app.installations.filter(
    ({ party }) => partyId === undefined || party.id === partyId,
  )
  if (installations.length === 0) throw notInstalled(app)
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
 * @throws AppError not_found when there is no such app, or no account of the user has it
 */
async function findRedirectApp(db: Deps['db'], id: string, userId: string) {
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
  if (app !== null) {
    // Without those whose membership has ended since they were read.
    const installations = app.installations.flatMap(({ party, ...installation }) =>
      party.memberships.map((membership) => ({ ...installation, party, membership })),
    )
    if (installations.length > 0) return { ...app, installations }
    if ((await db.app.count({ where: { id, ...visibleTo(userId) } })) > 0) throw notInstalled(app)
  }
  throw new AppError('not_found', {
    detail: 'There is no app at this address. Check the link, or ask whoever gave it to you.',
  })
}

function notInstalled({ name }: { name: string }): AppError {
  return new AppError('not_found', {
    detail: `${name} is not installed for your account. Install it first, or sign in as somebody whose account has it.`,
  })
}

/** @throws AppError unprocessable, in words for somebody who has the app */
function openable(
  { id, name, authReturnUrl, ...app }: FoundApp,
  clientId: string | undefined,
): RedirectApp {
  const { developer } = app
  if (app.suspendedAt !== null || developer.suspendedAt !== null) {
    const why = reasonGiven(app.suspendedReason ?? developer.suspendedReason)
    throw new AppError('unprocessable', {
      detail: `${name} is suspended by the marketplace and cannot be opened for now.${why}`,
    })
  }
  if (clientId !== undefined && !developer.credentials.some((one) => one.clientId === clientId)) {
    throw new AppError('unprocessable', {
      detail: `The link names a client id that does not belong to ${name}. Ask the app's developer for a correct link.`,
    })
  }
  // Checked when it was saved, and again here: this is where a wrong one would hurt.
  if (authReturnUrl === null || authReturnUrlProblem(authReturnUrl) !== null) {
    throw new AppError('unprocessable', {
      detail: `${name} has no valid return address, so it cannot be opened from here. Its developer has to configure one.`,
    })
  }
  return { id, name, authReturnUrl }
}

function reasonGiven(reason: string | null): string {
  if (reason === null) return ''
  return ` The reason given: ${/[.!?]$/.test(reason) ? reason : `${reason}.`}`
}
