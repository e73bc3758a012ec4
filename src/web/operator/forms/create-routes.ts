import type { FastifyReply, FastifyRequest } from 'fastify'
import { shownEmail } from '../../../base/values/email.ts'
import type { App } from '../../../http/app-type.ts'
import { sendPage } from '../../../http/send-page.ts'
import {
  createDeveloperUnlessNameTaken,
  createPartyUnlessNameTaken,
} from '../../../identity/accounts/unique-names-service.ts'
import { createUserByOperator } from '../../../identity/accounts/users-service.ts'
import {
  readAttempt,
  redirectDone,
  redirectSecret,
  refuse,
} from '../../page-requests/kept-forms.ts'
import { visitingOperator, visitorShell } from '../../page-requests/visitor.ts'
import { UNTOUCHED } from '../../shared/forms/form-problems.ts'
import { Fields, type FormFields } from '../../shared/forms/settings-form.ts'
import type { HtmlPage } from '../../shared/page/html-page.ts'
import { pathTo } from '../console-frame.ts'
import { findParty, NO_SANDBOX } from '../find-service.ts'
import { OPERATOR_NOTICES } from '../operator-notices.ts'
import {
  type CreatePageInput,
  newDeveloperPage,
  newPartyPage,
  newUserPage,
} from './create-pages.ts'
import { inputRefusal } from './fields.ts'
import { type AsksForFactor, filled } from './forms-service.ts'

const NEW_PARTY = { path: '/Operator/Parties/New', recentFactor: false }
/** A new user may be an operator. */
const NEW_USER = { path: '/Operator/Users/New', recentFactor: true }
/** A new developer has a credential. */
const NEW_DEVELOPER = { path: '/Operator/Developers/New', recentFactor: true }

/** New parties, users and developers. */
export async function operatorCreateRoutes(app: App) {
  const { deps } = app
  const { passwordLogin: hasPassword } = deps.config
  /** A form at a path: shown, and shown again with what is wrong with it. */
  const form = (
    { path, recentFactor }: { path: string } & AsksForFactor,
    draw: (input: CreatePageInput) => HtmlPage,
    first: (query: FormFields) => FormFields,
    create: (request: FastifyRequest, reply: FastifyReply, typed: FormFields) => Promise<unknown>,
  ) => {
    app.get(path, { schema: { hide: true, querystring: Fields } }, async (request, reply) => {
      const attempt = readAttempt(request, reply) ?? { ...UNTOUCHED, typed: first(request.query) }
      return sendPage(reply, draw({ ...visitorShell(request, reply), attempt, hasPassword }))
    })
    const config = { recentFactor, actsOnce: true }
    app.post(path, { config, schema: { hide: true, body: Fields } }, async (request, reply) => {
      try {
        return await create(request, reply, request.body)
      } catch (error) {
        return refuse(request, reply, inputRefusal(error))
      }
    })
  }

  form(NEW_PARTY, newPartyPage, nothing, async (request, reply, typed) => {
    const wanted = {
      input: { name: typed.get('name') ?? '', type: typed.get('type') ?? '' },
      allowSameName: typed.get('again') === 'true',
    }
    const { id, name } = await createPartyUnlessNameTaken(deps, wanted, visitingOperator(request))
    return redirectDone(request, reply, pathTo('Parties', id), OPERATOR_NOTICES.created(name))
  })

  const party = (query: FormFields) => new Map([['party', query.get('partyId') ?? '']])
  form(NEW_USER, newUserPage, party, async (request, reply, typed) => {
    const wanted = filled(typed, 'party')
    const input = {
      name: typed.get('name') ?? '',
      email: typed.get('email') ?? '',
      password: filled(typed, 'password'),
      operator: typed.get('operator') === 'true',
      support: typed.get('support') === 'true',
      partyIds: wanted === undefined ? [] : [await findParty(deps, wanted, NO_SANDBOX)],
    }
    const made = await createUserByOperator(deps, input, visitingOperator(request))
    const path = pathTo('Users', made.id)
    const title = OPERATOR_NOTICES.created(made.name)
    if (input.password !== undefined) return redirectDone(request, reply, path, title)
    if (made.password === null) {
      return redirectDone(request, reply, path, OPERATOR_NOTICES.createdForSignOn(made))
    }
    return redirectSecret(request, reply, path, {
      title,
      facts: { Email: shownEmail(made.email), Password: made.password },
    })
  })

  form(NEW_DEVELOPER, newDeveloperPage, nothing, async (request, reply, typed) => {
    const password = filled(typed, 'password')
    const input = { name: typed.get('name') ?? '', clientId: filled(typed, 'clientId'), password }
    const wanted = { input, allowSameName: typed.get('again') === 'true' }
    const made = await createDeveloperUnlessNameTaken(deps, wanted, visitingOperator(request))
    const path = pathTo('Developers', made.id)
    const title = OPERATOR_NOTICES.created(made.name)
    if (password !== undefined) return redirectDone(request, reply, path, title)
    return redirectSecret(request, reply, path, {
      title,
      facts: { 'Client ID': made.clientId, Password: made.password },
    })
  })
}

const nothing = (): FormFields => new Map()
