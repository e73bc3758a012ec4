import { type Html, html } from '../shared/page/html.ts'

/** What a list would hold -> lines on a square of 24 by 24. */
const SUBJECTS = {
  apps: 'M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM17 14v6M14 17h6',
  company: 'M4 20V6l8-3v17M12 9h8v11M3 20h18M8 8v1M8 12v1M8 16v1M16 13v1M16 16v1',
  people:
    'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM3 20c0-4 2.5-6 6-6s6 2 6 6M16 5a3 3 0 0 1 0 6M17.5 14.5c2.3.6 3.5 2.5 3.5 5.5',
  requests: 'M4 13l2.5-8h11L20 13v6H4zM4 13h5l1 2.5h4l1-2.5h5',
  mail: 'M3 6h18v12H3zM3 7l9 6 9-6',
  search: 'M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM15.5 15.5L21 21',
  events: 'M3 12h4l2.5-7 5 14 2.5-7h4',
  notifications: 'M6 16v-5a6 6 0 0 1 12 0v5l1.5 2h-15zM10 20.5h4',
  keys: 'M8 15a4 4 0 1 0 0-.01zM11 12l9-9M16 7l3 3M13 10l2 2',
} as const satisfies Record<string, string>

/** What a list would hold. */
export type EmptySubject = keyof typeof SUBJECTS

/**
 * What stands in the place of a list that has nothing: a drawing of what it would hold, a sentence,
 * and the next step.
 */
export function emptyState(
  subject: EmptySubject,
  sentence: Html | string,
  next?: { href: string; label: string } | false | undefined,
): Html {
  return html`<div class="empty-state">
<svg viewBox="0 0 24 24" width="48" height="48" aria-hidden="true"><path d="${SUBJECTS[subject]}"/></svg>
<p>${sentence}</p>
${next && html`<p class="actions"><a class="button" href="${next.href}">${next.label}</a></p>`}</div>
`
}
