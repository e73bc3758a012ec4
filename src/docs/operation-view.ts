import { ERROR_CODES } from '../errors.ts'
import { type Html, html } from '../web/shared/html.ts'
import type { ApiModel, Operation } from './api-model.ts'
import { codeBox, jsonBox, shellMarkup } from './code-view.ts'
import { curlOf } from './curl.ts'
import { inline, markdown } from './markdown.ts'
import type { Answer, Media, Parameter } from './openapi-types.ts'
import { exampleOf } from './schema-example.ts'
import { propertyView, type SchemaViewOptions, schemaView } from './schema-view.ts'
import { typeWords } from './schema-words.ts'

/** All about one operation: words on one side, an example request and its answer on the other. */
export function operationView(operation: Operation, model: ApiModel): Html {
  const { id, title, description, parameters = [] } = operation
  return html`<section class="operation" id="${id}" aria-labelledby="${id}-title">
<div class="operation-text">
<h2 id="${id}-title"><a class="anchor" href="#${id}">${title}</a></h2>
${endpoint(operation)}
${operation.deprecated && html`<p class="notice warning">Deprecated: do not use it in new apps.</p>`}
${description && html`<div class="prose">${markdown(description, model.linkOf)}</div>`}
${caller(operation)}
${['path', 'query', 'header'].map((place) => parameterList(place, parameters, model))}
${requestBody(operation, model)}
${answers(operation, model)}
</div>
<div class="operation-example">
${codeBox(html`Request`, `Example request: ${title}`, shellMarkup(curlOf(operation, model)))}
${exampleAnswer(operation, model)}
</div>
</section>`
}

/** Method and path, as a line of its own. */
function endpoint({ method, path }: Operation): Html {
  return html`<p class="endpoint">${methodBadge(method)} <code>${path}</code></p>`
}

/** The method as a coloured word. */
export function methodBadge(method: string): Html {
  return html`<span class="method method-${method.toLowerCase()}">${method}</span>`
}

/** `developerToken` -> `developer token`. */
export function tokenWords(scheme: string): string {
  return scheme.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()
}

function caller({ security = [] }: Operation): Html {
  const schemes = security.flatMap((alternative) => Object.keys(alternative))
  const who =
    schemes.length === 0
      ? html`Anybody, without a token.`
      : html`${schemes.map(
          (scheme, index) =>
            html`${index > 0 && ' or '}${article(scheme)} <a href="/docs/api#${scheme}">${tokenWords(scheme)}</a>`,
        )} in <code>authorization: Bearer …</code>`
  return html`<p class="caller"><span class="label">${schemes.length === 0 ? 'Open to' : 'Needs'}</span> ${who}</p>`
}

function article(word: string): string {
  return /^[aeiou]/.test(word) ? 'an' : 'a'
}

function viewOptions(
  { schemas, linkOf }: ApiModel,
  direction: SchemaViewOptions['direction'],
): SchemaViewOptions {
  return { schemas, linkOf, direction, expand: true, collapse: true }
}

const PLACES: ReadonlyMap<string, string> = new Map([
  ['path', 'Path parameters'],
  ['query', 'Query parameters'],
  ['header', 'Header fields'],
])

function parameterList(
  place: string,
  all: readonly Parameter[],
  model: ApiModel,
): Html | undefined {
  const parameters = all.filter((parameter) => parameter.in === place)
  if (parameters.length === 0) return undefined
  return html`<h3>${PLACES.get(place) ?? place}</h3>
<ul class="props">${parameters.map(({ name, schema = {}, description, required, example }) =>
    propertyView(
      html`<code>${name}</code>`,
      {
        ...schema,
        ...(description === undefined ? {} : { description }),
        ...(example === undefined ? {} : { example }),
      },
      required ?? false,
      viewOptions(model, 'input'),
    ),
  )}</ul>`
}

function requestBody({ requestBody: body }: Operation, model: ApiModel): Html | undefined {
  const media = Object.entries(body?.content ?? {})
  if (body === undefined || media.length === 0) return undefined
  const types = media.map(([type], index) => html`${index > 0 && ', '}<code>${type}</code>`)
  const schema = media[0]?.[1].schema
  return html`<h3>Body <span class="heading-note">${types}${body.required === false && ', optional'}</span></h3>
${body.description && markdown(body.description, model.linkOf)}
${schema && (schemaView(schema, viewOptions(model, 'input')) ?? html`<p>${typeWords(schema, model.schemas)}</p>`)}`
}

function answers({ responses = {} }: Operation, model: ApiModel): Html {
  const all = Object.entries(responses)
  const good = all.filter(([status]) => Number(status) < 400)
  const bad = all.filter(([status]) => Number(status) >= 400)
  return html`<h3>Answers</h3>
<ul class="answers">
${good.map(([status, answer]) => goodAnswer(status, answer, model))}
${bad.map(([status, { description = '' }]) => html`<li>${statusBadge(status)}<span>${errorCodes(description, model)}</span></li>`)}
</ul>`
}

/** A status code, coloured by its class. */
export function statusBadge(status: string | number): Html {
  return html`<span class="status status-${String(status).charAt(0)}">${status}</span>`
}

/** What the document says where nobody described the answer. */
const NO_NEWS = 'Success.'

function goodAnswer(status: string, answer: Answer, model: ApiModel): Html {
  const [type, media] = firstMedia(answer)
  const headers = Object.entries(answer.headers ?? {})
  const schema = media?.schema
  const { description } = answer
  const words =
    description !== undefined && description !== NO_NEWS && inline(description, model.linkOf)
  const summary = schema
    ? html`${typeWords(schema, model.schemas)}${words && html`. ${words}`}`
    : words || 'No body.'
  const inPlace =
    schema && !mentionsName(schema) && schemaView(schema, viewOptions(model, 'output'))
  return html`<li>${statusBadge(status)}<div>
<p>${summary}${type !== undefined && !type.includes('json') && html` <code>${type}</code>`}</p>
${headers.length > 0 && html`<ul class="props">${headers.map(([name, header]) => propertyView(html`<code>${name}</code>`, { ...header.schema, ...(header.description === undefined ? {} : { description: header.description }) }, undefined, viewOptions(model, 'output')))}</ul>`}
${inPlace}
</div></li>`
}

function mentionsName(schema: object): boolean {
  return JSON.stringify(schema).includes('"$ref"')
}

function firstMedia(answer: Answer): [string | undefined, Media | undefined] {
  return Object.entries(answer.content ?? {})[0] ?? [undefined, undefined]
}

/** The codes that a description names, each with its way to the explanation. */
function errorCodes(description: string, model: ApiModel): Html {
  const named = [...description.matchAll(/`([a-z0-9_]+)`/g)].map(([, code = '']) => code)
  const codes = named.filter((code) => Object.hasOwn(ERROR_CODES, code))
  if (codes.length === 0) return inline(description, model.linkOf)
  return html`${codes.map((code) => html`<a class="error-code" href="/docs/errors#${code}"><code>${code}</code></a> `)}`
}

/** The first good answer as JSON, in a box of its own. */
export function exampleAnswer(
  { responses = {}, title }: Operation,
  model: ApiModel,
): Html | undefined {
  const [status, answer] = Object.entries(responses).find(([one]) => Number(one) < 400) ?? []
  if (status === undefined || answer === undefined) return undefined
  const caption = html`Answer ${statusBadge(status)}`
  const label = `Example answer: ${title}`
  const [type, media] = firstMedia(answer)
  if (media === undefined)
    return codeBox(caption, label, html`<span class="tok-none">no body</span>`)
  if (!type?.includes('json'))
    return codeBox(caption, label, html`<span class="tok-none">${type ?? ''}</span>`)
  return jsonBox(
    caption,
    label,
    media.example ?? exampleOf(media.schema ?? {}, model.schemas, true),
  )
}
