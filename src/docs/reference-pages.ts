import { type Html, html } from '../web/shared/html.ts'
import type { ApiModel, Group, Operation } from './api-model.ts'
import { jsonBox } from './code-view.ts'
import { tokenVariable } from './curl.ts'
import { type DocsContext, docsPage, section } from './docs-page.ts'
import { inline, markdown } from './markdown.ts'
import { methodBadge, operationView, tokenWords } from './operation-view.ts'
import { exampleOf } from './schema-example.ts'
import { shapeOf } from './schema-shape.ts'
import { schemaView } from './schema-view.ts'
import { typeWords } from './schema-words.ts'

/** The entrance of the reference: address, tokens, all operations. */
export function referencePage(context: DocsContext): string {
  const { model } = context
  const body = html`
${section('address', 'Address', html`<p>All paths are relative to <code>${model.baseUrl}</code>. Requests and answers are JSON in UTF-8, unless an operation says otherwise. <a href="/docs#conventions">The conventions</a> hold for every operation.</p>`)}
${section('who', 'Who may call what', tokenList(model))}
${model.groups.map((group) =>
  section(
    `group-${group.slug}`,
    group.name,
    html`${group.description && html`<p>${inline(group.description, model.linkOf)}</p>`}${operationList(group.operations)}`,
  ),
)}`
  return docsPage(
    {
      path: '/docs/api',
      title: 'API reference',
      lead: html`<p>Every operation of version ${model.version}, made from the server’s own <a href="/openapi.json">OpenAPI 3.1 document</a>.</p>`,
      contents: [],
      body,
    },
    context,
  )
}

function tokenList({ tokens, linkOf }: ApiModel): Html {
  return html`<p>An operation is open to anybody or needs one kind of token, in the header <code>authorization: Bearer …</code>. In the examples a shell variable stands for it.</p>
<ul class="props">${Object.entries(tokens).map(
    ([scheme, description]) => html`<li class="prop" id="${scheme}">
<div class="prop-head"><strong>${tokenWords(scheme)}</strong> <span class="prop-type"><code>$${tokenVariable(scheme)}</code></span></div>
<div class="prop-text">${markdown(description, linkOf)}</div>
</li>`,
  )}</ul>`
}

/** Operations as a list of links. */
export function operationList(operations: readonly Operation[]): Html {
  return html`<ul class="operation-list">${operations.map(
    ({ href, method, path, title }) =>
      html`<li><a href="${href}">${methodBadge(method)}<code>${path}</code><span class="operation-title">${title}</span></a></li>`,
  )}</ul>`
}

/** All operations of one group. */
export function groupPage(group: Group, context: DocsContext): string {
  const { model } = context
  return docsPage(
    {
      path: group.href,
      title: group.name,
      lead: markdown(group.description, model.linkOf),
      contents: group.operations.map(({ id, title }) => ({ href: `#${id}`, label: title })),
      body: html`${group.operations.map((operation) => operationView(operation, model))}`,
    },
    context,
  )
}

/** The named schemas that operations refer to. */
export function schemasPage(context: DocsContext): string {
  const { model } = context
  const names = Object.keys(model.schemas)
  return docsPage(
    {
      path: '/docs/schemas',
      title: 'Schemas',
      lead: html`<p>The records that operations take and answer, by the names that they have in <a href="/openapi.json">openapi.json</a>.</p>`,
      contents: names.map((name) => ({ href: `#${encodeURIComponent(name)}`, label: name })),
      body: html`${names.map((name) => schemaEntry(name, model))}`,
    },
    context,
  )
}

function schemaEntry(name: string, { schemas, linkOf, groups, inputs }: ApiModel): Html {
  const given = { $ref: `#/components/schemas/${name}` }
  const { schema } = shapeOf(given, schemas)
  const users = groups
    .flatMap((group) => group.operations)
    .filter(({ requestBody, responses = {} }) => {
      const good = Object.entries(responses).filter(([status]) => Number(status) < 400)
      return JSON.stringify([requestBody, good]).includes(`"${given.$ref}"`)
    })
  const view = schemaView(given, {
    schemas,
    linkOf,
    direction: inputs.has(name) ? 'input' : 'output',
    expand: false,
    collapse: false,
  })
  return html`<section class="operation" id="${name}" aria-labelledby="${name}-title">
<div class="operation-text">
<h2 id="${name}-title"><a class="anchor" href="#${encodeURIComponent(name)}">${name}</a></h2>
${schema.description && html`<div class="prose">${markdown(schema.description, linkOf)}</div>`}
${users.length > 0 && html`<p class="fine">Used by ${users.map((operation, index) => html`${index > 0 && ', '}<a href="${operation.href}">${operation.title}</a>`)}</p>`}
${view ?? html`<p>${typeWords(schema, schemas)}</p>`}
</div>
<div class="operation-example">${jsonBox('Example', `Example of ${name}`, exampleOf(schema, schemas, true))}</div>
</section>`
}
