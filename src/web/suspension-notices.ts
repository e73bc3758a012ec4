import { type Html, html } from './html.ts'
import type { Suspension } from './listing.ts'

/** What is suspended, why, and what that means for who has the app. */
export function suspensionNotices(suspensions: readonly Suspension[]): Html[] {
  return suspensions.map(
    ({ what, reason }) =>
      html`<div class="notice error"><p><strong>${what} is suspended.</strong> ${reason ? html`The reason given: <bdi>${reason}</bdi>` : 'No reason was given.'}</p><p>Until it is resumed the app has no access to your data and cannot be opened. Ask the app’s support or the operator of this marketplace.</p></div>`,
  )
}
