import { type Html, html } from '../shared/page/html.ts'

/** A page of a list: what its link says, and its address. */
type PageLink = { href: string; label: string }

/** The ways from a page of a list to its others; nothing where there are none. */
export function pager({
  first,
  next,
  small,
}: {
  first?: PageLink | false | undefined
  next?: PageLink | false | undefined
  /** Within a card. */
  small?: true
}): Html | false {
  if (!first && !next) return false
  const look = small ? 'button small' : 'button'
  return html`<nav class="actions" aria-label="Pages">
${first && html`<a class="${look}" href="${first.href}">${first.label}</a>`}
${next && html`<a class="${look}" rel="next" href="${next.href}">${next.label}</a>`}
</nav>
`
}

/** Links to what can be done next, beside each other; those that are there. */
export function actionList(links: readonly (Html | false | undefined)[]): Html {
  return html`<ul class="actions">${links.map((link) => link && html`<li>${link}</li>\n`)}</ul>
`
}
