import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { createMembership, removeMembership, setPassword } from '../accounts/members-service.ts'
import { UserPath } from '../accounts/operator-paths.ts'
import { effectOf } from '../accounts/suspendable-service.ts'
import { AppError } from '../errors.ts'
import type { App } from '../http/app-type.ts'
import { sendPage } from '../http/pages.ts'
import { visitingOperator, visitorShell } from '../http/visitor.ts'
import { integerText } from '../shapes.ts'
import { Fields } from '../web/settings-form.ts'
import { messageIn, pathTo } from './console.ts'
import { removalPage, secretPage } from './create-pages.ts'
import { readUserDetail } from './detail-service.ts'
import { type Attempt, FIRST, filled, inputProblems, statusOf, unless } from './fields.ts'
import { findParty } from './find-service.ts'
import { userPage } from './user-page.ts'

const PAGE = '/Operator/Users/:id'
const MemberPath = UserPath.extend({ partyId: integerText() })

/** One user: its memberships and its password. */
export async function operatorUserPages(app: App, { assetVersion }: { assetVersion: string }) {
  const { deps } = app
  const effect = effectOf('Users')
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
      userPage({
        ...shellOf(request, reply),
        detail: await readUserDetail(deps, id),
        effect,
        attempt,
        message: messageIn(request.query),
      }),
    )

  app.get(
    PAGE,
    { schema: { hide: true, params: UserPath, querystring: Fields } },
    (request, reply) => send(request, reply, request.params.id),
  )

  // Where a sign-in leads back to that interrupted a form.
  for (const name of ['Memberships', 'Password']) {
    app.get(
      `${PAGE}/${name}`,
      { schema: { hide: true, params: UserPath } },
      async (request, reply) => reply.redirect(pathTo('Users', request.params.id), 303),
    )
  }

  app.post(
    `${PAGE}/Memberships`,
    { schema: { hide: true, params: UserPath, body: Fields } },
    async (request, reply) => {
      const { id } = request.params
      try {
        const partyId = await findParty(deps, request.body.get('party'))
        const membership = { userId: id, partyId }
        await unless(
          'already_exists',
          createMembership(deps, membership, visitingOperator(request)),
        )
      } catch (error) {
        const attempt = { problems: inputProblems(error), typed: request.body }
        return send(request, reply.code(statusOf(error)), id, attempt)
      }
      return reply.redirect(`${pathTo('Users', id)}?done=joined`, 303)
    },
  )

  const readMembership = async ({ id, partyId }: z.output<typeof MemberPath>) => {
    const { user, parties } = await readUserDetail(deps, id)
    return { user, party: parties.find((party) => party.id === Number(partyId)) }
  }

  app.get(
    `${PAGE}/Memberships/:partyId/Remove`,
    { schema: { hide: true, params: MemberPath } },
    async (request, reply) => {
      const { user, party } = await readMembership(request.params)
      if (party === undefined) throw new AppError('not_found')
      const path = pathTo('Users', user.id)
      return sendPage(
        reply,
        removalPage({
          ...shellOf(request, reply),
          tab: 'Users',
          title: `Remove ${user.name} from ${party.name}`,
          effect:
            'The user no longer acts for the party: its apps can neither be opened nor changed, and tokens that apps got for the user are refused from the next request on.',
          button: 'Remove the user',
          action: `${path}/Memberships/${party.id}/Remove`,
          back: { href: path, label: user.name },
        }),
      )
    },
  )

  app.post(
    `${PAGE}/Memberships/:partyId/Remove`,
    { schema: { hide: true, params: MemberPath } },
    async (request, reply) => {
      const { user } = await readMembership(request.params)
      const membership = { userId: user.id, partyId: Number(request.params.partyId) }
      await unless('not_found', removeMembership(deps, membership, visitingOperator(request)))
      return reply.redirect(`${pathTo('Users', user.id)}?done=left`, 303)
    },
  )

  app.post(
    `${PAGE}/Password`,
    { schema: { hide: true, params: UserPath, body: Fields } },
    async (request, reply) => {
      const { id } = request.params
      const password = filled(request.body, 'password')
      const path = pathTo('Users', id)
      try {
        const { user } = await readUserDetail(deps, id)
        const shell = shellOf(request, reply)
        const made = await setPassword(deps, id, { password }, visitingOperator(request))
        if (password !== undefined) return reply.redirect(`${path}?done=password`, 303)
        return sendPage(
          reply,
          secretPage({
            ...shell,
            tab: 'Users',
            title: `A new password for ${user.name}`,
            facts: { Email: made.email, Password: made.password },
            next: { href: path, label: user.name },
          }),
        )
      } catch (error) {
        const attempt = { problems: inputProblems(error), typed: request.body }
        return send(request, reply.code(statusOf(error)), id, attempt)
      }
    },
  )
}
