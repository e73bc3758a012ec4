import type { FormAttempt } from '../shared/forms/form-problems.ts'
import { type Html, html } from '../shared/page/html.ts'
import type { HtmlPage, UserShell } from '../shared/page/html-page.ts'
import { operatorPage, pathTo } from './console-frame.ts'
import { changeForm, textField } from './forms/fields.ts'
import type { UserDetail } from './record-details.ts'
import { PASSWORD_HINT } from './user-page.ts'

type FormPageInput = UserShell & { detail: UserDetail; attempt: FormAttempt }
type Question = {
  name: 'Password' | 'SecondFactor'
  title: string
  effect: Html
  button: string
  field: Html
}

/** The pages that say what a change of a user's sign-in does, and ask for a last word. */
export const USER_FORM_PAGES = { Password: passwordPage, SecondFactor: factorPage } as const

function passwordPage(input: FormPageInput): HtmlPage {
  const { attempt, detail } = input
  const { name, email } = detail.user
  return questionPage(input, {
    name: 'Password',
    title: `Set a password for ${name}`,
    effect: html`The present password of <bdi>${email}</bdi> ends, with all sessions and tokens of the user.
Make sure first that it is the user who asks. With a password reset link the user chooses the password, and you
never see it.`,
    button: 'Set password',
    field: textField(attempt, {
      name: 'password',
      label: 'Password',
      type: 'password',
      optional: true,
      hint: PASSWORD_HINT,
    }),
  })
}

function factorPage(input: FormPageInput): HtmlPage {
  const { attempt, detail } = input
  const { name, email } = detail.user
  return questionPage(input, {
    name: 'SecondFactor',
    title: `Reset two-step sign-in of ${name}`,
    effect: html`The codes and recovery codes of <bdi>${email}</bdi> end. The user can then sign in with a password only.
Make sure first that it is the user who asks.`,
    button: 'Reset two-step sign-in',
    field: textField(attempt, { name: 'reason', label: 'Reason', hint: 'For the audit trail.' }),
  })
}

function questionPage(input: FormPageInput, question: Question): HtmlPage {
  const { user } = input.detail
  const { name, title, effect, button, field } = question
  const path = pathTo('Users', user.id)
  const form = { action: `${path}/${name}`, csrfToken: input.csrfToken, button, cancel: path }
  return operatorPage(input, {
    tab: 'Users',
    title,
    back: { href: path, label: user.name },
    asks: true,
    problems: input.attempt.problems,
    body: html`<section class="card" aria-label="What happens"><p>${effect}</p>
${changeForm({ ...form, kind: 'danger' }, field)}</section>`,
  })
}
