import type { FastifyRequest } from 'fastify'
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
import { readAttempt } from '../requests/answers.ts'
import { formPage } from '../requests/form-page.ts'
import { takeForm } from '../requests/form-work.ts'
import { takeNotice } from '../requests/notices.ts'
import { admitOwners, visitorShell } from '../requests/visitor.ts'
import { UNTOUCHED } from '../shared/forms/form-problems.ts'
import { type Refusal, refusalOf } from '../shared/forms/refusal.ts'
import { Fields } from '../shared/forms/settings-form.ts'
import { html } from '../shared/page/html.ts'
import { credentialsPage } from './credentials-page.ts'

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
    const attempt = readAttempt(request, reply) ?? UNTOUCHED
    const message = request.page.attempt?.secret ?? takeNotice(request, reply)?.text
    const shell = { ...visitorShell(request, reply), message }
    const credentials = await list(request)
    return sendPage(reply, credentialsPage({ ...shell, credentials, attempt }))
  })

  takeForm(app, {
    path: PATH,
    config: { recentFactor: true },
    refused: clientIdRefusal,
    async submit(request, typed) {
      const { developerId, actor } = developerActor(request)
      const clientId = typed.get('clientId')?.trim() ?? ''
      const input = clientId === '' ? {} : { clientId }
      const made = await createCredential(deps, developerId, input, actor)
      const facts = { 'Client ID': made.clientId, Password: made.password }
      return {
        path: PATH,
        secret: { title: `The credential ${made.clientId} was created.`, facts },
      }
    },
  })

  formPage(app, {
    path: `${PATH}/:credentialId/Remove`,
    params: CredentialPath,
    place: { console: 'developer', section: 'credentials' },
    config: { recentFactor: true },
    refused: ['conflict'],
    async page(request, _, _reply, { credentialId }) {
      const credential = (await list(request)).find(({ id }) => id === credentialId)
      if (credential === undefined) throw new AppError('not_found')
      const { clientId } = credential
      return {
        title: `Remove ${clientId}`,
        back: { href: PATH, label: 'Credentials' },
        consequences: [
          html`Programs can no longer sign in with <code>${clientId}</code>. Its tokens stop working immediately.`,
          'The client ID can never be reused.',
        ],
        button: 'Remove',
        kind: 'danger',
      }
    },
    async submit(request, _, { credentialId }) {
      const { developerId, actor } = developerActor(request)
      const credential = (await list(request)).find(({ id }) => id === credentialId)
      try {
        await removeOwnCredential(deps, { developerId, actor }, credentialId)
      } catch (error) {
        // A second click finds it done.
        if (!(await isRemoved(deps, developerId, credentialId))) throw error
      }
      const name = credential === undefined ? 'credential' : `credential ${credential.clientId}`
      return { path: PATH, text: `The ${name} was removed. Its tokens no longer work.` }
    },
  })
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
