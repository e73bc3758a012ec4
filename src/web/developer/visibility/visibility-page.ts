import type { AppRecord } from '../../../marketplace/apps/app-record.ts'
import type { InstallLink } from '../../../marketplace/apps/visibility/visibility.ts'
import type { FormSpec } from '../../kit/fields.ts'
import { tableView } from '../../kit/table.ts'
import { type Html, html } from '../../shared/page/html.ts'
import { when } from '../../shared/status/history-view.ts'
import { ownAppPath } from '../console-frame.ts'

/** The page of who finds an app. */
export function visibilityPath(appId: string): string {
  return `${ownAppPath(appId)}/Visibility`
}

/** Asks who finds an app. */
export const VISIBILITY_FIELDS: FormSpec = {
  visibility: {
    label: 'Who finds the app',
    kind: 'radio',
    choices: [
      ['draft', 'Draft: only your sandbox'],
      ['private', 'Private: the accounts named here, and those that use an install link'],
      ['unlisted', 'Unlisted: everybody who has the address of its page'],
      ['listed', 'Listed: everybody, in the directory'],
    ],
  },
  partyIds: {
    label: 'Accounts',
    kind: 'lines',
    rows: 4,
    optional: true,
    hint: 'The IDs of the accounts that find the app while it is private, one per line.',
  },
}

/** Asks what an install link is to be. */
export const LINK_FIELDS: FormSpec = {
  uses: {
    label: 'Accounts that may use it',
    keyboard: 'numeric',
    optional: true,
    hint: 'Leave blank for any number.',
  },
  partyId: {
    label: 'Only for the account',
    keyboard: 'numeric',
    optional: true,
    hint: 'The ID of the account. Leave blank for any account.',
  },
  expiresAt: {
    label: 'Ends at',
    kind: 'time',
    optional: true,
    hint: 'In UTC. Leave blank for a link that does not end.',
  },
}

/** The install links of an app. */
export function linksCard({ id }: Pick<AppRecord, 'id'>, links: readonly InstallLink[]): Html {
  const path = `${ownAppPath(id)}/InstallLinks`
  return html`<section class="card flush" aria-labelledby="links">
<div class="section-head"><h2 id="links">Install links</h2>
<a class="button small" href="${path}">Make a link</a></div>
${
  links.length === 0
    ? html`<p class="muted inset">No links yet. With a link, an account finds a private app.</p>`
    : tableView({
        caption: 'Install links',
        entries: links,
        columns: [
          { label: 'Made', cell: ({ createdAt }) => when(createdAt) },
          { label: 'Used', isNumeric: true, phone: 'note', cell: useText },
          {
            label: 'For',
            phone: 'note',
            cell: ({ partyId }) => (partyId === null ? 'Any account' : `Account ${partyId}`),
          },
          {
            label: 'Ends',
            phone: 'note',
            cell: ({ expiresAt }) => (expiresAt === null ? 'Never' : when(expiresAt)),
          },
          {
            label: 'Change',
            phone: 'end',
            cell: (one) =>
              html`<a class="button small danger" href="${path}/${one.id}/Delete">Delete…</a>`,
          },
        ],
      })
}</section>`
}

function useText({ used, uses }: InstallLink): string {
  return uses === null ? String(used) : `${used} of ${uses}`
}
