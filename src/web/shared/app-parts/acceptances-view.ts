import type { Acceptance } from '../../../marketplace/installations/acceptances/acceptance.ts'
import { bdi, card, fact } from '../page/blocks.ts'
import { type Html, html } from '../page/html.ts'
import { paragraphs } from '../page/paragraphs.ts'
import { when } from '../status/history-view.ts'
import { termsView } from './terms-text.ts'

/** The page of what was accepted for an installation, under the page of the installation. */
export const ACCEPTANCES = 'Acceptances'

/** What was accepted, each with its text as a whole: when, by whom, in which version. */
export function acceptancesView(entries: readonly Acceptance[], path: string): Html {
  if (entries.length === 0) {
    return html`<div class="card"><p class="muted">Nothing was accepted.</p></div>`
  }
  return html`${entries.map((one, index) =>
    card(
      `accepted-${index + 1}`,
      titleOf(one),
      html`${wordsOf(one, path)}<dl class="facts">
${fact('Accepted', when(one.acceptedAt))}
${fact('By', nameOf(one))}
${fact('Version', bdi(one.version))}
${fact('SHA-256', html`<code>${one.sha256}</code>`)}
</dl>`,
    ),
  )}`
}

function titleOf({ kind, id, title }: Acceptance): string {
  if (kind === 'terms') return 'Terms and conditions'
  const name = title ?? id ?? ''
  return kind === 'permission' ? `Permission: ${name}` : name
}

function wordsOf({ kind, text, mediaType, sha256 }: Acceptance, path: string): Html {
  if (kind === 'terms') {
    const download = html`<p><a href="${path}/${sha256}/TermsDocument">Download the terms</a></p>
`
    return text === null || mediaType === null
      ? download
      : html`${termsView({ mediaType, text })}
${download}`
  }
  return text === null
    ? html`<p class="muted">The words were not kept, only their SHA-256.</p>
`
    : paragraphs(text)
}

const PEOPLE = {
  user: 'A user of the account',
  developer: 'The developer',
  operator: 'An operator',
  installation: 'The app',
  system: 'The marketplace',
} as const satisfies Record<Acceptance['acceptedBy']['kind'], string>

function nameOf({ acceptedBy: { kind, name } }: Acceptance): Html | string {
  return name === null ? PEOPLE[kind] : bdi(name)
}
