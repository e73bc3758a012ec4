import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { AppError } from '../../errors.ts'
import {
  createVerifiedTokens,
  tokenId,
  type VerifiedToken,
  type VerifiedTokens,
  verifyToken,
} from '../../tokens/verify.ts'
import type { Principal } from '../../values/principal.ts'
import type { App } from '../app-type.ts'
import { type Consumer, limitByAddress, limitRequests } from '../rate-limit.ts'
import type { Audience } from '../route-table.ts'

/** Who may call a route -> the kind of principal that its token stands for. */
const GUARDED = {
  developer: 'developer',
  installation: 'installation',
  account: 'user',
  operator: 'user',
} as const satisfies Record<GuardedAudience, Principal['kind']>
type GuardedAudience = Exclude<Audience, 'public' | 'browser'>

declare module 'fastify' {
  interface FastifyRequest {
    /** A token that was verified, while its principal is still to be checked. */
    unusedToken: VerifiedToken | null
    /** The token that the guard let in. */
    usedToken: VerifiedToken | null
  }
  interface FastifyContextConfig {
    /** The permission that an installation token needs for the route. */
    permission?: string
    /** Never limited, as health checks are. */
    unlimited?: boolean
    /**
     * The principal is checked once the body is there, together with the installation that the
     * body names: one query instead of two.
     */
    checkedWith?: (body: unknown) => string | undefined
  }
}

/**
 * Declares who may call the routes of this scope, and guards them.
 *
 * - `public`: anybody; `browser`: pages, with cookies
 * - `developer`, `installation`, `account`: bearer tokens of that kind
 * - `operator`: account tokens of users who are operators
 */
export function declareAudience(app: App, audience: Audience): void {
  app.addHook('onRoute', (route) => {
    route.config = { ...route.config, audience }
    if (isGuarded(audience) && route.schema) route.schema.security = [{ [`${audience}Token`]: [] }]
  })
  if (isGuarded(audience)) {
    const guard: Guard = { audience, verified: createVerifiedTokens() }
    app.addHook('onRequest', async (request, reply) => {
      if (request.routeOptions.config.checkedWith === undefined) await admit(request, reply, guard)
    })
    app.addHook('onRoute', (route) => {
      if (route.config?.checkedWith) checkWithBody(route, route.config.checkedWith, guard)
    })
  } else {
    app.addHook('onRequest', async (request, reply) => {
      if (request.routeOptions.config.unlimited) return
      await limitByAddress(request, reply)
    })
  }
}

type Guard = { audience: GuardedAudience; verified: VerifiedTokens }

/** Who has no valid token spends the budget of its address. */
async function refuse(
  request: FastifyRequest,
  reply: FastifyReply,
  error: unknown,
): Promise<never> {
  if (error instanceof AppError && error.status === 401) {
    await limitByAddress(request, reply)
  }
  throw error
}

async function admit(
  request: FastifyRequest,
  reply: FastifyReply,
  guard: Guard,
  installationId?: string,
): Promise<void> {
  const { principals } = request.server.deps
  let principal: Principal
  try {
    const found = request.unusedToken ?? tokenOf(request, guard)
    request.unusedToken = null
    const token = found instanceof Promise ? await found : found
    principal = await principals.check(token, installationId)
    request.usedToken = token
  } catch (error) {
    return refuse(request, reply, error)
  }
  request.principal = principal
  const limiting = limitRequests(request, reply, consumerOf(principal))
  if (limiting !== undefined) await limiting
  authorize(principal, guard.audience, request.routeOptions.config.permission)
}

/** Admits the callers of a route when the body is there; the token alone is checked before. */
function checkWithBody(
  route: RouteOptions,
  installationIdOf: (body: unknown) => string | undefined,
  guard: Guard,
): void {
  route.onRequest = async (request, reply) => {
    try {
      request.unusedToken = await tokenOf(request, guard)
    } catch (error) {
      await refuse(request, reply, error)
    }
  }
  route.preValidation = async (request, reply) => {
    await admit(request, reply, guard, installationIdOf(request.body) ?? '')
  }
  // Who may not call is told so, and not what is wrong with the body.
  route.errorHandler = async (error, request, reply) => {
    const failure =
      request.unusedToken === null
        ? error
        : await admit(request, reply, guard).then(
            () => error,
            (refusal) => refusal,
          )
    await request.server.errorHandler(failure, request, reply)
  }
}

function consumerOf(principal: Principal): Consumer {
  switch (principal.kind) {
    case 'installation':
      return { kind: 'installation', id: principal.installationId }
    case 'developer':
      return { kind: 'developer', id: principal.developerId }
    case 'user':
      return { kind: 'user', id: principal.userId }
  }
}

function isGuarded(audience: Audience): audience is GuardedAudience {
  return Object.hasOwn(GUARDED, audience)
}

function tokenOf(
  request: FastifyRequest,
  { verified }: Guard,
): VerifiedToken | Promise<VerifiedToken> {
  const { keys, config, now } = request.server.deps
  const { verifierOf } = keys
  const { token, id } = bearerToken(request)
  const remembered = { tokens: verified, id }
  return verifyToken(token, { verifierOf, issuer: config.publicUrl, now, remembered })
}

function authorize(
  principal: Principal,
  audience: GuardedAudience,
  permission: string | undefined,
): void {
  if (principal.kind !== GUARDED[audience]) {
    throw new AppError('wrong_token_kind', {
      detail: `This endpoint takes ${audience} tokens; this is a token of another kind.`,
    })
  }
  if (audience === 'operator' && !(principal.kind === 'user' && principal.operator)) {
    throw new AppError('operator_required', { detail: 'The user of this token is no operator.' })
  }
  if (permission !== undefined) requirePermission(principal, permission)
}

type BearerToken = { header: string; token: string; id: string }

/** What each connection sent last: most send the same again and again. */
const lastTokens = new WeakMap<Socket, BearerToken>()

/**
 * RFC 6750, 2.1: only the header, spaces and then the token; a token in the query or the body is
 * not looked for.
 */
function bearerToken({ headers, socket }: FastifyRequest): BearerToken {
  const header = headers.authorization
  const last = lastTokens.get(socket)
  if (last !== undefined && last.header === header) return last
  if (header === undefined || !/^bearer(\s|$)/i.test(header)) throw new AppError('missing_token')
  const token = header.slice('bearer'.length).replace(/^ +/, '')
  const sent = { header, token, id: tokenId(token) }
  lastTokens.set(socket, sent)
  return sent
}

function requirePermission(principal: Principal, required: string): void {
  const granted = principal.kind === 'installation' ? principal.permissions : []
  if (granted.includes(required)) return
  throw new AppError('insufficient_scope', {
    detail: `The token does not carry the permission ${required}.`,
    members: { required: [required], granted: [...granted] },
  })
}

/** The developer that a guarded route is called by. */
export function developerOf(request: FastifyRequest) {
  return principalOfKind(request, 'developer')
}

/** The installation that a guarded route is called by. */
export function installationOf(request: FastifyRequest) {
  return principalOfKind(request, 'installation')
}

/** The user that a guarded route is called by. */
export function userOf(request: FastifyRequest) {
  return principalOfKind(request, 'user')
}

/**
 * Checks again whether the caller of a guarded route may still act, where the request took long: its
 * token may have run out meanwhile, but not more.
 *
 * @throws AppError invalid_token
 */
export async function checkAgain({ usedToken, server }: FastifyRequest): Promise<void> {
  if (usedToken === null) throw new Error('the route has no guard')
  await server.deps.principals.check(usedToken)
}

function principalOfKind<Kind extends Principal['kind']>(request: FastifyRequest, kind: Kind) {
  const { principal } = request
  if (principal?.kind !== kind) throw new Error(`the route has no guard for ${kind} tokens`)
  return principal as Extract<Principal, { kind: Kind }>
}
