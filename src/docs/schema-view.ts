import { type Html, html } from '../web/shared/html.ts'
import { inline, type LinkOf, markdown } from './markdown.ts'
import type { JsonSchema, Schemas } from './openapi-types.ts'
import { isRequired, shapeOf, type Variants, variantsOf } from './schema-shape.ts'
import { constraints, isRecord, typeWords } from './schema-words.ts'

export type SchemaViewOptions = {
  schemas: Schemas
  linkOf?: LinkOf
  /** Of what is sent, one needs to know what is required; of what is answered, what may be absent. */
  direction: 'input' | 'output'
  /** Whether named schemas inside are shown in place; otherwise their name is a link. */
  expand: boolean
  /** Whether what lies deeper is shown only at a click. */
  collapse: boolean
  /** What the free keys of maps are called, from the outermost inwards. */
  keyNames?: readonly string[]
}

type View = SchemaViewOptions & { inside: readonly string[]; depth: number }

/** The parts of a value: properties of an object, entries of an array, kinds of a union. */
export function schemaView(schema: JsonSchema, options: SchemaViewOptions): Html | undefined {
  const { name } = shapeOf(schema, options.schemas)
  return parts(schema, { ...options, inside: name === undefined ? [] : [name], depth: 0 })
}

/** One property with its type, whether it is required, its meaning, limits and parts. */
export function propertyView(
  name: Html,
  schema: JsonSchema,
  required: boolean | undefined,
  options: SchemaViewOptions,
): Html {
  return property(name, schema, required, { ...options, inside: [], depth: 0 })
}

function parts(given: JsonSchema, view: View): Html | undefined {
  const { schema } = shapeOf(given, view.schemas)
  if (schema.items !== undefined) return nested(schema.items, view)
  const variants = variantsOf(schema, view.schemas)
  if (variants !== undefined) return variantList(variants, view)
  if (isRecord(schema)) return recordView(schema, view)
  return schema.properties && propertyList(schema, view)
}

/** A map: what its keys look like, and what stands behind each. */
function recordView(schema: JsonSchema & { additionalProperties: JsonSchema }, view: View): Html {
  const [keyName = 'key', ...keyNames] = view.keyNames ?? []
  const keys = constraints({ ...schema.propertyNames, type: 'string' })
  return html`<ul class="props">${property(
    html`<code class="any-key">{${keyName}}</code>`,
    schema.additionalProperties,
    undefined,
    { ...view, keyNames },
    keys.length > 0 ? html`key: ${joined(keys)}` : undefined,
  )}</ul>`
}

/** The parts of an entry or property, unless it is a named schema that is shown elsewhere. */
function nested(schema: JsonSchema, view: View): Html | undefined {
  const { name } = shapeOf(schema, view.schemas)
  if (name === undefined) return parts(schema, view)
  if (!view.expand || view.inside.includes(name)) return undefined
  return parts(schema, { ...view, inside: [...view.inside, name] })
}

function propertyList(schema: JsonSchema, view: View): Html | undefined {
  const properties = Object.entries(schema.properties ?? {})
  if (properties.length === 0) return undefined
  return html`<ul class="props">${properties.map(([name, part]) =>
    property(html`<code>${name}</code>`, part, isRequired(schema, name), view),
  )}</ul>`
}

/** @param required undefined where the question makes no sense */
function property(
  name: Html,
  given: JsonSchema,
  required: boolean | undefined,
  view: View,
  keyFacts?: Html,
): Html {
  const { schemas, linkOf } = view
  const { schema } = shapeOf(given, schemas)
  const inner = nested(given, { ...view, depth: view.depth + 1 })
  return html`<li class="prop">
<div class="prop-head">${name} <span class="prop-type">${typeWords(given, schemas)}</span>${presence(required, view)}</div>
${schema.description && html`<div class="prop-text">${markdown(schema.description, linkOf)}</div>`}
${keyFacts && html`<div class="prop-facts">${keyFacts}</div>`}
${facts(schema, view)}
${inner && disclosed(inner, schema, view)}
</li>`
}

function presence(required: boolean | undefined, { direction }: View): Html | undefined {
  if (required === undefined) return undefined
  if (direction === 'input') {
    return required
      ? html` <span class="prop-required">required</span>`
      : html` <span class="prop-optional">optional</span>`
  }
  return required ? undefined : html` <span class="prop-optional">may be absent</span>`
}

function facts(schema: JsonSchema, view: View): Html | undefined {
  // The limits of an entry that has no parts are shown with the list.
  const entry = schema.items && shapeOf(schema.items, view.schemas)
  const ofEntry =
    entry && entry.name === undefined && !entry.schema.properties ? constraints(entry.schema) : []
  const all = [
    ...constraints(schema),
    ...(ofEntry.length > 0 ? [html`each ${joined(ofEntry)}`] : []),
    ...(schema.items ? [] : exampleFact(schema)),
  ]
  return all.length > 0 ? html`<div class="prop-facts">${joined(all)}</div>` : undefined
}

function exampleFact(schema: JsonSchema): Html[] {
  const examples = schema.example === undefined ? (schema.examples ?? []) : [schema.example]
  const simple = examples.filter((one) => typeof one !== 'object' && one !== '')
  if (simple.length === 0 || schema.enum?.length === 1) return []
  return [
    html`example ${simple.map((one, index) => html`${index > 0 && ', '}<code class="example">${JSON.stringify(one)}</code>`)}`,
  ]
}

function joined(list: readonly Html[]): Html[] {
  return list.map(
    (fact, index) =>
      html`${index > 0 && html`<span class="dot" aria-hidden="true"> · </span>`}<span>${fact}</span>`,
  )
}

function disclosed(inner: Html, schema: JsonSchema, view: View): Html {
  const body = html`<div class="parts">${inner}</div>`
  if (!view.collapse || view.depth < 1) return body
  const label = schema.items ? 'Parts of an entry' : 'Parts'
  return html`<details class="disclosed"><summary>${label}</summary>${body}</details>`
}

function variantList({ discriminator, common, kinds }: Variants, view: View): Html {
  const shared = propertyList(common, view)
  return html`<p class="kinds-head"><code>${discriminator}</code> says which kind it is. ${shared && 'Every kind has:'}</p>
${shared}
${kinds.map(
  (kind) => html`<div class="kind">
<p class="kind-head"><code>${discriminator}: ${JSON.stringify(kind.value)}</code></p>
${kind.description && html`<p>${inline(kind.description, view.linkOf)}</p>`}
${propertyList(kind.own, view) ?? html`<p class="fine">Nothing beyond that.</p>`}
</div>`,
)}`
}
