import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { AppError } from '../../../errors.ts'
import type { App } from '../../../http/app-type.ts'
import { SIGN_IN_LIMIT_BYTES } from '../../../http/bodies/json-body.ts'
import { clientAddress } from '../../../http/client-address.ts'
import { sendPage } from '../../../http/send-page.ts'
import { readAnySession, readSession } from '../../../identity/auth/user-session-service.ts'
import { acceptInvitationsTo } from '../../../identity/people/accept-invitation-service.ts'
import { userOfIdentity } from '../../../identity/single-sign-on/identity-service.ts'
import {
  CALLBACK_PATH,
  type IdentityProvider,
} from '../../../identity/single-sign-on/provider-service.ts'
import {
  refusedLink,
  refusedOnTheWayTo,
  refusedSignIn,
} from '../../../identity/single-sign-on/refusals.ts'
import { followSignInLink } from '../../../identity/single-sign-on/sign-in-link-service.ts'
import { useOnce } from '../../../identity/single-sign-on/used-sign-ins-service.ts'
import { csrfToken, sessionCookie } from '../../requests/pages.ts'
import {
  beginProviderSignIn,
  type ProviderSignIn,
  takeProviderSignIn,
} from '../../requests/provider-sign-in.ts'
import { finishSignIn, SIGN_IN_CHANGED } from '../../requests/signing-in.ts'
import { linkPage } from '../../shared/sign-in/link-page.ts'
import { safeNextPath } from '../../shared/sign-in/next-path.ts'

const StartQuery = z.looseObject({ next: z.unknown().optional() })
/** The token of a sealed link; ours are shorter. */
const LinkToken = z.string().max(1000).catch('')
const LinkQuery = z.looseObject({ token: LinkToken })
/** Codes of some providers are signed tokens. */
const CALLBACK_QUERY_MAX_LENGTH = 8_192

const UNKNOWN_ATTEMPT =
  'This sign-in was started in another browser, took too long, has ended, or was replaced ' +
  'by a newer one in another tab. Finish the newer one, or start again.'

/** Single sign-on of users, and links that sign operators in. */
export async function singleSignOnRoutes(app: App) {
  const start = { schema: { hide: true, querystring: StartQuery } }
  app.get('/signin/oidc', start, async (request, reply) => {
    const provider = requireProvider(app)
    const next = safeNextPath(request.query.next)
    if (await readSession(app.deps, sessionCookie(request))) return reply.redirect(next, 303)
    try {
      const url = await provider.authorizationUrl(beginProviderSignIn(request, reply, next))
      return reply.redirect(url, 303)
    } catch (error) {
      throw refusedOnTheWayTo(next, error)
    }
  })

  const callback = { schema: { hide: true, querystring: z.looseObject({}) } }
  app.get(CALLBACK_PATH, callback, async (request, reply) => {
    const provider = requireProvider(app)
    const query = request.url.split('?', 2)[1] ?? ''
    const attempt = await takeAttempt(request, reply, query)
    if (attempt === undefined) {
      // A visitor who is signed in has come back to an address that was used.
      if (await readAnySession(app.deps, sessionCookie(request))) {
        return reply.redirect('/login', 303)
      }
      throw refusedSignIn(UNKNOWN_ATTEMPT)
    }
    try {
      return await finishAttempt(request, reply, provider, query, attempt)
    } catch (error) {
      throw refusedOnTheWayTo(attempt.next, error)
    }
  })

  /** The attempt that an answer of the provider is for; undefined when it is not this browser's. */
  async function takeAttempt(request: FastifyRequest, reply: FastifyReply, query: string) {
    if (query.length > CALLBACK_QUERY_MAX_LENGTH) return undefined
    const state = new URLSearchParams(query).get('state') ?? ''
    const attempt = takeProviderSignIn(request, reply, state)
    if (attempt === undefined) return undefined
    const isFirst = await useOnce(app.deps, `state:${attempt.state}`, attempt.expiresAt)
    return isFirst ? attempt : undefined
  }

  async function finishAttempt(
    request: FastifyRequest,
    reply: FastifyReply,
    provider: IdentityProvider,
    query: string,
    attempt: ProviderSignIn,
  ) {
    const identity = await provider.identify(query, attempt, clientAddress(request))
    const user = await userOfIdentity(
      app.deps,
      identity,
      clientAddress(request),
      (tx, person, address) => acceptInvitationsTo({ ...app.deps, db: tx }, person, address),
    )
    // The provider asks for a second factor itself, if it is trusted with that.
    const { config, now } = app.deps
    const given = config.oidcTrustSecondFactor ? { factorAt: now() } : {}
    return signIn(request, reply, user, attempt.next, given)
  }

  const link = { schema: { hide: true, querystring: LinkQuery } }
  app.get('/signin/link', link, async (request, reply) =>
    sendPage(
      reply,
      linkPage({
        token: request.query.token,
        csrfToken: csrfToken(request, reply),
        assetVersion: app.assetVersion,
      }),
      { holdsLink: true },
    ),
  )

  const follow = { schema: { hide: true, body: z.looseObject({ token: LinkToken }) } }
  app.post(
    '/signin/link',
    { bodyLimit: SIGN_IN_LIMIT_BYTES, config: { actsOnce: true }, ...follow },
    async (request, reply) => {
      const user = await followSignInLink(app.deps, request.body.token)
      if (user === undefined) throw refusedLink()
      return signIn(request, reply, user, '/Operator')
    },
  )

  /** Goes on as the sign-in form does when it knows who it is. */
  async function signIn(
    request: FastifyRequest,
    reply: FastifyReply,
    user: { id: string; tokenGeneration: number },
    next: string,
    given: { factorAt?: Date } = {},
  ) {
    const isDone = await finishSignIn(request, reply, user, next, given)
    if (!isDone) throw refusedSignIn(SIGN_IN_CHANGED)
    return reply
  }
}

/** @throws AppError not_found where single sign-on is not set up */
function requireProvider({ deps }: App): IdentityProvider {
  if (deps.identityProvider === undefined) throw new AppError('not_found')
  return deps.identityProvider
}
