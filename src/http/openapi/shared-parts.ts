import {
  type Document,
  type Operation,
  operationsOf,
  type Parameter,
  type Ref,
  type Response,
} from './document.ts'
import type { HeaderName } from './headers.ts'

/** Headers of every answer: they tell no two responses apart. */
const COMMON_HEADERS: readonly string[] = [
  'x-request-id',
  'RateLimit',
  'RateLimit-Policy',
] satisfies HeaderName[]

/**
 * Makes a component of each parameter and of each response that several operations have, so
 * that the document says it once.
 */
export function shareParts(document: Document): Document {
  const operations = operationsOf(document)
  const { components = {} } = document
  const parameters = createShares<Parameter>('parameters', components.parameters)
  const responses = createShares<Response>('responses', components.responses)
  for (const [, path, { parameters: own = [], responses: answers = {} }] of operations) {
    for (const one of own) if (!isRef(one)) parameters.add(one, parameterNames(one, path))
    for (const [status, one] of Object.entries(answers)) {
      if (!isRef(one)) responses.add(one, responseNames(one, status))
    }
  }
  for (const [, , operation] of operations) replaceParts(operation, { parameters, responses })
  return {
    ...document,
    components: {
      ...components,
      parameters: { ...components.parameters, ...parameters.components() },
      responses: { ...components.responses, ...responses.components() },
    },
  }
}

function replaceParts(
  operation: Operation,
  { parameters, responses }: { parameters: Shares<Parameter>; responses: Shares<Response> },
): void {
  if (operation.parameters !== undefined) {
    operation.parameters = operation.parameters.map((one) =>
      isRef(one) ? one : parameters.replaced(one),
    )
  }
  for (const [status, one] of Object.entries(operation.responses ?? {})) {
    if (isRef(one) || operation.responses === undefined) continue
    operation.responses[status] = responses.replaced(one)
  }
}

const isRef = (part: object): part is Ref => '$ref' in part

type Shares<T extends object> = ReturnType<typeof createShares<T>>

/** Counts parts that are alike, and names those that come more than once. */
function createShares<T extends object>(
  kind: 'parameters' | 'responses',
  existing: Record<string, object> = {},
) {
  const parts = new Map<string, { part: T; names: readonly string[]; count: number }>()
  let named: Map<string, string> | undefined

  /** The text of a part -> its name. What comes first takes the first of its names that is free. */
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
    add(part: T, names: readonly string[]): void {
      const key = JSON.stringify(part)
      const known = parts.get(key)
      if (known === undefined) parts.set(key, { part, names, count: 1 })
      else known.count += 1
    },
    /** A reference to the part where it is shared, else the part itself. */
    replaced(part: T): T | Ref {
      const name = namesByKey().get(JSON.stringify(part))
      return name === undefined ? part : { $ref: `#/components/${kind}/${name}` }
    },
    components: (): Record<string, T> =>
      Object.fromEntries(
        [...namesByKey()].flatMap(([key, name]): [string, T][] => {
          const { part } = parts.get(key) ?? {}
          return part === undefined ? [] : [[name, part]]
        }),
      ),
  }
}

/** What a parameter may be called as a component: `AppId`, `AppIdFilter`, `IdOfDeveloper`. */
function parameterNames({ name, in: place }: Parameter, path: string): string[] {
  const segments = path.split('/')
  const before = segments[segments.indexOf(`{${name}}`) - 1] ?? ''
  if (place === 'path' && name === 'id') return [`IdOf${singular(before)}`]
  return [pascalCase(name), `${pascalCase(name)}Filter`]
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

const pascalCase = (name: string) => name.charAt(0).toUpperCase() + name.slice(1)

const singular = (noun: string) => noun.replace(/ies$/, 'y').replace(/s$/, '')
