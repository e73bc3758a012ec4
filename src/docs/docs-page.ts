import { type Html, html } from '../web/shared/page/html.ts'
import { page } from '../web/shared/page/html-page.ts'
import { GUIDES } from './guides.ts'
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
}

/** A page of the documentation: all its pages at one side, its own contents among them. */
export function docsPage(input: DocsPage, { assetVersion }: DocsContext): string {
  const { path, title, lead, contents, body } = input
  const document = page({
    title,
    assetVersion,
    layout: 'docs',
    stylesheets: ['code.css', 'docs.css'],
    nav: navigation(path, title, contents),
    body: html`<div class="page-head docs-head">
<h1>${title}</h1>
<div class="lead">${lead}</div>
</div>
${body}`,
  })
  return [...document.pieces()].join('')
}

function navigation(path: string, title: string, contents: readonly Content[]) {
  const entry = (href: string, label: string) => {
    const isHere = href === path
    return html`<li>
<a href="${href}"${isHere && html` aria-current="page"`}>${label}</a>
${isHere && contents.length > 0 && contentList(contents)}
</li>`
  }
  return html`<nav class="docs-nav" aria-label="Documentation">
<details tabindex="0" aria-label="Pages">
<summary><span class="label">Documentation</span> ${title}</summary>
<ul>
${entry('/docs', 'Overview')}
${GUIDES.map(({ name, title: label }) => entry(`/docs/${name}`, label))}
${entry('/docs/apps', 'App definition')}
${entry('/docs/api', 'API reference')}
${entry('/docs/errors', 'Errors')}
<li><a href="/openapi.json">openapi.json</a></li>
</ul>
</details>
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
