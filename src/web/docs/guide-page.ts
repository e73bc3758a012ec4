import { html } from '../shared/page/html.ts'
import { type DocsContext, docsPage } from './docs-page.ts'
import { headingsOf, inline, markdown } from './markdown.ts'

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
