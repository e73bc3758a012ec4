import { type Html, html } from '../shared/page/html.ts'
import { type LinkOf, markdown } from './markdown.ts'

/** The part of JSON Schema that the schema of an app definition uses, as zod writes it. */
export type FieldSchema = {
  type?: string
  description?: string
  properties?: Record<string, FieldSchema>
  required?: string[]
  additionalProperties?: boolean | FieldSchema
  items?: FieldSchema
  anyOf?: FieldSchema[]
  oneOf?: FieldSchema[]
  const?: unknown
  enum?: unknown[]
  $ref?: string
  $defs?: Record<string, FieldSchema>
}

/**
 * The schema with every reference to one of its `$defs` replaced by what it refers to. For schemas
 * that do not contain themselves.
 */
export function withoutReferences(schema: FieldSchema): FieldSchema {
  const { $defs = {}, ...whole } = schema
  return inlined(whole) as FieldSchema

  function inlined(part: unknown): unknown {
    if (Array.isArray(part)) return part.map(inlined)
    if (typeof part !== 'object' || part === null) return part
    const { $ref, ...others } = part as FieldSchema
    const entries = Object.entries(others).map(([name, value]) => [name, inlined(value)])
    const target = $ref === undefined ? undefined : $defs[$ref.replace('#/$defs/', '')]
    return { ...(inlined(target) as object | undefined), ...Object.fromEntries(entries) }
  }
}

/** Whether an object must have the property. */
export function isRequired(schema: FieldSchema, name: string): boolean {
  return schema.required?.includes(name) ?? false
}

/** One field with its type, its meaning and what is inside of it. */
export function fieldView(
  name: Html,
  schema: FieldSchema,
  required: boolean | undefined,
  linkOf: LinkOf,
): Html {
  const presence = required ? 'required' : 'optional'
  const badge = required !== undefined && html` <span class="prop-${presence}">${presence}</span>`
  const inner = partsOf(schema, linkOf)
  return html`<li class="prop">
<div class="prop-head">${name} <span class="prop-type">${typeOf(schema)}</span>${badge}</div>
${schema.description && html`<div class="prop-text">${markdown(schema.description, linkOf)}</div>`}
${inner && html`<div class="parts">${inner}</div>`}
</li>`
}

function partsOf(schema: FieldSchema, linkOf: LinkOf): Html | undefined {
  if (schema.items !== undefined) return partsOf(schema.items, linkOf)
  const kinds = kindsOf(schema)
  if (kinds.some(({ properties }) => properties !== undefined)) {
    return html`${kinds.map(
      (kind) => html`<div class="kind">
<p class="kind-head"><code>${discriminatorOf(kind)}</code></p>
${fieldsOf(kind, linkOf)}
</div>`,
    )}`
  }
  if (typeof schema.additionalProperties === 'object') {
    const key = html`<code class="any-key">{key}</code>`
    const entry = fieldView(key, schema.additionalProperties, undefined, linkOf)
    return html`<ul class="props">${entry}</ul>`
  }
  return schema.properties === undefined ? undefined : fieldsOf(schema, linkOf)
}

function fieldsOf(schema: FieldSchema, linkOf: LinkOf): Html {
  return html`<ul class="props">${Object.entries(schema.properties ?? {}).map(([name, part]) =>
    fieldView(html`<code>${name}</code>`, part, isRequired(schema, name), linkOf),
  )}</ul>`
}

function kindsOf(schema: FieldSchema): FieldSchema[] {
  return schema.oneOf ?? schema.anyOf ?? []
}

/** `pricingModel: "FlatMonthly"`: the one property that only ever has this value in this kind. */
function discriminatorOf({ properties = {} }: FieldSchema): string {
  const [name, { const: value } = {}] =
    Object.entries(properties).find(([, part]) => part.const !== undefined) ?? []
  return name === undefined ? 'otherwise' : `${name}: ${JSON.stringify(value)}`
}

function typeOf(schema: FieldSchema): string {
  if (schema.items !== undefined) return `array of ${typeOf(schema.items)}`
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum !== undefined && schema.enum.length <= 6) {
    return schema.enum.map((value) => JSON.stringify(value)).join(' or ')
  }
  const kinds = kindsOf(schema)
  if (kinds.length > 0) return [...new Set(kinds.map(typeOf))].join(' or ')
  return schema.type ?? 'any'
}
