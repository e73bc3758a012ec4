import { z } from 'zod'
import { UserPath } from '../../../base/values/operator-paths.ts'
import type { App } from '../../../http/app-type.ts'
import { operatorActor } from '../../guards/actor.ts'
import { FactorRemoval } from './factor-removal.ts'
import { removeLostFactor } from './remove-lost-factor-service.ts'

/** What an operator does with the second factors of others. */
export async function operatorFactorRoutes(app: App) {
  app.delete(
    '/v1/Operator/Users/:id/SecondFactor',
    {
      config: { recentFactor: 'always' },
      schema: {
        operationId: 'deleteUserSecondFactor',
        tags: ['Operator'],
        summary: 'Remove the lost second factor of a user',
        description:
          'Make sure first that it is the user who asks. The user signs in with the password ' +
          'alone then. You need a second factor of your own, and a code of the last ten minutes. ' +
          'Your own is a conflict: turn it off in your account, with a code.',
        params: UserPath,
        querystring: FactorRemoval,
        response: { 204: z.null() },
        problems: ['conflict'],
      },
    },
    async (request, reply) => {
      const { id } = request.params
      await removeLostFactor(app.deps, id, request.query, operatorActor(request))
      return reply.code(204).send(null)
    },
  )
}
