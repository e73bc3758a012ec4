import type { FastifyRequest } from 'fastify'
import { shownEmail } from '../../../base/values/email.ts'
import type { App } from '../../../http/app-type.ts'
import {
  createDeveloperUnlessNameTaken,
  createPartyUnlessNameTaken,
} from '../../../identity/accounts/unique-names-service.ts'
import { createUserByOperator } from '../../../identity/accounts/users-service.ts'
import type { FormSpec } from '../../kit/fields.ts'
import { tabLabel } from '../../kit/frame.ts'
import { formPage } from '../../requests/form-page.ts'
import type { Done } from '../../requests/form-work.ts'
import { visitingOperator } from '../../requests/visitor.ts'
import type { FormFields } from '../../shared/forms/settings-form.ts'
import { pathTo } from '../addresses.ts'
import { OPERATOR_NOTICES } from '../operator-notices.ts'
import { CLIENT_ID, NEW_PASSWORD, namesake, ROLES } from './field-specs.ts'
import { INPUT_REFUSALS } from './fields.ts'
import { type AsksForFactor, filled } from './forms-service.ts'
import { readNewUser } from './user-forms-service.ts'

type Creation = AsksForFactor & {
  tab: 'Parties' | 'Users' | 'Developers'
  noun: string
  fields: FormSpec | (() => FormSpec)
  /** What an address fills in. */
  stored?: (query: FormFields) => FormFields
  create(request: FastifyRequest, typed: FormFields): Promise<Done>
}

/** New parties, users and developers. */
export async function operatorCreateRoutes(app: App) {
  const { deps } = app

  const creation = ({ tab, noun, fields, recentFactor, stored, create }: Creation) => {
    const list = `/Operator/${tab}`
    formPage(app, {
      path: `${list}/New`,
      place: { console: 'operator', tab, asks: true },
      fields,
      config: { recentFactor },
      refused: INPUT_REFUSALS,
      page: async (_, query) => ({
        title: `New ${noun}`,
        back: { href: list, label: tabLabel(tab) },
        button: `Create ${noun}`,
        ...(stored && { stored: stored(query) }),
      }),
      submit: create,
    })
  }

  creation({
    tab: 'Parties',
    noun: 'account',
    recentFactor: false,
    fields: {
      name: { label: 'Name' },
      type: {
        label: 'Type',
        kind: 'choice',
        choices: [
          ['', 'Choose…'],
          ['Buyer', 'Buyer: sees the products of Sellers'],
          ['Seller', 'Seller: has products'],
        ],
      },
      ...namesake('Create another account with this name'),
    },
    async create(request, typed) {
      const wanted = {
        input: { name: typed.get('name') ?? '', type: typed.get('type') ?? '' },
        allowSameName: typed.get('again') === 'true',
      }
      const made = await createPartyUnlessNameTaken(deps, wanted, visitingOperator(request))
      return { path: pathTo('Parties', made.id), text: OPERATOR_NOTICES.created(made.name) }
    },
  })

  creation({
    tab: 'Users',
    noun: 'user',
    // A new user may be an operator.
    recentFactor: true,
    fields: () => userFields(deps.config.passwordLogin),
    stored: (query) => new Map([['party', query.get('partyId') ?? '']]),
    async create(request, typed) {
      const input = await readNewUser(deps, typed)
      const made = await createUserByOperator(deps, input, visitingOperator(request))
      const path = pathTo('Users', made.id)
      const title = OPERATOR_NOTICES.created(made.name)
      if (input.password !== undefined) return { path, text: title }
      if (made.password === null) return { path, text: OPERATOR_NOTICES.createdForSignOn(made) }
      const facts = { Email: shownEmail(made.email), Password: made.password }
      return { path, secret: { title, facts } }
    },
  })

  creation({
    tab: 'Developers',
    noun: 'developer',
    // A new developer has a credential.
    recentFactor: true,
    fields: {
      name: { label: 'Name' },
      clientId: CLIENT_ID,
      password: NEW_PASSWORD,
      ...namesake('Create another developer with this name'),
    },
    async create(request, typed) {
      const password = filled(typed, 'password')
      const input = { name: typed.get('name') ?? '', clientId: filled(typed, 'clientId'), password }
      const wanted = { input, allowSameName: typed.get('again') === 'true' }
      const made = await createDeveloperUnlessNameTaken(deps, wanted, visitingOperator(request))
      const path = pathTo('Developers', made.id)
      const title = OPERATOR_NOTICES.created(made.name)
      if (password !== undefined) return { path, text: title }
      return {
        path,
        secret: { title, facts: { 'Client ID': made.clientId, Password: made.password } },
      }
    },
  })
}

function userFields(hasPassword: boolean): FormSpec {
  return {
    name: { label: 'Name' },
    email: {
      label: 'Email',
      keyboard: 'email',
      hint: hasPassword
        ? 'The user signs in with it.'
        : 'The user signs in by single sign-on with it, and needs no password.',
    },
    party: {
      label: 'Account',
      optional: true,
      hint: 'ID or full name of the first account of the user. You can add more later.',
      pointers: ['/partyIds'],
    },
    ...(hasPassword && { password: NEW_PASSWORD }),
    ...ROLES,
  }
}
