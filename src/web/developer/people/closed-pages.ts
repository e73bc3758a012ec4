import { narrowPage } from '../../kit/narrow-page.ts'
import { type Html, html } from '../../shared/page/html.ts'
import { csrfField, type HtmlPage, type UserShell } from '../../shared/page/html-page.ts'
import { reasonGiven } from '../../shared/status/suspension-notices.ts'

type SuspendedDeveloper = { name: string; reason: string | null }
type SuspendedPageInput = UserShell & { developers: readonly SuspendedDeveloper[] }

/**
 * Instead of the developer console: tells a person whose developers are all suspended why. It is a
 * page of the marketplace, where the person still can go on.
 */
export function suspendedDevelopersPage(input: SuspendedPageInput): HtmlPage {
  const { developers } = input
  const [only] = developers.length === 1 ? developers : []
  return narrowPage(input, {
    title: only ? `${only.name} is suspended` : 'Your developers are suspended',
    ...(only && { heading: html`<bdi>${only.name}</bdi> is suspended` }),
    section: 'developer',
    content: html`${only ? html`<p class="lead">${reasonGiven({ by: 'operator', ...only })}</p>` : suspendedList(developers)}
<p>The developer console stays closed until the suspension ends. Contact the operator of this marketplace.</p>
<p class="actions"><a class="button primary" href="/">Go to the start page</a></p>`,
  })
}

/** Instead of the developer console: tells somebody who works for no developer whom to ask. */
export function noDeveloperPage(shell: UserShell): HtmlPage {
  return narrowPage(shell, {
    title: 'You do not work for a developer',
    content: html`<p class="lead">The developer console is for people who publish apps. Ask an owner of your developer to invite you.</p>
<p>If nobody works for your developer yet, ask the operator of this marketplace.</p>
<div class="actions">
<a class="button primary" href="/">Go to the start page</a>
<form method="post" action="/logout">
${csrfField(shell.csrfToken)}
<input type="hidden" name="next" value="/Developer">
<button class="button" type="submit">Sign in as another user</button>
</form></div>`,
  })
}

/** Suspended developers, each with the reason. */
export function suspendedList(developers: readonly SuspendedDeveloper[]): Html {
  return html`<ul class="bullets">${developers.map(
    ({
      name,
      reason,
    }) => html`<li><strong><bdi>${name}</bdi></strong>: ${reasonGiven({ by: 'operator', reason })}</li>
`,
  )}</ul>`
}
