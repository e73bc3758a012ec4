import { jsonMarkup, shellMarkup } from '../shared/page/code-colours.ts'
import { codeBox, formatJson, jsonBox } from '../shared/page/code-view.ts'
import { type Html, html } from '../shared/page/html.ts'
import { pricing } from './app-guide-pricing.ts'
import { currencyNotes, permissionTable, valueTable, versionRules } from './app-guide-tables.ts'
import { type DocsContext, docsPage, section } from './docs-page.ts'
import { type FieldSchema, fieldView, isRequired } from './field-list.ts'
import { inline, type LinkOf, markdown } from './markdown.ts'

export type AppGuideInput = {
  /** JSON Schema of what developers send to publish an app. */
  appDefinition: FieldSchema
  /** A definition that uses every part. */
  exampleApp: Readonly<Record<string, unknown>>
}

/** The definition of an app field by field, with the shortest way to a listed app. */
export function appGuidePage(input: AppGuideInput, context: DocsContext): string {
  const { linkOf, baseUrl } = context
  const sections: [id: string, title: string, body: Html][] = [
    ['steps', 'From a file to a listed app', steps(input, linkOf, baseUrl)],
    ['fields', 'The definition, field by field', fields(input, linkOf)],
    ['prices', 'What a purchase option costs', pricing(input.exampleApp.purchaseOptions, linkOf)],
    ['currencies', 'Currencies', currencyNotes()],
    ['values', 'Values of settings', valueTable(linkOf)],
    ['permissions', 'Permissions', permissionTable(linkOf)],
    ['versions', 'Versions', versionRules(linkOf)],
    ['example', 'A whole definition', wholeExample(input)],
  ]
  return docsPage(
    {
      path: '/docs/apps',
      title: 'App definition',
      lead: html`<p>An app is one JSON document, its definition. It defines who can install the app, its
price, permissions and settings.</p>`,
      contents: sections.map(([id, title]) => ({ href: `#${id}`, label: title })),
      body: html`${sections.map(([id, title, body]) => section(id, title, body))}`,
    },
    context,
  )
}

const STEPS = [
  '**Write the definition.** The one beside this is the smallest there is; everything else has a default.',
  '**Publish it** with `POST /v1/Developer/Apps`. What is wrong comes back all at once, each ' +
    'problem with a pointer such as `/purchaseOptions/0/currency`. Nothing is kept of a ' +
    'definition that fails.',
  '**Try it** before it is listed: `POST /v1/Developer/Apps/{appId}/Sandbox` installs it in ' +
    'your sandbox, which has sample products, and answers the installation whose id `POST ' +
    '/v1/Developer/Token` takes.',
  '**Change it** with `PUT /v1/Developer/Apps/{appId}` and the whole definition. With ' +
    '`?dryRun=true` the answer says what would change and whom it would break, and nothing is ' +
    'stored.',
  '**Add terms**, if there are any, with `PUT /v1/Developer/Apps/{appId}/TermsDocument`: a ' +
    'PDF, Markdown or plain text of at most 5 MiB, sent as the raw body. Users accept exactly ' +
    'this document when they install.',
  '**List it** with `POST /v1/Developer/Apps/{appId}/List`. If something is missing for ' +
    'that, the answer names all of it. Taking it off again with `POST ' +
    '/v1/Developer/Apps/{appId}/Unlist` leaves installations as they are. `PUT ' +
    '/v1/Developer/Apps/{appId}/Visibility` shows it to some accounts only, or to nobody.',
]

function steps(
  { appDefinition, exampleApp }: AppGuideInput,
  linkOf: LinkOf,
  baseUrl: string,
): Html {
  const publish = `curl -X POST ${baseUrl}/v1/Developer/Apps \\
  -H "authorization: Bearer $DEVELOPER_TOKEN" \\
  -H 'content-type: application/json' \\
  -d @my-app.json`
  return html`<div class="operation">
<div class="operation-text"><ol class="numbered">
${STEPS.map((step) => html`<li>${inline(step, linkOf)}</li>`)}
</ol></div>
<div class="operation-example">
${jsonBox('my-app.json', 'The smallest definition', smallestOf(exampleApp, appDefinition))}
${codeBox('Publish', 'Request that publishes an app', shellMarkup(publish))}
</div>
</div>`
}

/** What is left of an example when everything optional is taken away. */
function smallestOf(value: unknown, schema: FieldSchema): unknown {
  if (Array.isArray(value)) {
    return value.slice(0, 1).map((entry) => smallestOf(entry, schema.items ?? {}))
  }
  if (typeof value !== 'object' || value === null) return value
  const record = value as Record<string, unknown>
  const whole = (schema.oneOf ?? []).find((kind) => isKindOf(record, kind)) ?? schema
  const kept = Object.entries(record).filter(([name]) => isRequired(whole, name))
  return Object.fromEntries(
    kept.map(([name, child]) => [name, smallestOf(child, whole.properties?.[name] ?? {})]),
  )
}

function isKindOf(record: Record<string, unknown>, { properties = {} }: FieldSchema): boolean {
  return Object.entries(properties).every(
    ([name, { const: value }]) => value === undefined || value === record[name],
  )
}

function fields({ appDefinition, exampleApp }: AppGuideInput, linkOf: LinkOf): Html {
  const all = Object.entries(appDefinition.properties ?? {})
  return html`<div class="prose">${markdown(
    'Attributes that are not listed here are refused, so that a misspelt name cannot pass in ' +
      'silence. Lengths count Unicode code points: an emoji such as 🦊 is one character. All texts ' +
      'are plain text: HTML in them is shown as it is written.',
  )}</div>
<ul class="field-index">${all.map(([name]) => html`<li><a href="#field-${name}"><code>${name}</code></a></li>`)}</ul>
${all.map(([name, schema]) => {
  const heading = html`<h3 class="field-name">
<a class="anchor" href="#field-${name}"><code>${name}</code></a>
</h3>`
  const field = fieldView(heading, schema, isRequired(appDefinition, name), linkOf)
  return html`<div class="operation field" id="field-${name}">
<div class="operation-text"><ul class="props">${field}</ul></div>
<div class="operation-example">${Object.hasOwn(exampleApp, name) && fieldExample(name, exampleApp[name])}</div>
</div>`
})}`
}

function fieldExample(name: string, value: unknown): Html {
  const json = `${JSON.stringify(name)}: ${formatJson(value)}`
  return codeBox('Example', `Example of ${name}`, jsonMarkup(json))
}

function wholeExample({ exampleApp }: AppGuideInput): Html {
  return html`<p>This app is part of the demo marketplace. It uses every pricing model and every type of setting.</p>
${jsonBox('price-sync.json', 'The definition of Price Sync', exampleApp)}`
}
