import type { FastifyReply, FastifyRequest } from 'fastify'
import { createDeveloperOnce, createPartyOnce } from '../accounts/namesake-service.ts'
import { createUser } from '../accounts/operator-service.ts'
import type { App } from '../http/app-type.ts'
import { sendPage } from '../http/pages.ts'
import { visitingOperator, visitorShell } from '../http/visitor.ts'
import type { UserShell } from '../web/page.ts'
import { Fields, type FormFields } from '../web/settings-form.ts'
import { pathTo } from './console.ts'
import { newDeveloperPage, newPartyPage, newUserPage, secretPage } from './create-pages.ts'
import { type Attempt, FIRST, inputProblems, statusOf } from './fields.ts'
import { findParty } from './find-service.ts'
import { filled } from './forms-service.ts'

/** New parties, users and developers. */
export async function operatorCreateRoutes(app: App, { assetVersion }: { assetVersion: string }) {
  const { deps } = app
  const shellOf = (request: FastifyRequest, reply: FastifyReply) => ({
    ...visitorShell(request, reply),
    assetVersion,
  })

  /** A form at a path: shown, and shown again with what is wrong with it. */
  const form = (
    path: string,
    draw: (input: UserShell & { attempt: Attempt }) => string,
    first: (query: FormFields) => FormFields,
    create: (request: FastifyRequest, reply: FastifyReply, typed: FormFields) => Promise<unknown>,
  ) => {
    app.get(path, { schema: { hide: true, querystring: Fields } }, async (request, reply) => {
      const attempt = { ...FIRST, typed: first(request.query) }
      return sendPage(reply, draw({ ...shellOf(request, reply), attempt }))
    })
    app.post(path, { schema: { hide: true, body: Fields } }, async (request, reply) => {
      const typed = request.body
      try {
        return await create(request, reply, typed)
      } catch (error) {
        const problems = inputProblems(error)
        reply.code(statusOf(error))
        return sendPage(reply, draw({ ...shellOf(request, reply), attempt: { problems, typed } }))
      }
    })
  }

  form('/Operator/Parties/New', newPartyPage, nothing, async (request, reply, typed) => {
    const wanted = {
      input: { name: typed.get('name') ?? '', type: typed.get('type') ?? '' },
      again: typed.get('again') === 'true',
    }
    const { id } = await createPartyOnce(deps, wanted, visitingOperator(request))
    return reply.redirect(`${pathTo('Parties', id)}?done=created`, 303)
  })

  const party = (query: FormFields) => new Map([['party', query.get('partyId') ?? '']])
  form('/Operator/Users/New', newUserPage, party, async (request, reply, typed) => {
    const wanted = filled(typed, 'party')
    const input = {
      name: typed.get('name') ?? '',
      email: typed.get('email') ?? '',
      password: filled(typed, 'password'),
      operator: typed.get('operator') === 'true',
      partyIds: wanted === undefined ? [] : [await findParty(deps, wanted)],
    }
    const made = await createUser(deps, input, visitingOperator(request))
    const path = pathTo('Users', made.id)
    if (input.password !== undefined) return reply.redirect(`${path}?done=created`, 303)
    return sendPage(
      reply,
      secretPage({
        ...shellOf(request, reply),
        tab: 'Users',
        title: `${made.name} is created`,
        facts: { Email: made.email, Password: made.password },
        next: { href: path, label: made.name },
      }),
      { hasSecret: true },
    )
  })

  form('/Operator/Developers/New', newDeveloperPage, nothing, async (request, reply, typed) => {
    const password = filled(typed, 'password')
    const input = { name: typed.get('name') ?? '', clientId: filled(typed, 'clientId'), password }
    const wanted = { input, again: typed.get('again') === 'true' }
    const made = await createDeveloperOnce(deps, wanted, visitingOperator(request))
    const path = pathTo('Developers', made.id)
    if (password !== undefined) return reply.redirect(`${path}?done=created`, 303)
    return sendPage(
      reply,
      secretPage({
        ...shellOf(request, reply),
        tab: 'Developers',
        title: `${made.name} is created`,
        facts: { 'Client id': made.clientId, Password: made.password },
        next: { href: path, label: made.name },
      }),
      { hasSecret: true },
    )
  })
}

const nothing = (): FormFields => new Map()
