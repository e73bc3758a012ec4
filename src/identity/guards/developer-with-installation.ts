import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import type { DeveloperWithInstallation } from '../../base/values/principal.ts'
import type { VerifiedToken } from '../../base/values/token-claims.ts'
import { noteInstallation, stateOf } from '../../http/observability/request-state.ts'
import { admit, developerOf, refuseCaller } from './audience.ts'
import { verifiedTokenOf } from './bearer-token.ts'

/**
 * How a route of developers admits its callers when the body names an installation: the token is
 * verified before the body is read, and the principal is checked together with the installation,
 * by one query. The handler gets both from `developerWithInstallationOf`.
 *
 * @param idOf reads the id from a body that is not validated yet
 */
export function admitWithInstallation(idOf: (body: unknown) => string | undefined) {
  const admitted = (request: FastifyRequest, reply: FastifyReply) => {
    const { principals } = request.server.deps
    const installationId = idOf(request.body) ?? ''
    noteInstallation(request, installationId)
    return admit(request, reply, takeToken, (token) =>
      principals.checkWithInstallation(token, installationId),
    )
  }
  return {
    config: { admitsCallers: true },
    onRequest: async function verifyTokenFirst(request: FastifyRequest, reply: FastifyReply) {
      try {
        stateOf(request).tokenToAdmit = await verifiedTokenOf(request)
      } catch (error) {
        await refuseCaller(request, reply, error)
      }
    },
    preValidation: admitted,
    // A caller without access learns that first, and nothing about its body.
    errorHandler: async (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
      const isRefused = stateOf(request).tokenToAdmit === null
      const failure = isRefused
        ? error
        : await admitted(request, reply).then(
            () => error,
            (refusal) => refusal,
          )
      await request.server.errorHandler(failure, request, reply)
    },
  }
}

function takeToken(request: FastifyRequest): VerifiedToken {
  const token = stateOf(request).tokenToAdmit
  if (token === null) throw new Error('the token of the request was not verified')
  stateOf(request).tokenToAdmit = null
  return token
}

/** The developer that a route with `admitWithInstallation` is called by. */
export function developerWithInstallationOf(request: FastifyRequest): DeveloperWithInstallation {
  const developer = developerOf(request)
  if (!('installation' in developer)) throw new Error('the route looks up no installation')
  return developer as DeveloperWithInstallation
}
