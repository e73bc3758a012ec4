import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Actor } from '../../base/values/actor.ts'
import { AppError } from '../../errors.ts'
import type { App } from '../../http/app-type.ts'
import { clientAddress } from '../../http/client-address.ts'
import { stateOf } from '../../http/observability/request-state.ts'
import { readOwnUser } from '../../identity/accounts/own-user-service.ts'
import { readKept } from './answers.ts'
import { askToSignIn, choiceOfDeveloper } from './form-for-later.ts'
import { csrfToken, sessionCookie, sessionCookieAnywhere } from './pages.ts'
import type { ReadVisitor, Visitor } from './visitor-type.ts'

/**
 * Finds out who is signed in, for the pages of this scope.
 *
 * @param read the visitor of a session cookie
 * @param options `required`: a visitor who is not signed in is sent to the sign-in, and from there back;
 *   `answerOther`: answers instead to who is signed in, but not for
 *   these pages
 */
export function recogniseVisitors(
  app: App,
  read: ReadVisitor,
  { required, answerOther }: VisitorOptions,
): void {
  app.decorate('readVisitor', read)
  if (required) {
    app.addHook('onRoute', function askForSession(route) {
      route.config = { ...route.config, asksToSignIn: true }
    })
  }
  app.addHook('preHandler', async function recogniseVisitor(request, reply) {
    request.page.visitor = (await read(sessionCookie(request))) ?? null
    stateOf(request).principal = request.page.visitor?.principal ?? null
    if (request.page.visitor !== null) return readKept(request)
    if (!required) return
    return (await answerOther?.(request, reply)) ? reply : askToSignIn(request, reply)
  })
}

type VisitorOptions = {
  required: boolean
  /** @returns whether it has answered */
  answerOther?: (request: FastifyRequest, reply: FastifyReply) => Promise<boolean>
}

/** Where a visitor comes back to; every address that takes a form shows it, too. */
function addressOf({ method, url }: FastifyRequest): string {
  return method === 'POST' ? (url.split('?', 1)[0] ?? '/') : url
}

/**
 * Who is signed in where a page has failed, perhaps before it found that out: at addresses of pages
 * only. What anybody can ask for in great numbers, as addresses that there are not, or is refused
 * because the database is away, asks no database.
 */
export async function visitorOfFailure(
  { status }: AppError,
  request: FastifyRequest,
  read: ReadVisitor,
): Promise<Visitor | null> {
  const known = (request.page as FastifyRequest['page'] | undefined)?.visitor
  if (known) return known
  if (request.routeOptions.config.audience !== 'browser') return null
  if (status === 429 || status >= 500) return null
  try {
    return (await read(sessionCookieAnywhere(request))) ?? null
  } catch (error) {
    request.log.debug({ reqId: request.id, err: error }, 'no visitor for an error page')
    return null
  }
}

/**
 * Keeps the pages of this scope to operators, checked on every request; support looks at them and sends
 * no form. Nobody else learns that there is anything. Registered after `recogniseVisitors`.
 */
export function admitOperators(app: App): void {
  app.addHook('preHandler', async function admitOperator(request) {
    return requireOperator(request, visitorOf(request))
  })
}

/** @throws AppError not_found; operator_required when support sends a form */
export function requireOperator({ method }: FastifyRequest, { operator, support }: Visitor): void {
  if (operator) return
  if (!support) throw new AppError('not_found')
  if (method === 'POST') {
    throw new AppError('operator_required', {
      detail: 'You have the role support: you can look, and change nothing. Ask an operator.',
    })
  }
}

/** Keeps pages of the developer console to its owners. Registered after `recogniseVisitors`. */
export function admitOwners(app: App): void {
  app.addHook('preHandler', async function admitOwner(request) {
    return requireOwner(request)
  })
}

/** @throws AppError owner_required */
export function requireOwner({ page: { visitor } }: FastifyRequest): void {
  if (visitor?.principal?.person.role !== 'member') return
  throw new AppError('owner_required', {
    detail: 'You are a member. Ask an owner: they are named on the page Members.',
  })
}

/**
 * Sends a person who works for several developers and has chosen none to the choice. A form is
 * always for the developer that its page showed, whatever was chosen in another tab meanwhile.
 */
export function askForDeveloper(app: App): void {
  app.addHook('preHandler', async function askWhichDeveloper(request, reply) {
    const { principal, developerName } = visitorOf(request)
    if (principal === undefined) return reply.redirect(await choiceOfDeveloper(request), 303)
    const shown = request.page.form.origin?.developer
    if (shown === undefined || shown.id === principal.developerId) return
    throw new AppError('conflict', {
      detail: `This form was for ${shown.name}, and nothing was done. To send it, switch back first.`,
      page: {
        title: `You now work for ${developerName}`,
        ways: [{ href: await choiceOfDeveloper(request), label: 'Switch developer' }],
      },
    })
  })
}

/** The visitor of a page that only shows to who is signed in. */
export function visitorOf({ page: { visitor } }: FastifyRequest): Visitor {
  if (visitor === null) throw new Error('the page has no guard for visitors')
  return visitor
}

/**
 * Finds out again who is signed in, where the answer of a page takes long.
 *
 * @returns the visitor as of now
 * @throws AppError invalid_token when the session has ended
 */
export async function recogniseAgain(request: FastifyRequest): Promise<Visitor> {
  const visitor = await request.server.readVisitor(sessionCookie(request))
  if (visitor?.id !== visitorOf(request).id) throw new AppError('invalid_token')
  return visitor
}

/**
 * Finds out whether the visitor may still read what the pages of this scope show, where an answer takes
 * long.
 *
 * @param options `accountIds`: accounts that the visitor must still belong to; `adminOf`: as an admin
 * @throws AppError invalid_token, not_found
 */
export async function checkReaderAgain(
  request: FastifyRequest,
  { isForOperators = false, accountIds = [], adminOf = [] }: ReaderOptions,
): Promise<void> {
  const visitor = await recogniseAgain(request)
  if (isForOperators) requireOperator(request, visitor)
  const { principal } = visitorOf(request)
  if (visitor.principal?.developerId !== principal?.developerId) throw new AppError('not_found')
  if (accountIds.length === 0 && adminOf.length === 0) return
  const { parties } = await readOwnUser(request.server.deps, visitor.id)
  const roles = new Map(parties.map(({ id, role }) => [id, role]))
  const mayRead =
    accountIds.every((id) => roles.has(id)) && adminOf.every((id) => roles.get(id) === 'admin')
  if (!mayRead) throw new AppError('not_found')
}

type ReaderOptions = {
  isForOperators?: boolean
  accountIds?: readonly number[]
  adminOf?: readonly number[]
}

/** The visitor as the author of a change. */
export function visitorActor(request: FastifyRequest): { userId: string; actor: Actor } {
  const { id } = visitorOf(request)
  return { userId: id, actor: { kind: 'user', id, address: clientAddress(request) } }
}

/** The visitor as the author of a change that an operator makes. */
export function visitingOperator(request: FastifyRequest): Actor {
  return { kind: 'operator', id: visitorOf(request).id, address: clientAddress(request) }
}

/** The account that a visitor has chosen, if so: never one that the visitor may not act for. */
export function chosenAccountId({ page: { visitor } }: FastifyRequest): number | undefined {
  return visitor?.accounts?.chosen?.id
}

/** What every page of a visitor takes: its header, the token of its forms, the asset version. */
export function visitorShell(request: FastifyRequest, reply: FastifyReply) {
  return {
    user: headerOf(visitorOf(request), request),
    csrfToken: csrfToken(request, reply),
    assetVersion: request.server.assetVersion,
  }
}

/** Who is signed in, as the header of a page shows it. */
export function headerOf(visitor: Visitor, request: FastifyRequest) {
  const { name, signInName, unread, upgrades, operator, support, worksForDevelopers } = visitor
  const { accounts, developerName, principal } = visitor
  const next = encodeURIComponent(addressOf(request))
  const account =
    developerName === undefined
      ? accounts && { name: accounts.chosen?.name, switchPath: `/Account/Choose?next=${next}` }
      : { name: developerName, switchPath: `/Developer/Choose?next=${next}` }
  const owns = principal?.person.role !== 'member'
  return {
    name,
    signInName,
    unread,
    upgrades,
    operator,
    support,
    worksForDevelopers,
    owns,
    account,
  }
}

/** What a page of a failure takes; it has forms only where the failed page could have had some. */
export function failedShell(visitor: Visitor | null, request: FastifyRequest, reply: FastifyReply) {
  if (visitor === null) return { user: null, csrfToken: undefined }
  // What is refused before its cookies are read has none.
  const hasForms = reply.generateCsrf !== undefined && Boolean(request.cookies)
  return {
    user: headerOf(visitor, request),
    csrfToken: hasForms ? csrfToken(request, reply) : undefined,
  }
}

/** What a page takes that needs nobody to be signed in. */
export function anyVisitorShell(request: FastifyRequest, reply: FastifyReply) {
  const { assetVersion } = request.server
  if (request.page.visitor === null) return { user: null, csrfToken: undefined, assetVersion }
  return visitorShell(request, reply)
}
