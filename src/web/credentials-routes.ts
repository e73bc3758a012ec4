import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import {
  createCredential,
  isRemoved,
  listCredentials,
  removeOwnCredential,
} from '../accounts/credentials-service.ts'
import type { CreatedCredential } from '../accounts/operator-records.ts'
import { AppError } from '../errors.ts'
import { developerActor } from '../http/actor.ts'
import type { App } from '../http/app-type.ts'
import { developerOf } from '../http/audience.ts'
import { sendPage } from '../http/pages.ts'
import { visitorShell } from '../http/visitor.ts'
import { UuidText } from '../shapes.ts'
import { consoleMessage } from './console-frame.ts'
import { credentialsPage, removeCredentialPage } from './credentials-page.ts'
import type { FormProblem } from './form-problems.ts'
import { Fields } from './settings-form.ts'

const PATH = '/Developer/Credentials'
const LIST_MAX = 100
const CredentialPath = z.object({ credentialId: UuidText })

/** What a developer signs in with. */
export async function credentialsRoutes(app: App, { assetVersion }: { assetVersion: string }) {
  const { deps } = app
  const list = async (request: FastifyRequest) => {
    const { developerId } = developerOf(request)
    const page = { after: undefined, limit: LIST_MAX }
    return (await listCredentials(deps, developerId, page)).entries
  }

  app.get(PATH, { schema: { hide: true, querystring: Fields } }, async (request, reply) =>
    send(request, reply, { message: consoleMessage(request.query.get('done')) }),
  )

  // The answer is the only one that shows the password, so it is no redirect.
  app.post(PATH, { schema: { hide: true, body: Fields } }, async (request, reply) => {
    const { developerId, actor } = developerActor(request)
    const clientId = request.body.get('clientId')?.trim() ?? ''
    try {
      const input = clientId === '' ? {} : { clientId }
      return send(request, reply, {
        created: await createCredential(deps, developerId, input, actor),
      })
    } catch (error) {
      const problems = clientIdProblems(error)
      reply.code((error as AppError).status)
      return send(request, reply, { clientId, problems })
    }
  })

  app.get(
    `${PATH}/:credentialId/Remove`,
    { schema: { hide: true, params: CredentialPath } },
    (request, reply) => sendRemoval(request, reply, request.params.credentialId),
  )

  app.post(
    `${PATH}/:credentialId/Remove`,
    { schema: { hide: true, params: CredentialPath } },
    async (request, reply) => {
      const { developerId, actor } = developerActor(request)
      const { credentialId: usedId } = developerOf(request)
      const { credentialId } = request.params
      try {
        await removeOwnCredential(deps, { developerId, usedId, actor }, credentialId)
      } catch (error) {
        // A second click finds it done.
        if (await isRemoved(deps, developerId, credentialId)) return removed(reply)
        if (!(error instanceof AppError && error.code === 'conflict')) throw error
        reply.code(error.status)
        const problems = [{ field: undefined, text: error.message }]
        return sendRemoval(request, reply, credentialId, problems)
      }
      return removed(reply)
    },
  )

  const removed = (reply: FastifyReply) => reply.redirect(`${PATH}?done=removed`, 303)

  async function send(
    request: FastifyRequest,
    reply: FastifyReply,
    more: {
      message?: string | undefined
      problems?: readonly FormProblem[]
      created?: CreatedCredential
      clientId?: string
    },
  ) {
    return sendPage(
      reply,
      credentialsPage({
        ...visitorShell(request, reply),
        assetVersion,
        credentials: await list(request),
        usedId: developerOf(request).credentialId,
        ...more,
      }),
      { hasSecret: more.created !== undefined },
    )
  }

  async function sendRemoval(
    request: FastifyRequest,
    reply: FastifyReply,
    credentialId: string,
    problems: readonly FormProblem[] = [],
  ) {
    const credential = (await list(request)).find(({ id }) => id === credentialId)
    if (credential === undefined) throw new AppError('not_found')
    const shell = { ...visitorShell(request, reply), assetVersion }
    return sendPage(reply, removeCredentialPage({ ...shell, credential, problems }))
  }
}

/**
 * Why a credential was not made.
 *
 * @throws the error itself, when it is not about the form
 */
function clientIdProblems(error: unknown): FormProblem[] {
  if (!(error instanceof AppError)) throw error
  switch (error.code) {
    case 'unprocessable':
    case 'already_exists': {
      const [first] = error.options.errors ?? []
      const text =
        error.code === 'unprocessable' && first !== undefined
          ? `The client id ${first.detail}.`
          : error.message
      return [{ field: 'clientId', text }]
    }
    case 'conflict':
      return [{ field: undefined, text: error.message }]
    default:
      throw error
  }
}
