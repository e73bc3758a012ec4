import { markBadge, roleBadge } from '../../kit/badge.ts'
import { html } from '../../shared/page/html.ts'
import { csrfField, type HtmlPage, page, type UserShell } from '../../shared/page/html-page.ts'
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
  const { user, csrfToken, assetVersion, developers, suspended, chosenId, next } = input
  const body = html`<section class="card" aria-labelledby="heading">
<div class="card-head"><h1 id="heading">Switch developer</h1>
<p class="lead">The developer console shows the developer you choose until you sign out.</p></div>
<form method="post" action="/Developer/Choose">
${csrfField(csrfToken)}
<input type="hidden" name="next" value="${next}">
<ul class="choices">
${developers.map(
  ({
    id,
    name,
    role,
  }) => html`<li><button class="choice" type="submit" name="developerId" value="${id}"${
    id === chosenId && html` aria-current="true"`
  }><span class="choice-text"><span class="choice-name"><bdi>${name}</bdi></span>
<span class="badges">${roleBadge(role === 'owner' ? 'Owner' : 'Member')}${
    id === chosenId && markBadge('Current')
  }</span></span></button></li>
`,
)}</ul></form>${
    suspended.length > 0 && html`<h2>Suspended</h2>${suspendedList(suspended)}`
  }</section>`
  return page({
    user,
    csrfToken,
    assetVersion,
    title: 'Switch developer',
    layout: 'narrow',
    body,
  })
}
