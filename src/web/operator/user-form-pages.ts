import type { FormSpec } from '../kit/fields.ts'
import { questionPage } from '../kit/question-page.ts'
import type { FormAttempt } from '../shared/forms/form-problems.ts'
import { type Html, html } from '../shared/page/html.ts'
import type { HtmlPage, UserShell } from '../shared/page/html-page.ts'
import { pathTo } from './addresses.ts'
import { NEW_PASSWORD } from './forms/field-specs.ts'
import type { UserDetail } from './record-details.ts'

type FormPageInput = UserShell & { detail: UserDetail; attempt: FormAttempt }
type UserQuestion = {
  name: 'Password' | 'SecondFactor'
  title: string
  consequences: readonly Html[]
  button: string
  fields: FormSpec
}

/** The pages that say what a change of a user's sign-in does, and ask for a last word. */
export const USER_FORM_PAGES = { Password: passwordPage, SecondFactor: factorPage } as const

function passwordPage(input: FormPageInput): HtmlPage {
  const { detail } = input
  const { name, email } = detail.user
  return askAbout(input, {
    name: 'Password',
    title: `Set a password for ${name}`,
    consequences: [
      html`The present password of <bdi>${email}</bdi> ends, with all sessions and tokens of the user.`,
      html`Make sure first that it is the user who asks. With a password reset link the user chooses the password, and
you never see it.`,
    ],
    button: 'Set password',
    fields: {
      password: NEW_PASSWORD,
    },
  })
}

function factorPage(input: FormPageInput): HtmlPage {
  const { detail } = input
  const { name, email } = detail.user
  return askAbout(input, {
    name: 'SecondFactor',
    title: `Reset two-step sign-in of ${name}`,
    consequences: [
      html`The codes and recovery codes of <bdi>${email}</bdi> end. The user can then sign in with a password only.`,
      html`Make sure first that it is the user who asks.`,
    ],
    button: 'Reset two-step sign-in',
    fields: { reason: { label: 'Reason', hint: 'For the audit trail.' } },
  })
}

function askAbout(input: FormPageInput, { name, ...question }: UserQuestion): HtmlPage {
  const { user } = input.detail
  const path = pathTo('Users', user.id)
  return questionPage({ console: 'operator', tab: 'Users', asks: true }, input, {
    ...question,
    back: { href: path, label: user.name },
    action: `${path}/${name}`,
    attempt: input.attempt,
  })
}
