import { z } from 'zod'
import {
  CredentialPath,
  DeveloperPath,
  nameSearch,
  suspendedFilter,
} from '../../base/values/operator-paths.ts'
import type { App } from '../../http/app-type.ts'
import { answerPage } from '../../http/paged-list.ts'
import { PageQuery } from '../../http/pagination.ts'
import { operatorActor } from '../guards/actor.ts'
import { createCredential, listCredentials, removeCredential } from './credentials-service.ts'
import {
  changeDeveloper,
  createDeveloper,
  listDevelopers,
  readDeveloper,
} from './developers-service.ts'
import {
  CreatedCredential,
  CreatedDeveloper,
  Credential,
  DeveloperRecord,
  unlessChosen,
} from './operator-records.ts'
import { CredentialRequest, DeveloperChange, DeveloperRequest } from './operator-requests.ts'

const tags = ['Operator']
const DEVELOPERS = '/v1/Operator/Developers'

/** What an operator does with developers and their credentials. */
export async function operatorDeveloperRoutes(app: App) {
  app.post(
    DEVELOPERS,
    {
      config: { recentFactor: true },
      schema: {
        operationId: 'createDeveloper',
        tags,
        summary: 'Create a developer',
        description:
          'Makes the developer, its first credential and its sandbox party with sample ' +
          'products. Only this response shows a generated password; a chosen one is never shown.',
        body: DeveloperRequest,
        response: { 201: CreatedDeveloper },
        answerHeaders: ['Location'],
        problems: ['already_exists'],
      },
    },
    async (request, reply) => {
      const made = await createDeveloper(app.deps, request.body, operatorActor(request))
      reply.code(201).headers({ location: `${DEVELOPERS}/${made.id}`, 'cache-control': 'no-store' })
      return unlessChosen(request.body, made)
    },
  )

  app.get(
    DEVELOPERS,
    {
      schema: {
        operationId: 'listDevelopers',
        tags,
        summary: 'List developers',
        description: 'Oldest first.',
        querystring: z.strictObject({
          q: nameSearch,
          suspended: suspendedFilter,
          ...PageQuery,
        }),
        response: { 200: z.array(DeveloperRecord) },
      },
    },
    (request, reply) =>
      answerPage(request, reply, ['developers'], (page) =>
        listDevelopers(app.deps, request.query, page),
      ),
  )

  app.get(
    `${DEVELOPERS}/:id`,
    {
      schema: {
        operationId: 'readDeveloper',
        tags,
        summary: 'Read a developer',
        description: 'The developer with its sandbox party, and whether it is suspended.',
        params: DeveloperPath,
        response: { 200: DeveloperRecord },
      },
    },
    (request) => readDeveloper(app.deps, request.params.id),
  )

  app.patch(
    `${DEVELOPERS}/:id`,
    {
      schema: {
        operationId: 'changeDeveloper',
        tags,
        summary: 'Rename a developer',
        description: 'Its sandbox party is renamed with it, unless it was given a name of its own.',
        params: DeveloperPath,
        body: DeveloperChange,
        response: { 200: DeveloperRecord },
      },
    },
    (request) => changeDeveloper(app.deps, request.params.id, request.body, operatorActor(request)),
  )

  app.post(
    `${DEVELOPERS}/:id/Credentials`,
    {
      config: { recentFactor: true },
      schema: {
        operationId: 'createCredential',
        tags,
        summary: 'Give a developer another credential',
        description:
          'A developer has at most two live credentials, so that it can change from one to ' +
          'the other without a gap; a third gets `conflict`. Only this response shows a generated ' +
          'password; a chosen one is never shown.',
        params: DeveloperPath,
        body: CredentialRequest,
        response: { 201: CreatedCredential },
        problems: ['conflict', 'already_exists'],
      },
    },
    async (request, reply) => {
      const { id } = request.params
      const made = await createCredential(app.deps, id, request.body, operatorActor(request))
      reply.code(201).header('cache-control', 'no-store')
      return unlessChosen(request.body, made)
    },
  )

  app.get(
    `${DEVELOPERS}/:id/Credentials`,
    {
      schema: {
        operationId: 'listCredentials',
        tags,
        summary: 'List the live credentials of a developer',
        description:
          'Client ids without their passwords, which nobody can read. Removed credentials are left out.',
        params: DeveloperPath,
        querystring: z.strictObject(PageQuery),
        response: { 200: z.array(Credential) },
      },
    },
    (request, reply) => {
      const { id } = request.params
      return answerPage(request, reply, ['credentials', id], (page) =>
        listCredentials(app.deps, id, page),
      )
    },
  )

  app.delete(
    `${DEVELOPERS}/:id/Credentials/:credentialId`,
    {
      config: { recentFactor: true },
      schema: {
        operationId: 'deleteCredential',
        tags,
        summary: 'Remove a credential',
        description:
          'Its tokens, and the installation tokens made with it, are refused from the next ' +
          'request on, and its client id is never used again. The last credential may be ' +
          'removed too: the developer is then locked out until it gets a new one.',
        params: CredentialPath,
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      const { id, credentialId } = request.params
      await removeCredential(app.deps, id, credentialId, operatorActor(request))
      return reply.code(204).send(null)
    },
  )
}
