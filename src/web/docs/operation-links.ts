import { ERROR_CODES } from '../../errors.ts'
import type { LinkOf } from './markdown.ts'

/** The part of an OpenAPI document that says where its operations stand. */
export type OperationPaths = {
  paths?: Record<string, Record<string, { tags?: string[] }>>
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
