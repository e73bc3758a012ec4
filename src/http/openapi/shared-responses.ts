import { type Document, operationsOf, type Ref, type Response } from './document.ts'
import type { HeaderName } from './headers.ts'

/** Headers of every answer: they tell no two responses apart. */
const COMMON_HEADERS: readonly string[] = [
  'x-request-id',
  'RateLimit',
  'RateLimit-Policy',
] satisfies HeaderName[]

/** Makes a component of each response that several operations have, so that it is said once. */
export function shareResponses(document: Document): Document {
  const operations = operationsOf(document)
  const { components = {} } = document
  const shares = createShares(components.responses)
  for (const [, , { responses = {} }] of operations) {
    for (const [status, one] of Object.entries(responses)) {
      if (!isRef(one)) shares.add(one, responseNames(one, status))
    }
  }
  for (const [, , { responses = {} }] of operations) {
    for (const [status, one] of Object.entries(responses)) {
      if (!isRef(one)) responses[status] = shares.replaced(one)
    }
  }
  return {
    ...document,
    components: { ...components, responses: { ...components.responses, ...shares.components() } },
  }
}

const isRef = (part: object): part is Ref => '$ref' in part

/** Counts responses that are alike, and names those that come more than once. */
function createShares(existing: Record<string, object> = {}) {
  const parts = new Map<string, { part: Response; names: readonly string[]; count: number }>()
  let named: Map<string, string> | undefined

  /** The text of a response -> its name: the first ones take the first names that are free. */
  const nameAll = (): Map<string, string> => {
    const taken = new Map<string, string>()
    for (const [key, { names, count }] of parts) {
      const name = names.find((one) => !taken.has(one) && !Object.hasOwn(existing, one))
      if (count > 1 && name !== undefined) taken.set(name, key)
    }
    return new Map([...taken].map(([name, key]) => [key, name]))
  }
  const namesByKey = () => {
    named ??= nameAll()
    return named
  }
  return {
    add(part: Response, names: readonly string[]): void {
      const key = JSON.stringify(part)
      const known = parts.get(key)
      if (known === undefined) parts.set(key, { part, names, count: 1 })
      else known.count += 1
    },
    /** A reference to the response where it is shared, else the response itself. */
    replaced(part: Response): Response | Ref {
      const name = namesByKey().get(JSON.stringify(part))
      return name === undefined ? part : { $ref: `#/components/responses/${name}` }
    },
    components: (): Record<string, Response> =>
      Object.fromEntries(
        [...namesByKey()].flatMap(([key, name]): [string, Response][] => {
          const { part } = parts.get(key) ?? {}
          return part === undefined ? [] : [[name, part]]
        }),
      ),
  }
}

/** What a response may be called as a component: `NoContent`, `AppResponse`, `AppWithETag`. */
function responseNames({ content = {}, headers = {} }: Response, status: string): string[] {
  if (status === '204') return ['NoContent']
  if (status === '304') return ['NotModified']
  const [media, ...others] = Object.entries(content)
  if (media === undefined || others.length > 0) return media === undefined ? [] : ['File']
  const { schema = {} } = media[1]
  const { $ref } = (schema.items ?? schema) as { $ref?: string }
  if ($ref === undefined) return []
  const name = $ref.slice($ref.lastIndexOf('/') + 1)
  const own = Object.keys(headers).filter((header) => !COMMON_HEADERS.includes(header))
  const kind = schema.items === undefined ? 'Response' : 'List'
  const full = [`${name}${kind}`, ...own.map((header) => header.replaceAll('-', ''))].join('With')
  return [full, `${full}Of${status}`]
}
