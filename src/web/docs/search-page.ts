import { type FormProblem, problemSummary } from '../shared/forms/form-problems.ts'
import { type Html, html } from '../shared/page/html.ts'
import { type DocsContext, docsPage } from './docs-page.ts'
import type { Hit } from './search-index.ts'
import { excerptOf } from './search-text.ts'

/** Results that one page shows. */
const RESULTS_MAX = 20

export type SearchInput = {
  query: string
  terms: readonly string[]
  hits: readonly Hit[]
  /** Why nothing was searched, if so. */
  problems: readonly FormProblem[]
}

/** What a search of the documentation has found. */
export function searchPage(input: SearchInput, context: DocsContext): string {
  const { query, terms, hits, problems } = input
  return docsPage(
    {
      path: '/docs/search',
      title: terms.length === 0 ? 'Search' : `Search: ${query}`,
      lead: html`<p>${problems.length === 0 && summary(terms, hits.length)}</p>`,
      contents: [],
      searched: query,
      body: html`${problemSummary(problems)}
${hits.length > 0 && html`<ol class="docs-results">${hits.slice(0, RESULTS_MAX).map((hit) => result(hit, terms))}</ol>`}
<p class="muted">This searches guides, errors and the fields of a definition. The
<a href="/docs/api">API reference</a> has a search of its own for operations.</p>`,
    },
    context,
  )
}

function summary(terms: readonly string[], count: number): string {
  if (terms.length === 0) return 'Enter what you look for.'
  if (count === 0) return 'No results.'
  if (count > RESULTS_MAX) return `The best ${RESULTS_MAX} of ${count} results.`
  return count === 1 ? '1 result.' : `${count} results.`
}

function result({ page, heading, href, paragraph }: Hit, terms: readonly string[]): Html {
  return html`<li>
<h2><a href="${href}">${marked(heading, terms)}</a></h2>
${page !== heading && html`<p class="row-note">${page}</p>`}
<p>${marked(paragraph, terms)}</p>
</li>`
}

function marked(text: string, terms: readonly string[]): Html[] {
  return excerptOf(text, terms).map(({ text: part, isFound }) =>
    isFound ? html`<mark>${part}</mark>` : html`${part}`,
  )
}
