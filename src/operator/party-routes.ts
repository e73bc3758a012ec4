import type { FastifyReply, FastifyRequest } from 'fastify'
import { createMembership, removeConnection } from '../accounts/members-service.ts'
import { PartyPath } from '../accounts/operator-paths.ts'
import { createConnection } from '../accounts/operator-service.ts'
import { effectOf } from '../accounts/suspendable-service.ts'
import { AppError } from '../errors.ts'
import type { App } from '../http/app-type.ts'
import { sendPage } from '../http/pages.ts'
import { visitingOperator, visitorShell } from '../http/visitor.ts'
import { integerText } from '../shapes.ts'
import { Fields } from '../web/settings-form.ts'
import { messageIn, pathTo } from './console.ts'
import { removalPage } from './create-pages.ts'
import { readPartyDetail } from './detail-service.ts'
import { type Attempt, FIRST, inputProblems, statusOf, unless } from './fields.ts'
import { findParty, findUser } from './find-service.ts'
import { partyPage } from './party-page.ts'

const PAGE = '/Operator/Parties/:id'
const PartnerPath = PartyPath.extend({ otherId: integerText() })

/** One party: its users and its connections. */
export async function operatorPartyPages(app: App, { assetVersion }: { assetVersion: string }) {
  const { deps } = app
  const effect = effectOf('Parties')
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
      partyPage({
        ...shellOf(request, reply),
        detail: await readPartyDetail(deps, Number(id)),
        effect,
        attempt,
        message: messageIn(request.query),
      }),
    )

  app.get(
    PAGE,
    { schema: { hide: true, params: PartyPath, querystring: Fields } },
    (request, reply) => send(request, reply, request.params.id),
  )

  // Where a sign-in leads back to that interrupted a form.
  for (const name of ['Users', 'Connections']) {
    app.get(
      `${PAGE}/${name}`,
      { schema: { hide: true, params: PartyPath } },
      async (request, reply) => reply.redirect(pathTo('Parties', request.params.id), 303),
    )
  }

  app.post(
    `${PAGE}/Users`,
    { schema: { hide: true, params: PartyPath, body: Fields } },
    async (request, reply) => {
      const { id } = request.params
      const { party } = await readPartyDetail(deps, Number(id))
      try {
        const userId = await findUser(deps, request.body.get('email'))
        const membership = { userId, partyId: party.id }
        await unless(
          'already_exists',
          createMembership(deps, membership, visitingOperator(request)),
        )
      } catch (error) {
        const attempt = { problems: inputProblems(error), typed: request.body }
        return send(request, reply.code(statusOf(error)), id, attempt)
      }
      return reply.redirect(`${pathTo('Parties', id)}?done=joined`, 303)
    },
  )

  app.post(
    `${PAGE}/Connections`,
    { schema: { hide: true, params: PartyPath, body: Fields } },
    async (request, reply) => {
      const { id } = request.params
      const { party } = await readPartyDetail(deps, Number(id))
      try {
        const otherType = party.type === 'Buyer' ? 'Seller' : 'Buyer'
        const otherId = await findParty(deps, request.body.get('party'), otherType)
        const pair = pairOf(party, otherId)
        await unless('already_exists', createConnection(deps, pair, visitingOperator(request)))
      } catch (error) {
        const attempt = { problems: inputProblems(error), typed: request.body }
        return send(request, reply.code(statusOf(error)), id, attempt)
      }
      return reply.redirect(`${pathTo('Parties', id)}?done=connected`, 303)
    },
  )

  app.get(
    `${PAGE}/Connections/:otherId/Remove`,
    { schema: { hide: true, params: PartnerPath } },
    async (request, reply) => {
      const { party, partners } = await readPartyDetail(deps, Number(request.params.id))
      const other = partners.find(({ id }) => String(id) === request.params.otherId)
      if (other === undefined) throw new AppError('not_found')
      const path = pathTo('Parties', party.id)
      return sendPage(
        reply,
        removalPage({
          ...shellOf(request, reply),
          tab: 'Parties',
          title: `Disconnect ${party.name} and ${other.name}`,
          effect: 'The Buyer no longer sees the products of the Seller, nor do its apps.',
          button: 'Disconnect the two',
          action: `${path}/Connections/${other.id}/Remove`,
          back: { href: path, label: party.name },
        }),
      )
    },
  )

  app.post(
    `${PAGE}/Connections/:otherId/Remove`,
    { schema: { hide: true, params: PartnerPath } },
    async (request, reply) => {
      const { party } = await readPartyDetail(deps, Number(request.params.id))
      const pair = pairOf(party, Number(request.params.otherId))
      await unless('not_found', removeConnection(deps, pair, visitingOperator(request)))
      return reply.redirect(`${pathTo('Parties', party.id)}?done=disconnected`, 303)
    },
  )
}

function pairOf(party: { id: number; type: string }, otherId: number) {
  return party.type === 'Buyer'
    ? { buyerId: party.id, sellerId: otherId }
    : { buyerId: otherId, sellerId: party.id }
}
