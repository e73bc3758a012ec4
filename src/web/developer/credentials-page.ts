import type { Credential } from '../../identity/accounts/operator-records.ts'
import { controlsView, type FormSpec } from '../kit/fields.ts'
import { framePage, type Visit } from '../kit/frame.ts'
import type { FormAttempt } from '../shared/forms/form-problems.ts'
import { copied } from '../shared/page/copied.ts'
import { type Html, html } from '../shared/page/html.ts'
import { csrfField, type HtmlPage } from '../shared/page/html-page.ts'
import { when } from '../shared/status/history-view.ts'

type CredentialsPageInput = Visit & {
  credentials: readonly Credential[]
  attempt: FormAttempt
}

/** What the developer's programs sign in with. */
export function credentialsPage(input: CredentialsPageInput): HtmlPage {
  const { credentials } = input
  const { problems } = input.attempt
  return framePage(
    { console: 'developer', section: 'credentials' },
    { ...input, problems },
    {
      title: 'Credentials',
      layout: 'form',
      lead: 'API credentials. Create a second one before you remove the first.',
      content: html`<section class="card flush" aria-labelledby="credentials"><div class="section-head">
<h2 id="credentials">Your credentials</h2></div><ul class="rows">
${credentials.map(row)}</ul></section>
${form(input)}`,
    },
  )
}

function row({ id, clientId, createdAt, lastUsedAt }: Credential): Html {
  return html`<li class="row console-row">
<span class="row-text"><span class="row-name">${copied(clientId)}</span><span class="row-note">Created
${when(createdAt)}, ${lastUsedAt === null ? 'never used' : html`last used ${when(lastUsedAt)}`}</span></span>
<a class="button small danger" href="/Developer/Credentials/${id}/Remove">Remove…<span class="visually-hidden"> ${clientId}</span></a>
</li>
`
}

const CLIENT_ID: FormSpec = {
  clientId: {
    label: 'Client ID',
    optional: true,
    hint: 'Leave blank to generate one from your name. The password is generated.',
  },
}

function form({ csrfToken, attempt }: CredentialsPageInput): Html {
  return html`<form class="card" method="post" action="/Developer/Credentials">
${csrfField(csrfToken)}
<h2>New credential</h2>
${controlsView(CLIENT_ID, attempt)}
<p class="actions"><button class="button primary" type="submit">Create credential</button></p></form>
`
}
