import { z } from 'zod'
import { AppPath } from '../../../base/values/app-path.ts'
import type { App } from '../../../http/app-type.ts'
import { answerPage } from '../../../http/paged-list.ts'
import { PageQuery } from '../../../http/pagination.ts'
import { expectedRevisions, setRevision } from '../../../http/revision-etag.ts'
import { developerActor } from '../../../identity/guards/actor.ts'
import { developerOf } from '../../../identity/guards/audience.ts'
import { AppRecord } from '../app-record.ts'
import { createInstallLink, deleteInstallLink, listInstallLinks } from './install-links-service.ts'
import {
  AppVisibility,
  CreatedInstallLink,
  InstallLink,
  InstallLinkId,
  InstallLinkRequest,
  VisibilityRequest,
} from './visibility.ts'
import { readVisibility, setListed, setVisibility } from './visibility-service.ts'

const APP = '/v1/Developer/Apps/:appId'
const LINKS = `${APP}/InstallLinks`
const tags = ['Apps']

/** Who finds an app of a developer. */
export async function visibilityRoutes(app: App) {
  for (const [action, listed] of [
    ['List', true],
    ['Unlist', false],
  ] as const) {
    app.post(
      `${APP}/${action}`,
      {
        schema: {
          operationId: listed ? 'showApp' : 'hideApp',
          tags,
          summary: listed ? 'Show an app in the catalogue' : 'Take an app out of the catalogue',
          description: listed
            ? 'An incomplete app is refused, with all that it lacks; the texts and addresses of the ' +
              'template of the console count as missing.'
            : 'Its visibility is `unlisted` then: everybody who has its address still finds it. ' +
              'Installations keep working. An app that is not listed stays as it is.',
          params: AppPath,
          response: { 200: AppRecord },
          answerHeaders: ['ETag'],
          problems: listed
            ? ['unprocessable', 'conflict', 'precondition_failed']
            : ['precondition_failed'],
        },
      },
      async (request, reply) => {
        const author = developerActor(request)
        const { app: record, revision } = await setListed(
          app.deps,
          author,
          request.params.appId,
          listed,
          expectedRevisions(request),
        )
        setRevision(reply, revision)
        return record
      },
    )
  }

  app.get(
    `${APP}/Visibility`,
    {
      schema: {
        operationId: 'readVisibility',
        tags,
        summary: 'Read who finds an app',
        description: 'With the accounts that are named for it. The `ETag` is that of the app.',
        params: AppPath,
        response: { 200: AppVisibility },
        answerHeaders: ['ETag'],
      },
    },
    async (request, reply) => {
      const { developerId } = developerOf(request)
      const { shown, revision } = await readVisibility(app.deps, developerId, request.params.appId)
      setRevision(reply, revision)
      return shown
    },
  )

  app.put(
    `${APP}/Visibility`,
    {
      schema: {
        operationId: 'replaceVisibility',
        tags,
        summary: 'Set who finds an app',
        description:
          'Effective with the next request. Accounts that have the app installed keep it, also when ' +
          'they no longer find it. An app that more are to find must be complete, as for a listing.',
        params: AppPath,
        body: VisibilityRequest,
        response: { 200: AppVisibility },
        answerHeaders: ['ETag'],
        problems: ['unprocessable', 'conflict', 'precondition_failed'],
      },
    },
    async (request, reply) => {
      const { shown, revision } = await setVisibility(
        app.deps,
        developerActor(request),
        request.params.appId,
        request.body,
        expectedRevisions(request),
      )
      setRevision(reply, revision)
      return shown
    },
  )

  app.post(
    LINKS,
    {
      schema: {
        operationId: 'createInstallLink',
        tags,
        summary: 'Make an install link',
        description:
          'An account that uses the link finds the app while it is private, and can install it.',
        params: AppPath,
        body: InstallLinkRequest,
        response: { 201: CreatedInstallLink },
        problems: ['unprocessable', 'conflict'],
      },
    },
    async (request, reply) => {
      const made = await createInstallLink(
        app.deps,
        developerActor(request),
        request.params.appId,
        request.body,
      )
      reply.code(201).header('cache-control', 'no-store')
      return made
    },
  )

  app.get(
    LINKS,
    {
      schema: {
        operationId: 'listInstallLinks',
        tags,
        summary: 'List the install links of an app',
        description: 'Oldest first, without their addresses.',
        params: AppPath,
        querystring: z.strictObject(PageQuery),
        response: { 200: z.array(InstallLink) },
      },
    },
    (request, reply) => {
      const { developerId } = developerOf(request)
      const { appId } = request.params
      return answerPage(request, reply, ['install links', developerId, appId], (page) =>
        listInstallLinks(app.deps, developerId, appId, page),
      )
    },
  )

  app.delete(
    `${LINKS}/:id`,
    {
      schema: {
        operationId: 'deleteInstallLink',
        tags,
        summary: 'Delete an install link',
        description:
          'Accounts that used it no longer find the app while it is private. Those that have it ' +
          'installed keep it.',
        params: AppPath.extend({ id: InstallLinkId }),
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      const { appId, id } = request.params
      await deleteInstallLink(app.deps, developerActor(request), appId, id)
      return reply.code(204).send(null)
    },
  )
}
