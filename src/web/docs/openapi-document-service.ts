import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { ERROR_CODES } from '../../errors.ts'
import type { LinkOf } from './markdown.ts'
import type { TaggedOperations } from './tagged-operations.ts'

/**
 * The committed document; a test holds it against the routes. To make it from their schemas would keep
 * the server from everything else for half a second.
 */
const OPENAPI_FILE = new URL('../../../openapi/openapi.json', import.meta.url)

type Paths = NonNullable<OperationPaths['paths']>
type Route = { method: string; url: string }

/** The OpenAPI document of a server, ready to be sent, and where its operations are documented. */
export type OpenApiDocument = {
  bytes: Buffer
  etag: string
  linkOf: LinkOf
  operations: readonly TaggedOperations[]
}

/**
 * Reads the OpenAPI document of this release, with the addresses of a server.
 *
 * @param server its `version`, its `publicUrl`, and all its `routes`: what it does not answer is left out, such as
 *   `/metrics` where that has a port of its own
 */
export async function readOpenApiDocument(server: {
  version: string
  publicUrl: string
  routes: readonly Route[]
}): Promise<OpenApiDocument> {
  const committed = JSON.parse(await readFile(OPENAPI_FILE, 'utf8')) as {
    info: { contact: object }
    tags: { name: string }[]
    paths: Paths
  }
  const docs = `${server.publicUrl}/docs`
  const contact = { ...committed.info.contact, url: docs }
  const own = {
    info: { ...committed.info, version: server.version, contact },
    servers: [{ url: server.publicUrl }],
    externalDocs: { description: 'Guides, errors and the fields of a definition.', url: docs },
  }
  const paths = answeredPaths(committed.paths, server.routes)
  // As bytes: a text would be copied for each answer, and kept for each client that reads slowly.
  const bytes = Buffer.from(JSON.stringify({ ...committed, ...own, paths }))
  const operations = operationsByTag(committed.tags, paths)
  return { bytes, etag: etagOf(bytes), linkOf: documentationLinks({ paths }), operations }
}

function operationsByTag(tags: readonly { name: string }[], paths: Paths): TaggedOperations[] {
  const all = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { tags: [tag = 'default'] = [], summary = '' }]) => ({
      tag,
      address: `${method.toUpperCase()} ${path}`,
      summary,
      href: `/docs/api#${referenceAnchor(tag, method, path)}`,
    })),
  )
  return tags
    .map(({ name }) => ({ tag: name, operations: all.filter(({ tag }) => tag === name) }))
    .filter(({ operations }) => operations.length > 0)
}

/** A strong ETag of content. */
export function etagOf(content: string | Buffer): string {
  return `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`
}

function answeredPaths(paths: Paths, routes: readonly Route[]): Paths {
  const answered = new Set(routes.map(addressOf))
  return Object.fromEntries(
    Object.entries(paths).flatMap(([path, operations]) => {
      const own = Object.entries(operations).filter(([method]) => answered.has(`${method} ${path}`))
      return own.length === 0 ? [] : [[path, Object.fromEntries(own)]]
    }),
  )
}

function addressOf({ method, url }: Route): string {
  return `${method.toLowerCase()} ${url.replaceAll(/:(\w+)/g, '{$1}')}`
}

/** The part of an OpenAPI document that says where its operations stand. */
export type OperationPaths = {
  paths?: Record<string, Record<string, { tags?: string[]; summary?: string }>>
}

/**
 * Where pieces of code in a text lead: an error code to its entry in the catalogue, an operation
 * such as `GET /v1/Products` to its place in the reference. The names of path parameters and the
 * query do not matter.
 */
export function documentationLinks({ paths = {} }: OperationPaths): LinkOf {
  const links = new Map(Object.keys(ERROR_CODES).map((code) => [code, `/docs/errors#${code}`]))
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, { tags: [tag = 'default'] = [] }] of Object.entries(operations)) {
      const address = `${method.toUpperCase()} ${path}`
      links.set(addressKey(address), `/docs/api#${referenceAnchor(tag, method, path)}`)
    }
  }
  return (code) => links.get(code) ?? links.get(addressKey(code))
}

/** Scalar's anchor of an operation: `tag/tokens/POST/v1/Auth`. URLs have no braces (RFC 3986, 2). */
function referenceAnchor(tag: string, method: string, path: string): string {
  const place = path.replaceAll('{', '%7B').replaceAll('}', '%7D')
  return `tag/${tag.toLowerCase().replaceAll(' ', '-')}/${method.toUpperCase()}${place}`
}

function addressKey(address: string): string {
  const [path = ''] = address.split('?', 1)
  return path.replaceAll(/\{[^{}]*\}/g, '{}').toLowerCase()
}
