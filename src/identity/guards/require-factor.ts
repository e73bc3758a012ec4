import type { FastifyRequest } from 'fastify'
import { stateOf } from '../../http/observability/request-state.ts'
import {
  type RecentFactor,
  requireEnrolled,
  requireRecentFactor,
} from '../auth/second-factor/factor-policy-service.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route serves to turn on a second factor: whoever still has to may call it. */
    beforeEnrolment?: boolean
    /**
     * A user with a second factor must have given a code of it in the last ten minutes. `always`: a
     * user without one must turn one on first.
     */
    recentFactor?: RecentFactor
  }
}

/**
 * Lets a user in with a token whose sign-in was strong enough for the route.
 *
 * @throws AppError second_factor_required
 */
export async function requireFactor(request: FastifyRequest, userId: string): Promise<void> {
  const { deps } = request.server
  const { beforeEnrolment = false, recentFactor = false } = request.routeOptions.config
  const claims = stateOf(request).usedToken?.claims
  // The session in which it was made was let in with that factor, too.
  const fromBrowser = claims?.aud === 'account' && claims.auth_time !== undefined
  if (!beforeEnrolment && !fromBrowser) await requireEnrolled(deps, userId)
  await requireRecentFactor(deps, { userId, factorAt: factorTimeOf(request) }, recentFactor)
}

/** When the user gave a code for the token: it was made at once, unless it says when. */
function factorTimeOf(request: FastifyRequest): Date | undefined {
  const claims = stateOf(request).usedToken?.claims
  if (claims?.aud !== 'account') return undefined
  const { auth_time: time = claims.amr?.includes('otp') ? claims.iat : undefined } = claims
  return time === undefined ? undefined : new Date(time * 1000)
}
