import type { FormAttempt, FormProblem } from '../../shared/forms/form-problems.ts'
import { type Html, html } from '../../shared/page/html.ts'
import type { HtmlPage, UserShell } from '../../shared/page/html-page.ts'
import { type ConsoleTab, operatorPage, tabLabel } from '../console-frame.ts'
import { clientIdField } from '../developer-page.ts'
import { PASSWORD_HINT, roleFields } from '../user-page.ts'
import { changeForm, namesakeField, selectField, textField } from './fields.ts'

export type CreatePageInput = UserShell & {
  attempt: FormAttempt
  /** Whether users sign in with passwords. */
  hasPassword: boolean
}

/** The form of a new party. */
export function newPartyPage(input: CreatePageInput): HtmlPage {
  const { attempt } = input
  const types: [string, string][] = [
    ['', 'Choose…'],
    ['Buyer', 'Buyer: sees the products of Sellers'],
    ['Seller', 'Seller: has products'],
  ]
  return createPage(input, {
    tab: 'Parties',
    title: 'New account',
    button: 'Create account',
    fields: [
      textField(attempt, { name: 'name', label: 'Name' }),
      selectField(attempt, { name: 'type', label: 'Type', options: types }),
      namesakeField(attempt, 'Create another account with this name'),
    ],
  })
}

/** The form of a new user. */
export function newUserPage(input: CreatePageInput): HtmlPage {
  const { attempt, hasPassword } = input
  const hint = hasPassword
    ? 'The user signs in with it.'
    : 'The user signs in by single sign-on with it, and needs no password.'
  return createPage(input, {
    tab: 'Users',
    title: 'New user',
    button: 'Create user',
    fields: [
      textField(attempt, { name: 'name', label: 'Name' }),
      textField(attempt, { name: 'email', label: 'Email', keyboard: 'email', hint }),
      textField(attempt, {
        name: 'party',
        label: 'Account',
        optional: true,
        hint: 'ID or full name of the first account of the user. You can add more later.',
      }),
      hasPassword && passwordField(attempt),
      roleFields(attempt),
    ],
  })
}

/** The form of a new developer. */
export function newDeveloperPage(input: CreatePageInput): HtmlPage {
  const { attempt } = input
  return createPage(input, {
    tab: 'Developers',
    title: 'New developer',
    button: 'Create developer',
    fields: [
      textField(attempt, { name: 'name', label: 'Name' }),
      clientIdField(attempt),
      passwordField(attempt),
      namesakeField(attempt, 'Create another developer with this name'),
    ],
  })
}

function passwordField(attempt: FormAttempt): Html {
  return textField(attempt, {
    name: 'password',
    label: 'Password',
    type: 'password',
    optional: true,
    hint: PASSWORD_HINT,
  })
}

type CreateForm = {
  tab: ConsoleTab & ('Parties' | 'Users' | 'Developers')
  title: string
  button: string
  fields: readonly (Html | false)[]
}

function createPage(input: CreatePageInput, { tab, title, button, fields }: CreateForm): HtmlPage {
  const path = `/Operator/${tab}`
  const form = { action: `${path}/New`, csrfToken: input.csrfToken, button, cancel: path }
  return operatorPage(input, {
    tab,
    title,
    back: { href: path, label: tabLabel(tab) },
    asks: true,
    problems: input.attempt.problems,
    body: html`<div class="card">${changeForm(form, html`${fields}`)}</div>`,
  })
}

type RemovalPageInput = UserShell & {
  tab: ConsoleTab
  title: string
  effect: string
  button: string
  /** Where it is done, and where to go instead. */
  action: string
  back: { href: string; label: string }
  /** Why it was refused. */
  problems: readonly FormProblem[]
}

/** Says what a removal does, and asks for a last word. */
export function removalPage(input: RemovalPageInput): HtmlPage {
  const { tab, title, effect, button, action, back, problems, csrfToken } = input
  const form = { action, csrfToken, button, kind: 'danger' as const, cancel: back.href }
  return operatorPage(input, {
    tab,
    title,
    back,
    asks: true,
    problems,
    body: html`<section class="card" aria-label="What happens"><p>${effect}</p>${changeForm(form)}</section>`,
  })
}
