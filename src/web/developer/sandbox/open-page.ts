import type { AppRecord } from '../../../marketplace/apps/app-record.ts'
import { ownSite } from '../../../marketplace/apps/own-site.ts'
import type { Installation } from '../../../marketplace/installations/installation.ts'
import type { FormShown } from '../../requests/form-page.ts'
import { type Html, html } from '../../shared/page/html.ts'
import { backgroundBadge } from '../../shared/status/status-badge.ts'
import { ownAppPath, ownInstallationPath } from '../console-frame.ts'

/** Time that an app has to send a developer's browser back who opened it in the sandbox. */
export const SANDBOX_VISIT_MINUTES = 5

/**
 * Opens an app as its users do, for the test user of the sandbox.
 *
 * @param installation the live one in the sandbox
 */
export function openInSandboxForm(
  app: AppRecord,
  installation: Installation | undefined,
): FormShown {
  const path = ownAppPath(app.id)
  const shown = {
    title: `Open ${app.name} in the sandbox`,
    back: { href: path, label: app.name },
    heading: html`Open <bdi>${app.name}</bdi> in the sandbox`,
    lead: 'Your browser takes the same path as the browser of any user of your app.',
  }
  const { authReturnUrl } = app
  if (authReturnUrl === null) {
    return {
      ...shown,
      above: html`<div class="card"><p>${backgroundBadge}</p><p>
The app has no page to open. To give it one, add <code>authReturnUrl</code> to its definition.</p><p class="actions">
<a class="button primary" href="${path}/Definition">Edit definition</a></p></div>`,
    }
  }
  if (app.suspended) {
    return {
      ...shown,
      above: html`<div class="card"><p>The operator has suspended this app. You cannot open it for now.</p></div>`,
    }
  }
  if (installation === undefined) {
    return {
      ...shown,
      above: html`<div class="card"><p>The app is not in your sandbox yet.</p><p class="actions">
<a class="button primary" href="${path}/Sandbox">Install in the sandbox</a></p></div>`,
    }
  }
  if (installation.status !== 'active') {
    return {
      ...shown,
      above: html`<div class="card"><p>The installation in your sandbox is suspended.</p><p class="actions">
<a class="button" href="${ownInstallationPath(installation.id)}">View installation</a></p></div>`,
    }
  }
  const site = ownSite(app)
  const steps = site === null ? stepsOfToken(authReturnUrl) : stepsOfCode(site, authReturnUrl)
  return {
    ...shown,
    intro: html`<h2>What happens</h2><ol class="bullets">${steps}</ol>`,
    button: 'Open in the sandbox',
  }
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
