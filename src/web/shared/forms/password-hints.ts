import { type Html, html } from '../page/html.ts'

/**
 * Beside a field for the current password, where the visitor may have none.
 *
 * @param provider of single sign-on that the visitor signs in with; undefined when there is none
 */
export function ownPasswordHint(provider: string | undefined): Html | false {
  if (provider === undefined) return false
  return html`<p class="muted">You sign in with <bdi>${provider}</bdi>. No password yet? Choose one by
<a href="/forgot">Forgot your password?</a></p>
`
}
