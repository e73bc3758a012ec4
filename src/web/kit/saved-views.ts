import { type Html, html } from '../shared/page/html.ts'
import { withQuery } from '../shared/page/with-query.ts'

/** The views that a visitor has saved. */
export const SAVED_VIEWS_PATH = '/Account/Views'

/** A view of a list, and what it is called. */
export type SavedViewLink = View & { name: string }

type View = { path: string; query: string }

/** The address of a list as it was saved. */
export function hrefOfView({ path, query }: View): string {
  return `${path}?${new URLSearchParams(query)}`
}

/**
 * The views of a list that the visitor has saved, and the way to save the one that is shown.
 *
 * @param query of the list as it is shown; empty when it is the usual one
 */
export function savedViewsView(
  path: string,
  query: string,
  views: readonly SavedViewLink[],
): Html | false {
  if (query === '' && views.length === 0) return false
  const isSaved = views.some((view) => view.query === query)
  const links = views.map(
    (view) =>
      html`<a href="${hrefOfView(view)}"${
        view.query === query && html` aria-current="true"`
      }><bdi>${view.name}</bdi></a>\n`,
  )
  return html`<nav aria-label="Saved views"><p class="list-files muted">
${views.length > 0 && html`Saved views: ${links}<a href="${SAVED_VIEWS_PATH}">Change</a>\n`}
${query !== '' && !isSaved && html`<a href="${withQuery(`${SAVED_VIEWS_PATH}/New`, { path, query })}">Save this view</a>`}
</p></nav>
`
}
