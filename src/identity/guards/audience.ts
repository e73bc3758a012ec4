import type {
  FastifyContextConfig,
  FastifyReply,
  FastifyRequest,
  preValidationHookHandler,
  RouteOptions,
} from 'fastify'
import type { InstallationPrincipal, Principal } from '../../base/values/principal.ts'
import type { VerifiedToken } from '../../base/values/token-claims.ts'
import { AppError } from '../../errors.ts'
import type { App } from '../../http/app-type.ts'
import { isBodyless } from '../../http/bodies/body-coding.ts'
import { stateOf } from '../../http/observability/request-state.ts'
import { consumerOf, limitByAddress, limitRequests } from '../../http/rate-limits/rate-limit.ts'
import type { Audience } from '../../http/route-table.ts'
import { verifiedTokenOf } from './bearer-token.ts'
import { requireFactor } from './require-factor.ts'

/** Who may call a route -> the kind of principal that its token stands for. */
const GUARDED = {
  developer: 'developer',
  installation: 'installation',
  account: 'user',
  operator: 'user',
} as const satisfies Record<GuardedAudience, Principal['kind']>
type GuardedAudience = Exclude<Audience, 'public' | 'browser'>

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The permission that an installation token needs for the route. */
    permission?: string
    /** A permission with which the answer has more in it: tokens that carry it use it. */
    optionalPermission?: string
    /** Never limited, as health checks are. */
    unlimited?: boolean
    /** Asked again and again by machines: logged when it fails, otherwise at the level `debug`. */
    quiet?: boolean
    /** The route admits its callers itself: see `admitWithInstallation`. */
    admitsCallers?: boolean
    /** A public route that account tokens may be sent to: the caller is then known as the user. */
    takesAccountToken?: boolean
    /** Who of the operator's people may call the route. Default: support to read, else operators. */
    needs?: 'operator' | 'support'
  }
}

/**
 * Declares who may call the routes of this scope, and guards them.
 *
 * - `public`: anybody; `browser`: pages, with cookies
 * - `developer`, `installation`, `account`: bearer tokens of that kind
 * - `operator`: account tokens of users who are operators, or support where a route only reads
 */
export function declareAudience(app: App, audience: Audience): void {
  app.addHook('onRoute', function declareOnRoute(route) {
    route.config = { ...route.config, audience }
    if (isGuarded(audience) && route.schema) route.schema.security = [{ [`${audience}Token`]: [] }]
    if (route.config.takesAccountToken && route.schema) {
      route.schema.security = [{}, { accountToken: [] }]
    }
    if (audience === 'operator') declareNeed(route)
    if (isGuarded(audience) && !route.config.admitsCallers) {
      route.onRequest = [admitGuarded, ...[route.onRequest ?? []].flat()]
    }
    if (!isBodyless(route)) {
      route.preValidation = [admitAfterBody, ...[route.preValidation ?? []].flat()]
    }
  })
  if (!isGuarded(audience)) {
    app.addHook('onRequest', async function limitOpen(request, reply) {
      const { unlimited, takesAccountToken } = request.routeOptions.config
      if (unlimited) return
      const hasToken = takesAccountToken && request.headers.authorization !== undefined
      await (hasToken ? admitToken(request, reply) : limitByAddress(request, reply))
    })
  }
}

async function admitGuarded(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  await admitToken(request, reply)
}

const admitAfterBody: preValidationHookHandler = (request, _reply, done) => {
  if (stateOf(request).isBodyComing) admitAgain(request).then(() => done(), done)
  else done()
}

async function admitToken(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { principals } = request.server.deps
  await admit(request, reply, verifiedTokenOf, (token) => principals.check(token))
  stateOf(request).isBodyComing = !request.raw.complete
}

/** Checks a caller whose body came after it was let in: a body may take half a minute. */
async function admitAgain(request: FastifyRequest): Promise<void> {
  stateOf(request).principal = await checkAgain(request)
}

/** A caller without a valid token spends the budget of its address. */
export async function refuseCaller(
  request: FastifyRequest,
  reply: FastifyReply,
  error: unknown,
): Promise<never> {
  if (error instanceof AppError && error.status === 401) {
    await limitByAddress(request, reply)
  }
  throw error
}

/**
 * Lets the caller of a guarded route in: its token is verified, its principal lives, it has requests
 * left, and the route is for such principals.
 *
 * @throws AppError what the token, the check and the limits throw; wrong_token_kind;
 *   operator_required; insufficient_scope; second_factor_required
 */
export async function admit(
  request: FastifyRequest,
  reply: FastifyReply,
  tokenOf: (request: FastifyRequest) => VerifiedToken | Promise<VerifiedToken>,
  check: (token: VerifiedToken) => Promise<Principal>,
): Promise<void> {
  const state = stateOf(request)
  const { config } = request.routeOptions
  let token: VerifiedToken | undefined
  let principal: Principal
  try {
    const found = tokenOf(request)
    token = found instanceof Promise ? await found : found
    principal = await check(token)
  } catch (error) {
    if (token !== undefined) state.deadToken = token
    return refuseCaller(request, reply, error)
  }
  state.usedToken = token
  state.principal = principal
  if (principal.kind === 'installation') state.usedPermission = permissionUsed(principal, config)
  const limiting = limitRequests(request, reply, consumerOf(principal))
  if (limiting !== undefined) await limiting
  authorize(principal, config)
  if (principal.kind === 'user') await requireFactor(request, principal.userId)
}

function isGuarded(audience: Audience): audience is GuardedAudience {
  return Object.hasOwn(GUARDED, audience)
}

/** Says in the description of an operator's route whether support may call it, too. */
function declareNeed(route: RouteOptions): void {
  const readsOnly = [route.method].flat().every((method) => /^(GET|HEAD)$/.test(method))
  const { needs = readsOnly ? 'support' : 'operator' } = route.config ?? {}
  route.config = { ...route.config, needs }
  const description = route.schema?.description
  if (route.schema === undefined || description === undefined) return
  const whom = needs === 'support' ? 'the role operator or support' : 'the role operator'
  // A copy: Fastify hands the same schema to the route for HEAD.
  route.schema = { ...route.schema, description: `${description} Needs ${whom}.` }
}

function authorize(principal: Principal, config: FastifyContextConfig): void {
  const { permission, needs, takesAccountToken } = config
  const audience = takesAccountToken ? 'account' : (config.audience as GuardedAudience)
  if (principal.kind !== GUARDED[audience]) {
    throw new AppError('wrong_token_kind', {
      detail: `This endpoint takes ${audience} tokens; this is a token of another kind.`,
    })
  }
  if (audience === 'operator' && principal.kind === 'user' && !principal.operator) {
    const { support } = principal
    if (!(support && needs === 'support')) {
      throw new AppError('operator_required', {
        detail: support
          ? 'The user of this token has the role support, which changes nothing.'
          : 'The user of this token is no operator.',
      })
    }
  }
  if (permission !== undefined) requirePermission(principal, permission)
}

function permissionUsed(
  { permissions }: InstallationPrincipal,
  { permission, optionalPermission }: FastifyContextConfig,
): string | null {
  const usesMore = optionalPermission !== undefined && permissions.includes(optionalPermission)
  return (usesMore ? optionalPermission : permission) ?? null
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

/**
 * The credential that a route of the API is called with. A person calls none of these routes.
 */
export function developerCredentialOf(request: FastifyRequest) {
  const developer = developerOf(request)
  if (developer.person !== undefined) throw new Error('the route has no guard for credentials')
  return developer
}

/** The installation that a guarded route is called by. */
export function installationPrincipalOf(request: FastifyRequest) {
  return principalOfKind(request, 'installation')
}

/** The user that a guarded route is called by. */
export function userOf(request: FastifyRequest) {
  return principalOfKind(request, 'user')
}

/**
 * Checks again whether the caller of a guarded route may still act, where the request took long: its
 * token may have run out meanwhile, but it was not suspended, and has the role that the route needs.
 *
 * @throws AppError invalid_token, operator_required
 */
export async function checkAgain(request: FastifyRequest): Promise<Principal> {
  const { usedToken } = stateOf(request)
  if (usedToken === null) throw new Error('the route has no guard')
  const principal = await request.server.deps.principals.check(usedToken)
  authorize(principal, request.routeOptions.config)
  return principal
}

function principalOfKind<Kind extends Principal['kind']>(request: FastifyRequest, kind: Kind) {
  const { principal } = stateOf(request)
  if (principal?.kind !== kind) throw new Error(`the route has no guard for ${kind} tokens`)
  return principal as Extract<Principal, { kind: Kind }>
}
