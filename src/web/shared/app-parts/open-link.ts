import { type Html, html } from '../page/html.ts'

/** What a link opens: an app for an account. */
export type Opened = {
  appId: string
  appName: string
  partyId: number
  /** Named where several accounts have the app. */
  partyName?: string
  /** The app's own site, where it opens from there. */
  site: string | null
}

/** Where a browser opens an app for an account, on this site. */
export function openPath({ appId, partyId }: Pick<Opened, 'appId' | 'partyId'>): string {
  return `/Apps/Authenticate/${encodeURIComponent(appId)}?partyId=${partyId}`
}

/** The link that opens an app; one to another site names it. */
export function openLink(opened: Opened, size: 'usual' | 'large' = 'usual'): Html {
  const { appName, partyName, site } = opened
  const kind = size === 'large' ? 'button primary large' : 'button primary'
  const what = html`<span class="visually-hidden"> ${appName}${partyName && html` for ${partyName}`}</span>`
  if (site === null) return html`<a class="${kind}" href="${openPath(opened)}">Open${what}</a>`
  const { host } = new URL(site)
  return html`<a class="${kind}" href="${site}" rel="noopener noreferrer">Open at <bdi>${host}</bdi>${what}</a>`
}
