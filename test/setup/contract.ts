import { readFileSync } from 'node:fs'
import { withoutReferences } from './references.ts'

type Response = {
  headers?: Record<string, object>
  content?: Record<
    string,
    {
      schema?: { allOf?: { properties?: { code?: { enum: string[] } } & Record<string, object> }[] }
    }
  >
}
type Operation = { responses: Record<string, Response> }
type Document = { paths: Record<string, Record<string, Operation>> }

/** The kinds of parts that operations share by reference. */
const SHARED_PARTS = ['parameters', 'headers', 'responses'].map((kind) => `#/components/${kind}/`)

/** A document whose operations are whole; references to schemas stay. */
export function withWholeOperations<T>(document: T): T {
  return withoutReferences(document, document, SHARED_PARTS)
}

/** The committed document. */
const { paths }: Document = withWholeOperations(
  JSON.parse(readFileSync(new URL('../../openapi/openapi.json', import.meta.url), 'utf8')),
)

/** Addresses with the fewest parameters first: `/v1/Products/Imports` is no product. */
const ADDRESSES = Object.entries(paths)
  .map(([path, operations]) => ({
    pattern: new RegExp(`^(/api)?${path.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`, 'i'),
    parameters: path.split('{').length,
    operations,
  }))
  .sort((a, b) => a.parameters - b.parameters)

/** Answered before it is known what was asked for. */
const OF_CONNECTION = ['headers_too_large', 'request_timeout']

const HEADERS = ['accept-encoding', 'etag', 'link', 'location', 'retry-after', 'www-authenticate']
const OF_EVERY_PROBLEM = ['type', 'title', 'status', 'detail', 'requestId', 'errors']

/**
 * What of an answer the document does not declare for its operation: the status, the code of a
 * problem, one of its members, or a header.
 *
 * @returns undefined when all is declared, and for addresses that the document has not
 */
export function undeclaredPart(
  { method, path }: { method: string; path: string },
  { status, headers, body }: { status: number; headers: Headers; body: unknown },
): string | undefined {
  const [pathname = ''] = path.split('?', 1)
  const address = ADDRESSES.find(({ pattern }) => pattern.test(pathname))
  const operation = address?.operations[method.toLowerCase()]
  if (operation === undefined) return undefined
  const isProblem = headers.get('content-type')?.startsWith('application/problem+json') ?? false
  const code = isProblem ? (body as { code: string }).code : undefined
  if (code !== undefined && OF_CONNECTION.includes(code)) return undefined
  const response = operation.responses[status]
  if (response === undefined) return `the status ${status} (${code ?? 'no problem'})`
  const declared = Object.keys(response.headers ?? {}).map((name) => name.toLowerCase())
  const header = HEADERS.find((name) => headers.has(name) && !declared.includes(name))
  if (header !== undefined) return `the header ${header} of ${status}`
  if (code === undefined) return undefined
  if (!codesOf(response).includes(code)) return `the code ${code}`
  const members = [...OF_EVERY_PROBLEM, ...membersOf(response)]
  const member = Object.keys(body as object).find((name) => !members.includes(name))
  return member === undefined ? undefined : `the member ${member} of ${code}`
}

/** The members that a problem can have beside those of all problems. */
function membersOf({ content = {} }: Response): string[] {
  const parts = content['application/problem+json']?.schema?.allOf ?? []
  return parts.flatMap(({ properties = {} }) => Object.keys(properties))
}

function codesOf({ content = {} }: Response): string[] {
  const parts = content['application/problem+json']?.schema?.allOf ?? []
  return parts.flatMap(({ properties }) => properties?.code?.enum ?? [])
}
