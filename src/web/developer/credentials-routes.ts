import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { UuidText } from '../../base/values/shapes.ts'
import { AppError } from '../../errors.ts'
import type { App } from '../../http/app-type.ts'
import { sendPage } from '../../http/send-page.ts'
import {
  createCredential,
  isRemoved,
  listCredentials,
  removeOwnCredential,
} from '../../identity/accounts/credentials-service.ts'
import { developerActor } from '../../identity/guards/actor.ts'
import { developerOf } from '../../identity/guards/audience.ts'
import { readAttempt, redirectDone, redirectSecret, refuse } from '../requests/kept-forms.ts'
import { takeNotice } from '../requests/notices.ts'
import { admitOwners, visitorShell } from '../requests/visitor.ts'
import { type Refusal, refusalOf } from '../shared/forms/refusal.ts'
import { Fields } from '../shared/forms/settings-form.ts'
import { credentialsPage, removeCredentialPage } from './credentials-page.ts'

const PATH = '/Developer/Credentials'
const LIST_MAX = 100
const CredentialPath = z.object({ credentialId: UuidText })

/** What a developer's programs sign in with. */
export async function credentialsRoutes(app: App) {
  const { deps } = app
  admitOwners(app)
  const list = async (request: FastifyRequest) => {
    const { developerId } = developerOf(request)
    const page = { after: undefined, limit: LIST_MAX }
    return (await listCredentials(deps, developerId, page)).entries
  }

  app.get(PATH, { schema: { hide: true, querystring: Fields } }, async (request, reply) => {
    const { problems = [], typed } = readAttempt(request, reply) ?? {}
    return sendPage(
      reply,
      credentialsPage({
        ...visitorShell(request, reply),
        credentials: await list(request),
        message: request.kept?.secret ?? takeNotice(request, reply)?.text,
        problems,
        clientId: typed?.get('clientId'),
      }),
    )
  })

  const config = { recentFactor: true }
  const once = { ...config, actsOnce: true }
  app.post(PATH, { config: once, schema: { hide: true, body: Fields } }, async (request, reply) => {
    const { developerId, actor } = developerActor(request)
    const clientId = request.body.get('clientId')?.trim() ?? ''
    try {
      const input = clientId === '' ? {} : { clientId }
      const created = await createCredential(deps, developerId, input, actor)
      const facts = { 'Client ID': created.clientId, Password: created.password }
      return redirectSecret(request, reply, PATH, {
        title: `The credential ${created.clientId} was created.`,
        facts,
      })
    } catch (error) {
      return refuse(request, reply, clientIdRefusal(error))
    }
  })

  app.get(
    `${PATH}/:credentialId/Remove`,
    { schema: { hide: true, params: CredentialPath } },
    (request, reply) => sendRemoval(request, reply, request.params.credentialId),
  )

  app.post(
    `${PATH}/:credentialId/Remove`,
    { config, schema: { hide: true, params: CredentialPath } },
    async (request, reply) => {
      const { developerId, actor } = developerActor(request)
      const { credentialId } = request.params
      const credential = (await list(request)).find(({ id }) => id === credentialId)
      try {
        await removeOwnCredential(deps, { developerId, actor }, credentialId)
      } catch (error) {
        // A second click finds it done.
        if (!(await isRemoved(deps, developerId, credentialId))) {
          return refuse(request, reply, refusalOf(error, ['conflict']))
        }
      }
      const name = credential === undefined ? 'credential' : `credential ${credential.clientId}`
      const text = `The ${name} was removed. Its tokens have ended.`
      return redirectDone(request, reply, PATH, text)
    },
  )

  async function sendRemoval(request: FastifyRequest, reply: FastifyReply, credentialId: string) {
    const { problems = [] } = readAttempt(request, reply) ?? {}
    const credential = (await list(request)).find(({ id }) => id === credentialId)
    if (credential === undefined) throw new AppError('not_found')
    const shell = visitorShell(request, reply)
    return sendPage(reply, removeCredentialPage({ ...shell, credential, problems }))
  }
}

/**
 * Why a credential was not made.
 *
 * @throws the error itself, when it is not about the form
 */
function clientIdRefusal(error: unknown): Refusal {
  const codes = ['unprocessable', 'already_exists', 'conflict'] as const
  return refusalOf(error, codes, ({ code, message, options }) => {
    const [first] = options.errors ?? []
    const isMisspelt = code === 'unprocessable' && first !== undefined
    const text = isMisspelt ? `The client ID ${first.detail}.` : message
    return [{ field: code === 'conflict' ? undefined : 'clientId', text }]
  })
}
