import type { Credential } from '../../identity/accounts/operator-records.ts'
import { markBadge } from '../kit/badge.ts'
import { framePage, type Visit } from '../kit/frame.ts'
import { questionPage } from '../kit/question-page.ts'
import { describedBy } from '../shared/forms/form-problems.ts'
import { type Html, html } from '../shared/page/html.ts'
import { csrfField, type HtmlPage } from '../shared/page/html-page.ts'
import { when } from '../shared/status/history-view.ts'

type CredentialsPageInput = Visit & {
  credentials: readonly Credential[]
  /** The client id that was typed. */
  clientId?: string | undefined
}

/** What the developer's programs sign in with. */
export function credentialsPage(input: CredentialsPageInput): HtmlPage {
  const { credentials } = input
  return framePage({ console: 'developer', section: 'credentials' }, input, {
    title: 'Credentials',
    layout: 'form',
    lead: 'API credentials. Create a second one before you remove the first.',
    content: html`<section class="card flush" aria-labelledby="credentials"><div class="section-head">
<h2 id="credentials">Your credentials</h2></div><ul class="rows">
${credentials.map(row)}</ul></section>
${form(input)}`,
  })
}

function row({ id, clientId, createdAt, lastUsedAt }: Credential): Html {
  return html`<li class="row console-row">
<span class="row-text"><span class="row-name"><code>${clientId}</code></span><span class="row-note">Created
${when(createdAt)}, ${lastUsedAt === null ? 'never used' : html`last used ${when(lastUsedAt)}`}</span></span>
<a class="button small danger" href="/Developer/Credentials/${id}/Remove">Remove…<span class="visually-hidden"> ${clientId}</span></a>
</li>
`
}

function form({ csrfToken, clientId = '', problems = [] }: CredentialsPageInput): Html {
  const { attributes, message } = describedBy(problems, 'clientId', ['clientId-hint'])
  return html`<form class="card" method="post" action="/Developer/Credentials">
${csrfField(csrfToken)}
<h2>New credential</h2>
<div class="field"><label for="clientId">Client ID</label><p class="hint" id="clientId-hint">
Leave blank to generate one from your name. The password is generated.</p>
${message}<input type="text" id="clientId" name="clientId" maxlength="128" autocapitalize="none"
spellcheck="false" value="${clientId}"${attributes}></div>
<p class="actions"><button class="button primary" type="submit">Create credential</button></p></form>`
}

/** Asks for the last word before a credential is removed. */
export function removeCredentialPage(input: Visit & { credential: Credential }): HtmlPage {
  const { id, clientId } = input.credential
  return questionPage({ console: 'developer', section: 'credentials' }, input, {
    title: `Remove ${clientId}`,
    back: { href: '/Developer/Credentials', label: 'Credentials' },
    action: `/Developer/Credentials/${id}/Remove`,
    button: 'Remove',
    consequences: [
      html`Programs can no longer sign in with <code>${clientId}</code>. Its tokens stop working immediately.`,
      html`The client ID can never be reused.`,
    ],
  })
}
