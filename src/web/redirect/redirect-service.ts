import { byName } from '../../base/values/names.ts'
import type { Deps } from '../../deps.ts'
import type { AppError } from '../../errors.ts'
import type { Session } from '../../identity/auth/user-session-service.ts'
import { issueToken } from '../../identity/tokens/issue-service.ts'
import { withAnswer, withToken } from '../../marketplace/apps/auth-return-url.ts'
import { tokenClaims } from '../../marketplace/installations/mint-token-service.ts'
import { suspensionCauses } from '../../marketplace/installations/suspension-causes.ts'
import { issueCode } from '../../marketplace/oauth/issue-code-service.ts'
import { issuerOfApp } from '../../marketplace/oauth/server-metadata.ts'
import type { PageParty } from '../shared/page/page-party.ts'
import { codeProblem, grantProblem } from './code-problem.ts'
import {
  type FoundApp,
  type FoundInstallation,
  findRedirectApp,
  notInstalledFor,
  openable,
  type RedirectApp,
} from './redirect-app-service.ts'
import { suspendedFor } from './redirect-refusals.ts'
import type { RedirectRequest } from './redirect-request.ts'

type RedirectStep =
  | { kind: 'redirect'; location: string }
  | { kind: 'choose'; app: RedirectApp; parties: PageParty[] }

/**
 * The signed-in user. The request may name the account; the one chosen in the page's header plays no
 * part.
 */
type SignedInUser = Pick<Session, 'tokenGeneration'> & {
  user: Pick<Session['user'], 'id' | 'name'>
}

/**
 * Sends a signed-in user to the app with a token or a code, or to the choice of an account when
 * the request names none and several can use the app. An account can use it while neither the account
 * nor its installation is suspended. Only a user who has the app learns about a hidden app; for
 * everybody else it is an unknown one. Such a user learns as well whether the client id is the app's
 * own; in a request for a code every user does.
 *
 * An app that takes or asks for codes is told why no user comes (RFC 6749, 4.1.2.1): only at its
 * own return address, and only when client id and `redirect_uri` are right.
 *
 * @throws AppError not_found for an unknown app, and when no account of the user has it;
 *   unprocessable when the app has no usable return URL, is suspended, takes only codes, or the
 *   client id is not its developer's; installation_suspended
 */
export async function followRedirect(
  deps: Deps,
  session: SignedInUser,
  request: RedirectRequest,
): Promise<RedirectStep> {
  const { appId, partyId, code } = request
  const { id: userId } = session.user
  const app = await findRedirectApp(deps, appId.toLowerCase(), userId)
  // Without a code: a user who does not have the app hears that first, before any fault of the
  // link.
  if (app.installations.length === 0 && code === undefined) {
    return refuse(deps, app, request, await notInstalledFor(deps.db, userId, app, request))
  }
  const target = openable(app, request)
  const problem = code && codeProblem(code, deps.config.publicUrl)
  if (problem !== undefined) return toldError(deps, target, request, problem)
  if (request.cancelled && target.isToldErrors) return denied(deps, target, request)
  const installations = app.installations.filter(
    ({ party }) => partyId === undefined || party.id === partyId,
  )
  const [first] = installations
  if (first === undefined) {
    return refuse(deps, app, request, await notInstalledFor(deps.db, userId, app, request))
  }
  const causesOf = (one: FoundInstallation) => suspensionCauses({ ...one, app })
  const usable = installations.filter((one) => causesOf(one).length === 0)
  const [installation] = usable
  if (installation === undefined) {
    return refuse(deps, app, request, suspendedFor(app, first, causesOf(first)))
  }
  if (usable.length > 1) {
    return {
      kind: 'choose',
      app: target,
      parties: usable
        .map(({ party }) => party)
        .sort(byName)
        .map(({ id, name, type }) => ({ partyId: id, partyName: name, partyType: type })),
    }
  }
  const excess = code && grantProblem(installation.permissions, code)
  if (excess !== undefined) return toldError(deps, target, request, excess)
  return {
    kind: 'redirect',
    location: await addressOfApp(deps, session, request, target, installation),
  }
}

/** The address that the browser is sent to, with a token or a code for the installation. */
async function addressOfApp(
  deps: Deps,
  { user, tokenGeneration }: SignedInUser,
  { code, state }: RedirectRequest,
  { id, authReturnUrl, credentialId = '', kids }: RedirectApp,
  installation: FoundInstallation,
): Promise<string> {
  const { membershipGeneration } = installation
  deps.auditCounts.add({
    actor: { kind: 'user', id: user.id, address: null },
    action: 'installation.opened',
    subject: { kind: 'installation', id: installation.id },
    partyId: installation.party.id,
  })
  if (code?.challenge === undefined) {
    const maker = { user_id: user.id, ugen: tokenGeneration, mgen: membershipGeneration }
    const claims = tokenClaims(installation, installation.permissions, maker)
    const { token } = await issueToken(deps, claims, deps.config.redirectTokenTtlSeconds, kids)
    return withToken(authReturnUrl, token, state)
  }
  const issued = await issueCode(deps, {
    installationId: installation.id,
    credentialId,
    userId: user.id,
    generations: {
      token: installation.tokenGeneration,
      user: tokenGeneration,
      membership: membershipGeneration,
    },
    returnUrl: authReturnUrl,
    challenge: code.challenge,
    scope: code.scope ?? null,
  })
  const iss = issuerOfApp(deps.config.publicUrl, id)
  return withAnswer(authReturnUrl, { code: issued, state, iss })
}

/** Tells the app what went wrong when it wants to know, otherwise the user. */
function refuse(
  deps: Pick<Deps, 'config'>,
  app: FoundApp,
  request: RedirectRequest,
  refusal: AppError,
): RedirectStep {
  if (request.code === undefined && app.redirectErrors !== 'return') throw refusal
  return denied(deps, openable(app, request), request)
}

function denied(deps: Pick<Deps, 'config'>, target: RedirectApp, request: RedirectRequest) {
  return toldError(deps, target, request, { error: 'access_denied' })
}

function toldError(
  { config }: Pick<Deps, 'config'>,
  { id, authReturnUrl }: RedirectApp,
  { state, code }: RedirectRequest,
  { error, description }: { error: string; description?: string },
): RedirectStep {
  const answer = { error, ...(description && { error_description: description }), state }
  const iss = code && { iss: issuerOfApp(config.publicUrl, id) }
  return { kind: 'redirect', location: withAnswer(authReturnUrl, { ...answer, ...iss }) }
}
