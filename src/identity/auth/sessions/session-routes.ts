import { z } from 'zod'
import type { App } from '../../../http/app-type.ts'
import { answerPage } from '../../../http/paged-list.ts'
import { PageQuery } from '../../../http/pagination.ts'
import { userActor } from '../../guards/actor.ts'
import { userOf } from '../../guards/audience.ts'
import { OwnSession, SessionPath } from './own-sessions.ts'
import { endOtherSessions, endOwnSession, listOwnSessions } from './own-sessions-service.ts'

const PATH = '/v1/Account/Sessions'
const tags = ['Accounts']

/** The browsers in which a user is signed in. */
export async function sessionRoutes(app: App) {
  app.get(
    PATH,
    {
      schema: {
        operationId: 'listSessions',
        tags,
        summary: 'List the browsers in which you are signed in',
        description:
          'The one that was used last first, 100 at most: an older session ends when the ' +
          'user signs in once more. Account tokens are no sessions.',
        querystring: z.strictObject(PageQuery),
        response: { 200: z.array(OwnSession) },
      },
    },
    (request, reply) => {
      const { userId } = userOf(request)
      return answerPage(request, reply, ['sessions', userId], (page) =>
        listOwnSessions(app.deps, userId, page),
      )
    },
  )

  app.delete(
    `${PATH}/:id`,
    {
      schema: {
        operationId: 'deleteSession',
        tags,
        summary: 'Sign out one browser',
        description: 'It is signed out from its next request on. Account tokens go on.',
        params: SessionPath,
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      const { userId, actor } = userActor(request)
      await endOwnSession(app.deps, userId, request.params.id, actor)
      return reply.code(204).send(null)
    },
  )

  app.delete(
    PATH,
    {
      schema: {
        operationId: 'deleteSessions',
        tags,
        summary: 'Sign out all browsers',
        description: 'They are signed out from their next request on. Account tokens go on.',
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      const { userId, actor } = userActor(request)
      await endOtherSessions(app.deps, userId, undefined, actor)
      return reply.code(204).send(null)
    },
  )
}
