import type { FastifyReply, FastifyRequest } from 'fastify'
import { createCredential, removeCredential } from '../accounts/credentials-service.ts'
import { CredentialPath, DeveloperPath } from '../accounts/operator-paths.ts'
import { effectOf } from '../accounts/suspendable-service.ts'
import { AppError } from '../errors.ts'
import type { App } from '../http/app-type.ts'
import { sendPage } from '../http/pages.ts'
import { visitingOperator, visitorShell } from '../http/visitor.ts'
import { Fields } from '../web/settings-form.ts'
import { messageIn, pathTo } from './console.ts'
import { removalPage, secretPage } from './create-pages.ts'
import { readDeveloperDetail } from './detail-service.ts'
import { developerPage } from './developer-page.ts'
import { type Attempt, FIRST, filled, inputProblems, statusOf, unless } from './fields.ts'

const PAGE = '/Operator/Developers/:id'

/** One developer: its credentials. */
export async function operatorDeveloperPages(app: App, { assetVersion }: { assetVersion: string }) {
  const { deps } = app
  const effect = effectOf('Developers')
  const shellOf = (request: FastifyRequest, reply: FastifyReply) => ({
    ...visitorShell(request, reply),
    assetVersion,
  })
  const send = async (
    request: FastifyRequest,
    reply: FastifyReply,
    id: string,
    attempt: Attempt = FIRST,
  ) =>
    sendPage(
      reply,
      developerPage({
        ...shellOf(request, reply),
        detail: await readDeveloperDetail(deps, id),
        effect,
        attempt,
        message: messageIn(request.query),
      }),
    )

  app.get(
    PAGE,
    { schema: { hide: true, params: DeveloperPath, querystring: Fields } },
    (request, reply) => send(request, reply, request.params.id),
  )

  // Where a sign-in leads back to that interrupted a form.
  for (const name of ['Credentials']) {
    app.get(
      `${PAGE}/${name}`,
      { schema: { hide: true, params: DeveloperPath } },
      async (request, reply) => reply.redirect(pathTo('Developers', request.params.id), 303),
    )
  }

  app.post(
    `${PAGE}/Credentials`,
    { schema: { hide: true, params: DeveloperPath, body: Fields } },
    async (request, reply) => {
      const { id } = request.params
      const password = filled(request.body, 'password')
      const input = { clientId: filled(request.body, 'clientId'), password }
      const path = pathTo('Developers', id)
      try {
        const { developer } = await readDeveloperDetail(deps, id)
        const made = await createCredential(deps, id, input, visitingOperator(request))
        if (password !== undefined) return reply.redirect(`${path}?done=created`, 303)
        return sendPage(
          reply,
          secretPage({
            ...shellOf(request, reply),
            tab: 'Developers',
            title: `A credential for ${developer.name}`,
            facts: { 'Client id': made.clientId, Password: made.password },
            next: { href: path, label: developer.name },
          }),
        )
      } catch (error) {
        const attempt = { problems: inputProblems(error), typed: request.body }
        return send(request, reply.code(statusOf(error)), id, attempt)
      }
    },
  )

  app.get(
    `${PAGE}/Credentials/:credentialId/Remove`,
    { schema: { hide: true, params: CredentialPath } },
    async (request, reply) => {
      const { developer } = await readDeveloperDetail(deps, request.params.id)
      const credential = developer.credentials.find(({ id }) => id === request.params.credentialId)
      if (credential === undefined) throw new AppError('not_found')
      const path = pathTo('Developers', developer.id)
      return sendPage(
        reply,
        removalPage({
          ...shellOf(request, reply),
          tab: 'Developers',
          title: `Remove the credential ${credential.clientId}`,
          effect: `Its tokens are refused from the next request on, and its client id is never used again. It cannot be undone.${developer.credentials.length === 1 ? ' It is the last one: the developer is locked out until it gets another.' : ''}`,
          button: 'Remove the credential',
          action: `${path}/Credentials/${credential.id}/Remove`,
          back: { href: path, label: developer.name },
        }),
      )
    },
  )

  app.post(
    `${PAGE}/Credentials/:credentialId/Remove`,
    { schema: { hide: true, params: CredentialPath } },
    async (request, reply) => {
      const { id, credentialId } = request.params
      const { developer } = await readDeveloperDetail(deps, id)
      const removal = removeCredential(deps, developer.id, credentialId, visitingOperator(request))
      await unless('not_found', removal)
      return reply.redirect(`${pathTo('Developers', developer.id)}?done=removed`, 303)
    },
  )
}
