import type { Danger } from '../../kit/detail-page.ts'
import { type Html, html } from '../../shared/page/html.ts'
import { paragraphs } from '../../shared/page/paragraphs.ts'
import { when } from '../../shared/status/history-view.ts'
import { changeForm } from '../forms/fields.ts'

/** Something that can be suspended, as its page shows it. */
export type Suspendable = {
  suspended: boolean
  suspendedAt: Date | null
  suspendedReason: string | null
  closedAt?: Date | null
}

/**
 * Says that something is suspended and why, with a button that resumes it; nothing when it is not
 * suspended.
 *
 * @param csrfToken false for visitors who may not resume it
 */
export function suspensionNotice(
  { suspended, suspendedAt, suspendedReason, closedAt }: Suspendable,
  path: string,
  csrfToken: string | false,
): Html | false {
  if (!suspended) return false
  if (closedAt) {
    return html`<section class="notice error" aria-labelledby="closed">
<h2 id="closed">Closed since ${when(closedAt)}</h2>
<p>It cannot be opened again.</p></section>`
  }
  return html`<section class="notice error" aria-labelledby="suspended">
<h2 id="suspended">Suspended${suspendedAt && html` since ${when(suspendedAt)}`}</h2>
${paragraphs(suspendedReason ?? 'No reason was given.')}${
  csrfToken !== false &&
  changeForm({ action: `${path}/Resume`, csrfToken, button: 'Resume', kind: '' })
}
</section>`
}

/** Leads to the suspension, and says what it does; nothing when it is closed. */
export function suspensionDanger(one: Suspendable, path: string, effect: string): Danger[] {
  const { suspended, closedAt } = one
  if (closedAt) return []
  return [
    {
      title: suspended ? 'Suspension' : 'Suspend',
      effect,
      label: suspended ? 'Change reason…' : 'Suspend…',
      href: `${path}/Suspend`,
    },
  ]
}

/** Leads to the end of a party or a developer; nothing when it is closed. */
export function closingDanger({ closedAt }: Suspendable, path: string, effect: string): Danger[] {
  return closedAt ? [] : [{ title: 'Close', effect, label: 'Close…', href: `${path}/Close` }]
}
