import { roleBadge } from '../../kit/badge.ts'
import { choiceButtons, narrowPage } from '../../kit/narrow-page.ts'
import { html } from '../../shared/page/html.ts'
import {
  csrfField,
  type HtmlPage,
  hiddenFields,
  type UserShell,
} from '../../shared/page/html-page.ts'
import { suspendedList } from './closed-pages.ts'

type ChoicePageInput = UserShell & {
  developers: readonly { id: string; name: string; role: 'member' | 'owner' }[]
  /** Those that nobody can choose. */
  suspended: readonly { name: string; reason: string | null }[]
  chosenId: string | undefined
  /** Path of this site that the choice leads on to. */
  next: string
}

/** Asks for which developer a person works from now on. */
export function developerChoicePage(input: ChoicePageInput): HtmlPage {
  const { csrfToken, developers, suspended, chosenId, next } = input
  const choices = developers.map(({ id, name, role }) => ({
    value: id,
    text: html`<bdi>${name}</bdi>`,
    note: roleBadge(role === 'owner' ? 'Owner' : 'Member'),
    isCurrent: id === chosenId,
  }))
  return narrowPage(input, {
    title: 'Switch developer',
    lead: 'The developer console shows the developer you choose until you sign out.',
    content: html`<form method="post" action="/Developer/Choose">
${csrfField(csrfToken)}
${hiddenFields({ next })}
${choiceButtons('developerId', choices)}</form>${
      suspended.length > 0 && html`<h2>Suspended</h2>${suspendedList(suspended)}`
    }`,
  })
}
