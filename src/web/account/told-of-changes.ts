import type { AccountInstallation } from '../../marketplace/installations/account-installation.ts'
import { fact } from '../shared/page/blocks.ts'
import { type Html, html } from '../shared/page/html.ts'
import { when } from '../shared/status/history-view.ts'

/** Says that the app is told of changes at once; nothing when it is not, or needs not be told. */
export function toldFact({ appName, status, webhooks }: AccountInstallation): Html | false {
  if (status === 'uninstalled' || webhooks.status !== 'healthy') return false
  return fact('Updates', html`<bdi>${appName}</bdi> is told of changes at once.`)
}

/**
 * Says since when one of the app's endpoints does not work, and what becomes of it; nothing when all
 * do.
 */
export function untoldNotice({ appName, status, webhooks }: AccountInstallation): Html | false {
  const { since } = webhooks
  if (status === 'uninstalled' || since === null) return false
  return html`<div class="notice warning"><p>${
    webhooks.status === 'failing'
      ? html`<strong><bdi>${appName}</bdi> could not always be reached since ${when(since)}.</strong> It is told
of changes when it is back.`
      : html`<strong><bdi>${appName}</bdi> may have missed changes since ${when(since)}.</strong> Contact its
developer.`
  }</p></div>
`
}
