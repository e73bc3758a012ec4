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

/** The page that gives a list, as it is shown, a name. */
export function saveViewHref(path: string, query: string): string {
  return withQuery(`${SAVED_VIEWS_PATH}/New`, { path, query })
}

/**
 * The views of a list that the visitor has saved.
 *
 * @param query of the list as it is shown
 */
export function savedViewsView(query: string, views: readonly SavedViewLink[]): Html | false {
  if (views.length === 0) return false
  const links = views.map(
    (view) =>
      html`<a href="${hrefOfView(view)}"${
        view.query === query && html` aria-current="true"`
      }><bdi>${view.name}</bdi></a>\n`,
  )
  return html`<nav aria-label="Saved views"><p class="list-files muted">
Saved views: ${links}<a href="${SAVED_VIEWS_PATH}">Change</a></p></nav>
`
}
