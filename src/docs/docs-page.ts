import { type Html, html } from '../web/shared/html.ts'
import { page } from '../web/shared/html-page.ts'
import type { ApiModel } from './api-model.ts'

/** What all pages of the documentation share. */
export type DocsContext = { model: ApiModel; assetVersion: string | undefined }

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
export function docsPage(input: DocsPage, { model, assetVersion }: DocsContext): string {
  const { path, title, lead, contents, body } = input
  return page({
    title,
    assetVersion,
    layout: 'docs',
    stylesheets: ['docs.css'],
    nav: navigation(path, title, contents, model),
    body: html`<div class="page-head docs-head">
<h1>${title}</h1>
<div class="lead">${lead}</div>
</div>
${body}`,
  })
}

function navigation(path: string, title: string, contents: readonly Content[], model: ApiModel) {
  const entry = (href: string, label: string, inner: Html | false = false) => {
    const isHere = href === path
    return html`<li><a href="${href}"${isHere && html` aria-current="page"`}>${label}</a>${isHere && contents.length > 0 && contentList(contents)}${inner}</li>`
  }
  const reference = html`<ul>
${model.groups.map((group) => entry(group.href, group.name))}
${entry('/docs/schemas', 'Schemas')}
</ul>`
  return html`<nav class="docs-nav" aria-label="Documentation">
<details tabindex="0" aria-label="Pages">
<summary><span class="label">Documentation</span> ${title}</summary>
<ul>
${entry('/docs', 'Overview')}
${entry('/docs/apps', 'Publish an app')}
${entry('/docs/api', 'API reference', reference)}
${entry('/docs/errors', 'Errors')}
<li><a href="/openapi.json">openapi.json</a></li>
</ul>
</details>
</nav>`
}

function contentList(contents: readonly Content[]): Html {
  return html`<ul class="docs-contents">${contents.map(({ href, label }) => html`<li><a href="${href}">${label}</a></li>`)}</ul>`
}

/** A part of a page with a heading that can be linked to. */
export function section(id: string, title: string, body: Html): Html {
  return html`<section id="${id}" class="docs-section" aria-labelledby="${id}-title">
<h2 id="${id}-title"><a class="anchor" href="#${id}">${title}</a></h2>
${body}
</section>`
}
