import { describedBy, type FormAttempt } from '../../shared/forms/form-problems.ts'
import { html } from '../../shared/page/html.ts'
import type { HtmlPage, UserShell } from '../../shared/page/html-page.ts'
import { type ConsoleTab, operatorPage } from '../console-frame.ts'
import { changeForm } from '../forms/fields.ts'

/** Who reads the reason of a suspension, by the tab of what is suspended. */
const READERS = {
  Developers:
    'Shown to members who sign in with a personal login, and to accounts that have its apps.',
  Apps: 'Shown to its developer and to accounts that have it.',
  Parties: 'Shown to its members.',
  Users:
    'Kept in the audit trail, and not shown to the suspended user. After you resume the user, the download of their own data contains it.',
  Installations: 'Shown to its account and to the developer of the app.',
} as const satisfies Partial<Record<ConsoleTab, string>>

type SuspendPageInput = UserShell & {
  tab: keyof typeof READERS
  /** What is to be suspended: its kind in words, its name and its page. */
  noun: string
  name: string
  path: string
  effect: string
  attempt: FormAttempt
}

/** Asks for the reason of a suspension, and for a last word. */
export function suspendRecordPage(input: SuspendPageInput): HtmlPage {
  const { tab, noun, name, path, effect, attempt, csrfToken } = input
  const { attributes, message } = describedBy(attempt.problems, 'reason', ['reason-hint'])
  const reason = attempt.typed.get('reason') ?? ''
  return operatorPage(input, {
    tab,
    title: `Suspend ${name}`,
    back: { href: path, label: name },
    asks: true,
    problems: attempt.problems,
    body: html`<section class="card" aria-label="What happens"><p>
${effect} This takes effect immediately and lasts until you resume the ${noun}.</p>
${changeForm(
  {
    action: `${path}/Suspend`,
    csrfToken,
    button: `Suspend the ${noun}`,
    kind: 'danger',
    cancel: path,
  },
  html`<div class="field"><label for="reason">Reason</label><p class="hint" id="reason-hint">
${READERS[tab]} At most 500 characters.</p>
${message}<textarea id="reason" name="reason" rows="3" dir="auto" aria-required="true"${attributes}>
${reason}</textarea></div>
`,
)}</section>`,
  })
}
