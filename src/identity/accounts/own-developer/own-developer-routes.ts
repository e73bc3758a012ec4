import { z } from 'zod'
import { UuidText } from '../../../base/values/shapes.ts'
import type { App } from '../../../http/app-type.ts'
import { answerPage } from '../../../http/paged-list.ts'
import { PageQuery } from '../../../http/pagination.ts'
import { developerActor } from '../../guards/actor.ts'
import { developerCredentialOf, developerOf } from '../../guards/audience.ts'
import { createCredential, listCredentials, removeOwnCredential } from '../credentials-service.ts'
import { CreatedCredential, Credential, unlessChosen } from '../operator-records.ts'
import { CredentialRequest } from '../operator-requests.ts'
import { OwnDeveloper } from './own-developer.ts'
import { readOwnDeveloper } from './own-developer-service.ts'

const PATH = '/v1/Developer/Credentials'
const CredentialPath = z.object({
  credentialId: UuidText.describe('Id of the credential.').meta({
    example: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
  }),
})

const tags = ['Developer']

/** Who a developer is, and what its programs sign in with. */
export async function ownDeveloperRoutes(app: App) {
  app.get(
    '/v1/Developer',
    {
      schema: {
        operationId: 'readOwnDeveloper',
        tags,
        summary: "Get the token's developer",
        description: 'The developer of the token, its sandbox, and the limits that apply to it.',
        response: { 200: OwnDeveloper },
      },
    },
    (request) => readOwnDeveloper(app.deps, developerCredentialOf(request)),
  )

  app.post(
    PATH,
    {
      schema: {
        operationId: 'createOwnCredential',
        tags,
        summary: 'Make another credential',
        description:
          'At most two are live, so that you can change from one to the other without a gap; ' +
          'a third is answered with `conflict`. Only this response shows a ' +
          'generated password; a chosen one is never shown.',
        body: CredentialRequest,
        response: { 201: CreatedCredential },
        problems: ['conflict', 'already_exists'],
      },
    },
    async (request, reply) => {
      const { developerId, actor } = developerActor(request)
      const { credentialId } = developerCredentialOf(request)
      const made = await createCredential(app.deps, developerId, request.body, actor, credentialId)
      reply.code(201).header('cache-control', 'no-store')
      return unlessChosen(request.body, made)
    },
  )

  app.get(
    PATH,
    {
      schema: {
        operationId: 'listOwnCredentials',
        tags,
        summary: 'List your live credentials',
        description: 'Oldest first, each with the time of the last sign-in.',
        querystring: z.strictObject(PageQuery),
        response: { 200: z.array(Credential) },
      },
    },
    (request, reply) => {
      const { developerId } = developerOf(request)
      return answerPage(request, reply, ['own credentials', developerId], (page) =>
        listCredentials(app.deps, developerId, page),
      )
    },
  )

  app.delete(
    `${PATH}/:credentialId`,
    {
      schema: {
        operationId: 'deleteOwnCredential',
        tags,
        summary: 'Remove one of your credentials',
        description:
          'Its tokens, and the installation tokens made with it, are refused from the next ' +
          'request on, and its client id is never used again. The credential that your token ' +
          'was made with is answered with `conflict`: sign in with the other one first.',
        params: CredentialPath,
        response: { 204: z.null() },
        problems: ['conflict'],
      },
    },
    async (request, reply) => {
      const { developerId, actor } = developerActor(request)
      const { credentialId: usedId } = developerCredentialOf(request)
      const { credentialId } = request.params
      await removeOwnCredential(app.deps, { developerId, usedId, actor }, credentialId)
      return reply.code(204).send(null)
    },
  )
}
