import { html } from '../web/shared/page/html.ts'
import { type DocsContext, docsPage } from './docs-page.ts'
import { headingsOf, inline, markdown } from './markdown.ts'

/** Where the examples of the guides find the server. */
const EXAMPLE_SERVER = 'http://127.0.0.1:3000'

/** A guide of the directory `docs`: a title, a paragraph that says what it is about, and the rest. */
export function guidePage(path: string, text: string, context: DocsContext): string {
  const [title = '', lead = '', ...rest] = forThisServer(text, context.baseUrl).split('\n\n')
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
 * Examples call this server, links lead to its own pages, and files that only the repository has
 * are named without a link.
 */
function forThisServer(text: string, baseUrl: string): string {
  return text
    .replaceAll(EXAMPLE_SERVER, baseUrl)
    .replaceAll(/\]\(([\w-]+)\.md(#[\w-]*)?\)/g, '](/docs/$1$2)')
    .replaceAll(/\[([^\][]+)\]\(\.\.\/[^()\s]*\)/g, '$1')
}
