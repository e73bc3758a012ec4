import { html } from '../shared/page/html.ts'
import { type DocsContext, docsPage } from './docs-page.ts'
import { headingsOf, inline, markdown } from './markdown.ts'

/** Where the examples of the guides find the server. */
const EXAMPLE_SERVER = 'http://127.0.0.1:3000'

/** A guide of the directory `docs`, as `forThisServer` gives it: a title, a paragraph that says what it is about, and the rest. */
export function guidePage(path: string, text: string, context: DocsContext): string {
  const [title = '', lead = '', ...rest] = text.split('\n\n')
  const body = rest.join('\n\n')
  return docsPage(
    {
      path,
      title: title.replace(/^# /, ''),
      lead: html`<p>${inline(lead, context.linkOf)}</p>`,
      contents: headingsOf(body).map(({ id, label }) => ({ href: `#${id}`, label })),
      body: html`<div class="guide">${markdown(body, context.linkOf)}</div>`,
    },
    context,
  )
}

/**
 * Examples call this server, links lead to its own pages, diagrams are its own files, and files that
 * only the repository has are named without a link.
 *
 * @param name of the guide in the directory `docs`, such as `adr/001-batch-check`
 */
export function forThisServer(name: string, text: string, baseUrl: string): string {
  return text
    .replaceAll(EXAMPLE_SERVER, baseUrl)
    .replaceAll(/\]\(([\w./-]+\.(?:md|svg))(#[\w-]*)?\)/g, (link, file, anchor = '') => {
      const address = addressOf(name, file)
      return address === undefined ? link : `](${address}${anchor})`
    })
    .replaceAll(/\[([^\][]+)\]\(\.\.\/[^()\s]*\)/g, '$1')
}

/** Where this server has a file that a guide names, if it has it. */
function addressOf(name: string, file: string): string | undefined {
  const { pathname } = new URL(file, `http://repository/docs/${name}.md`)
  const [, guide] = /^\/docs\/(.+)\.md$/.exec(pathname) ?? []
  if (guide !== undefined) return `/docs/${guide}`
  const [, asset] = /^\/src\/web\/assets\/([\w-]+\.svg)$/.exec(pathname) ?? []
  return asset === undefined ? undefined : `/assets/${asset}`
}
