import { type AskedPermission, PERMISSIONS } from '../../../marketplace/apps/permissions.ts'
import { type Html, html } from '../page/html.ts'

/** Permissions in plain words: what each lets the app do, and what the app does with it. */
export function permissionList(permissions: readonly AskedPermission[]): Html {
  if (permissions.length === 0) return html`<p>This app needs no permissions.</p>`
  return html`<ul class="grants">${permissions.map(permissionItem)}</ul>`
}

function permissionItem({ id, purpose }: AskedPermission): Html {
  const known = PERMISSIONS.find((one) => one.id === id)
  return html`<li>
    <p class="grant-name">${known?.title ?? id} <code>${id}</code></p>
    ${purpose !== null && purpose !== '' && html`<p><bdi>${purpose}</bdi></p>`}
    ${known && html`<p class="fine">${known.description}</p>`}
  </li>`
}
