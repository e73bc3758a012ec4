import { describedBy } from '../../shared/forms/form-problems.ts'
import { html } from '../../shared/page/html.ts'
import type { HtmlPage } from '../../shared/page/html-page.ts'
import { confirmationPage } from '../console-frame.ts'
import { backTo, type OwnInstallationInput } from './installation-frame.ts'

/** Asks why an installation is to be suspended. */
export function suspendInstallationPage(
  input: OwnInstallationInput & { reason: string },
): HtmlPage {
  const { own, problems = [], reason } = input
  const back = backTo(own)
  const { attributes, message } = describedBy(problems, 'reason', ['reason-hint'])
  return confirmationPage(input, {
    title: 'Suspend the installation',
    about: back.label,
    section: 'installations',
    back,
    action: `${back.href}/Suspend`,
    label: 'Suspend',
    consequences: [
      html`Its tokens are refused immediately, and no new ones are issued.`,
      html`Users of <bdi>${own.installation.partyName}</bdi> cannot open the app. They see the reason.`,
      html`No data is lost. You can resume it at any time.`,
    ],
    fields: html`<div class="field"><label for="reason">Reason <span class="must">(required)</span></label>
<p class="hint" id="reason-hint">The account sees it. At most 500 characters.</p>
${message}<textarea id="reason" name="reason" rows="3" maxlength="500" dir="auto" aria-required="true"${attributes}>
${reason}</textarea></div>`,
  })
}
