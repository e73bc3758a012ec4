import type { AppRecord } from '../../../marketplace/apps/app-record.ts'
import { ownSite } from '../../../marketplace/apps/own-site.ts'
import type { Installation } from '../../../marketplace/installations/installation.ts'
import { framePage, type Visit } from '../../kit/frame.ts'
import { type Html, html } from '../../shared/page/html.ts'
import { csrfField, type HtmlPage } from '../../shared/page/html-page.ts'
import { backgroundBadge } from '../../shared/status/status-badge.ts'
import { formActions, ownAppPath, ownInstallationPath } from '../console-frame.ts'

/** Time that an app has to send a developer's browser back who opened it in the sandbox. */
export const SANDBOX_VISIT_MINUTES = 5

type OpenInput = Visit & {
  app: AppRecord
  /** The live installation in the sandbox. */
  installation: Installation | undefined
}

/** Opens an app as its users do, for the test user of the sandbox. */
export function openInSandboxPage(input: OpenInput): HtmlPage {
  const { app } = input
  return framePage({ console: 'developer', section: 'own-apps' }, input, {
    title: `Open ${app.name} in the sandbox`,
    layout: 'form',
    back: { href: ownAppPath(app.id), label: app.name },
    heading: html`Open <bdi>${app.name}</bdi> in the sandbox`,
    lead: 'Your browser takes the same path as the browser of any user of your app.',
    content: way(input),
  })
}

function way({ app, installation, csrfToken }: OpenInput): Html {
  const path = ownAppPath(app.id)
  if (app.authReturnUrl === null) {
    return html`<div class="card"><p>${backgroundBadge}</p><p>
The app has no page to open. To give it one, add <code>authReturnUrl</code> to its definition.</p><p class="actions">
<a class="button primary" href="${path}/Definition">Edit definition</a></p></div>`
  }
  if (app.suspended)
    return html`<div class="card"><p>The operator has suspended this app. You cannot open it for now.</p></div>`
  if (installation === undefined) {
    return html`<div class="card"><p>The app is not in your sandbox yet.</p><p class="actions">
<a class="button primary" href="${path}/Sandbox">Install in the sandbox</a></p></div>`
  }
  if (installation.status !== 'active') {
    return html`<div class="card"><p>The installation in your sandbox is suspended.</p><p class="actions">
<a class="button" href="${ownInstallationPath(installation.id)}">View installation</a></p></div>`
  }
  const site = ownSite(app)
  return html`<form class="card" method="post" action="${path}/Sandbox/Open">${csrfField(csrfToken)}
<h2>What happens</h2><ol class="bullets">${
    site === null ? stepsOfToken(app.authReturnUrl) : stepsOfCode(site, app.authReturnUrl)
  }</ol>
${formActions('Open in the sandbox', path, 'primary')}</form>`
}

function stepsOfToken(returnUrl: string): Html {
  return html`
<li>The marketplace makes a token for the installation in your sandbox. It acts as a test user
that exists only in your sandbox.</li>
<li>It sends your browser to <code><bdi>${returnUrl}</bdi></code> with the token in the parameter
<code>token</code>.</li>
<li>Your app takes the token out of the address and calls the API with it.</li>`
}

/** The app begins each sign-in itself: it keeps a secret that only its own server knows. */
function stepsOfCode(site: string, returnUrl: string): Html {
  return html`
<li>Your browser goes to <code><bdi>${site}</bdi></code>, where all users open an app that takes codes only.
Start your app first: if nothing answers there, the browser shows an error.</li>
<li>Your app sends it on to the marketplace for a code. If it does so within ${SANDBOX_VISIT_MINUTES} minutes, the
marketplace asks for no sign-in: the code is for a test user that exists only in your sandbox.</li>
<li>The marketplace sends your browser back to <code><bdi>${returnUrl}</bdi></code> with the code in the parameter
<code>code</code>.</li>
<li>Your app exchanges the code for a token and calls the API with it.</li>`
}
