import { ERROR_CODES } from '../errors.ts'
import type { OpenApiDocument, OperationObject, Schemas } from './openapi-types.ts'

/** An operation with its place in the documentation. */
export type Operation = OperationObject & {
  /** In capitals. */
  method: string
  path: string
  /** Anchor on the page of its group. */
  id: string
  title: string
  href: string
}

/** The operations of one tag; they share a page. */
export type Group = {
  name: string
  description: string
  slug: string
  href: string
  operations: Operation[]
}

/** What all pages are made from. */
export type ApiModel = {
  version: string
  /** Public address of this server, without a trailing slash. */
  baseUrl: string
  groups: readonly Group[]
  /** The named schemas that operations lead to; others are left over from how the document is made. */
  schemas: Schemas
  /** Names of the schemas that are sent; the others are only answered. */
  inputs: ReadonlySet<string>
  /** Descriptions of the kinds of token, by the name of their security scheme. */
  tokens: Readonly<Record<string, string>>
  /** Where code in a text leads: error codes, named schemas, operations as `GET /v1/Products`. */
  linkOf(code: string): string | undefined
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete']
const UNTAGGED = 'Other'

/**
 * Arranges an OpenAPI document for its readers.
 *
 * @param baseUrl public address of the server, for the example requests
 */
export function apiModel(document: OpenApiDocument, baseUrl: string): ApiModel {
  const groups = groupsOf(document)
  const links = new Map(Object.keys(ERROR_CODES).map((code) => [code, `/docs/errors#${code}`]))
  for (const operation of groups.flatMap((group) => group.operations)) {
    links.set(addressKey(`${operation.method} ${operation.path}`), operation.href)
  }
  const { schemas: all = {}, securitySchemes = {} } = document.components ?? {}
  const schemas = reachable(all, document.paths)
  for (const name of Object.keys(schemas)) {
    links.set(name, `/docs/schemas#${encodeURIComponent(name)}`)
  }
  return {
    version: document.info.version,
    baseUrl,
    groups,
    schemas,
    inputs: new Set(Object.keys(reachable(schemas, groups.flatMap(bodiesOf)))),
    tokens: Object.fromEntries(
      Object.entries(securitySchemes).map(([name, { description = '' }]) => [name, description]),
    ),
    linkOf: (code) => links.get(code) ?? links.get(addressKey(code)),
  }
}

/** The operation at an address, however the document names it. */
export function operationAt(model: ApiModel, method: string, path: string): Operation | undefined {
  return model.groups
    .flatMap((group) => group.operations)
    .find((operation) => operation.method === method && operation.path === path)
}

function groupsOf({ tags = [], paths = {} }: OpenApiDocument): Group[] {
  const groups = new Map<string, Group>()
  const groupOf = (name: string): Group => {
    const existing = groups.get(name)
    if (existing !== undefined) return existing
    const description = tags.find((tag) => tag.name === name)?.description ?? ''
    const slug = slugOf(name)
    const group = { name, description, slug, href: `/docs/api/${slug}`, operations: [] }
    groups.set(name, group)
    return group
  }
  for (const { name } of tags) groupOf(name)
  for (const [path, operations] of Object.entries(paths)) {
    for (const method of METHODS) {
      const operation = operations[method]
      if (operation === undefined) continue
      const group = groupOf(operation.tags?.[0] ?? UNTAGGED)
      const id = operation.operationId ?? slugOf(`${method} ${path}`)
      group.operations.push({
        ...operation,
        method: method.toUpperCase(),
        path,
        id,
        title: operation.summary ?? id,
        href: `${group.href}#${id}`,
      })
    }
  }
  return [...groups.values()].filter((group) => group.operations.length > 0)
}

function bodiesOf(group: Group): unknown[] {
  return group.operations.map(({ requestBody }) => requestBody)
}

function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
}

/** Paths have no case, and what a parameter is called does not matter. */
function addressKey(address: string): string {
  const [path = ''] = address.split('?', 1)
  return path.replaceAll(/\{[^{}]*\}/g, '{}').toLowerCase()
}

/** The schemas that can be reached from a root by `$ref`, in alphabetical order. */
function reachable(schemas: Schemas, root: unknown): Schemas {
  const found = new Set<string>()
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    for (const [key, child] of Object.entries(value)) {
      const name = key === '$ref' ? schemaName(child) : undefined
      if (name === undefined) walk(child)
      else if (Object.hasOwn(schemas, name) && !found.has(name)) {
        found.add(name)
        walk(schemas[name])
      }
    }
  }
  walk(root)
  return Object.fromEntries(
    Object.entries(schemas)
      .filter(([name]) => found.has(name))
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )
}

/** The name in `#/components/schemas/{name}`. */
export function schemaName(ref: unknown): string | undefined {
  return typeof ref === 'string' ? /^#\/components\/schemas\/(.+)$/.exec(ref)?.[1] : undefined
}
