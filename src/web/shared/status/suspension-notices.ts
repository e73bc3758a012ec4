import type { SuspensionCause } from '../../../marketplace/installations/suspension-causes.ts'
import { type Html, html } from '../page/html.ts'

const WHAT = {
  installation: 'This installation',
  app: 'The app',
  developer: 'The app’s developer',
  account: 'Your account',
} as const satisfies Record<SuspensionCause['what'], string>

const BY = {
  developer: 'Its developer',
  operator: 'The operator of this marketplace',
} as const satisfies Record<SuspensionCause['by'], string>

/** What is suspended, by whom, why, and what that means for who has the app. */
export function suspensionNotices(suspensions: readonly SuspensionCause[]): Html[] {
  return suspensions.map(
    (cause) =>
      html`<div class="notice error"><p>
<strong>${WHAT[cause.what]} is suspended.</strong> ${reasonGiven(cause)}
</p><p>The app has no access to your data and cannot be opened until the suspension ends. Contact the app’s
support or the operator of this marketplace.</p></div>`,
  )
}

/** The reason of a suspension, as a sentence. */
export function reasonGiven({ by, reason }: Pick<SuspensionCause, 'by' | 'reason'>): Html {
  return html`${BY[by]} ${reason ? html`gave this reason: <bdi>${reason}</bdi>` : 'gave no reason.'}`
}

/** The suspensions of an installation in a line of a list. */
export function suspensionNote(suspensions: readonly SuspensionCause[]): Html[] {
  return suspensions.map(
    ({ what, by, reason }) =>
      html`<span class="row-note">${WHAT[what]} is suspended by
${by === 'developer' ? 'its developer' : 'the operator'}${reason !== null && html`: <bdi>${reason}</bdi>`}</span>`,
  )
}
