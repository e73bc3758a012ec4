import { html } from '../shared/page/html.ts'
import type { HtmlPage } from '../shared/page/html-page.ts'
import { type ChangePageInput, changeActions, changeFields, changePage } from './change-page.ts'
import type { Reinstall } from './installation-shown.ts'

/** Says what an uninstall does, and asks for a last word. */
export function uninstallPage(input: ChangePageInput): HtmlPage {
  const { installation, reinstall } = input.installed
  return changePage(
    input,
    'Uninstall',
    html`<form class="card" method="post" action="/Installed/${installation.id}/Uninstall">
${changeFields(input)}
<h2>What happens</h2>
<ul class="bullets">
<li><bdi>${installation.appName}</bdi> loses access to the data of <bdi>${installation.partyName}</bdi> immediately.
</li>
<li>Passwords in its settings are erased.</li>
<li>Data the app has already copied is not deleted. Contact its developer.</li>
<li>${whatThen(reinstall)}</li></ul>
${changeActions(input, 'Uninstall', 'danger')}</form>`,
  )
}

function whatThen({ isPossible, bar }: Reinstall): string {
  if (bar !== null) {
    return 'You cannot undo this. You can install the app again only when the operator allows it.'
  }
  return isPossible
    ? 'You cannot undo this. You can install the app again, with its latest version and at its current price.'
    : 'You cannot undo this, and at the moment you cannot install the app again.'
}
