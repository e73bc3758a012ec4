import { type Html, html } from '../shared/page/html.ts'
import { page } from '../shared/page/html-page.ts'
import { DOCS_GROUPS } from './guides.ts'
import type { LinkOf } from './markdown.ts'

/** What all pages of the documentation share. */
export type DocsContext = {
  /** Public address of this server, without a trailing slash. */
  baseUrl: string
  linkOf: LinkOf
  assetVersion: string
}

/** An entry of the table of contents of a page. */
type Content = { href: string; label: string }

export type DocsPage = {
  path: string
  title: string
  lead: Html
  contents: readonly Content[]
  body: Html
  /** What was searched for, on the page of results. */
  searched?: string
}

/** A page of the documentation: all its pages at one side, its own contents among them. */
export function docsPage(input: DocsPage, { assetVersion }: DocsContext): string {
  const { title, lead, body } = input
  const document = page({
    title,
    assetVersion,
    layout: 'docs',
    nav: navigation(input),
    body: html`<div class="page-head docs-head">
<h1>${title}</h1>
<div class="lead">${lead}</div>
</div>
${body}
${pager(input.path)}`,
  })
  return [...document.pieces()].join('')
}

function navigation({ path, title, contents, searched = '' }: DocsPage): Html {
  const entry = (href: string, label: string) => {
    const isHere = href === path
    return html`<li>
<a href="${href}"${isHere && html` aria-current="page"`}>${label}</a>
${isHere && contents.length > 0 && contentList(contents)}
</li>`
  }
  return html`<div class="docs-side"><div class="docs-fixed">
<form class="docs-search" method="get" action="/docs/search" role="search">
<label class="visually-hidden" for="docs-q">Search the documentation</label>
<input id="docs-q" name="q" type="search" maxlength="200" placeholder="Search docs" value="${searched}">
<button class="button" type="submit">Search</button>
</form>
<nav class="docs-nav" aria-label="Documentation">
<details tabindex="0" aria-label="Pages">
<summary><span class="label">Documentation</span> ${title}</summary>
<ul>
${entry('/docs', 'Overview')}
</ul>
${DOCS_GROUPS.map(
  (group, index) => html`<h2 id="pages-${index}">${group.title}</h2>
<ul aria-labelledby="pages-${index}">
${group.pages.map(({ name, title: label }) => entry(guidePath(name), label))}
</ul>`,
)}
<ul><li><a href="/openapi.json">openapi.json</a></li></ul>
</details>
</nav>
</div></div>`
}

/** The pages before and after this one, in the order in which they are read. */
function pager(path: string): Html | undefined {
  const pages = DOCS_GROUPS.flatMap((group) => group.pages)
  const at = pages.findIndex(({ name }) => guidePath(name) === path)
  if (at === -1) return undefined
  const [before, after] = [pages[at - 1], pages[at + 1]]
  const link = ({ name, title }: (typeof pages)[number], rel: string, label: string) =>
    html`<a href="${guidePath(name)}" rel="${rel}">${label}: ${title}</a>`
  return html`<nav class="docs-pager" aria-label="Previous and next page">
${before && link(before, 'prev', 'Previous')}
${after && link(after, 'next', 'Next')}
</nav>`
}

function contentList(contents: readonly Content[]): Html {
  return html`<ul class="docs-contents">
${contents.map(({ href, label }) => html`<li><a href="${href}">${label}</a></li>`)}
</ul>`
}

/** A part of a page with a heading that can be linked to. */
export function section(id: string, title: string, body: Html): Html {
  return html`<section id="${id}" class="docs-section" aria-labelledby="${id}-title">
<h2 id="${id}-title"><a class="anchor" href="#${id}">${title}</a></h2>
${body}
</section>`
}

function guidePath(name: string): string {
  return `/docs/${name}`
}
