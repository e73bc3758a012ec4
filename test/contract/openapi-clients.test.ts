import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { GRANT_TYPES } from '../../src/marketplace/oauth/token-request.ts'
import { undeclaredPart, withWholeOperations } from '../setup/contract.ts'

type Schema = Record<string, unknown>
type Parameter = {
  name: string
  required?: boolean
  schema: Schema
  example?: unknown
  examples?: Record<string, object>
}
type Operation = {
  operationId: string
  parameters?: Parameter[]
  requestBody?: { content: Record<string, { schema?: Schema }> }
  responses: Record<string, { headers?: object }>
}
type Document = {
  paths: Record<string, Record<string, Operation>>
  components: {
    schemas: Record<string, Schema>
    parameters: Record<string, Parameter>
    responses: Record<string, { content?: object }>
  }
}

const document: Document = JSON.parse(
  readFileSync(new URL('../../openapi/openapi.json', import.meta.url), 'utf8'),
)
const operations = Object.entries(withWholeOperations(document).paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]): [string, Operation] => [
    `${method.toUpperCase()} ${path}`,
    operation,
  ]),
)

/** What an operation does, by the first word of its name. */
const VERBS = [
  ...['list', 'read', 'create', 'replace', 'change', 'delete', 'upsert'],
  ...['install', 'uninstall', 'upgrade', 'suspend', 'resume', 'show', 'hide'],
  ...['preview', 'quote', 'import', 'introspect', 'revoke', 'exchange'],
  ...['enable', 'disable', 'rotate', 'test', 'replay', 'recover', 'report'],
  ...['accept', 'complete', 'confirm', 'close', 'decline', 'export', 'mark'],
]
/** Of the document as it is served, which is what clients load, without its examples. */
const MAX_BYTES_PER_OPERATION = 2_450
/** Whole records are shown, for people to read and tools to answer with; they have a measure of their own. */
const MAX_EXAMPLE_BYTES_PER_OPERATION = 300

describe('the schemas', () => {
  /** Every schema under a value, with the way to it. */
  const schemasUnder = (value: unknown, path = ''): [path: string, schema: Schema][] => {
    if (typeof value !== 'object' || value === null) return []
    const own: [string, Schema][] = Array.isArray(value) ? [] : [[path, value as Schema]]
    const inner = Object.entries(value).flatMap(([key, one]) => schemasUnder(one, `${path}/${key}`))
    return [...own, ...inner]
  }

  test('fit into 2.5 kB for each operation with everything else, and examples into 0.3 kB', () => {
    const withoutExamples = (key: string, value: unknown) => (key === 'example' ? undefined : value)
    const all = JSON.stringify(document).length
    const bare = JSON.stringify(document, withoutExamples).length
    expect(bare).toBeLessThan(operations.length * MAX_BYTES_PER_OPERATION)
    expect(all - bare).toBeLessThan(operations.length * MAX_EXAMPLE_BYTES_PER_OPERATION)
  })

  test('name a single value as an enum, which generators for OpenAPI 3.0 know, too', () => {
    expect(schemasUnder(document).filter(([, schema]) => 'const' in schema)).toEqual([])
  })

  test('have one name each, whether they are sent or answered', () => {
    expect(Object.keys(document.components.schemas).filter((name) => /Input$/.test(name))).toEqual(
      [],
    )
  })

  test('of answers are open: a later release may add members', () => {
    const { schemas } = document.components
    const answered = new Set<string>()
    const collect = (value: unknown) => {
      for (const [, name = ''] of JSON.stringify(value).matchAll(/schemas\/(\w+)"/g)) {
        if (answered.has(name)) continue
        answered.add(name)
        collect(schemas[name])
      }
    }
    collect(operations.map(([, { responses }]) => responses))
    const closed = [...answered].flatMap((name) =>
      schemasUnder(schemas[name], name).filter(([, one]) => one.additionalProperties === false),
    )
    expect(closed.map(([path]) => path)).toEqual([])
    expect(answered.size).toBeGreaterThan(30)
  })

  test('say of each id whether it is a text or a number', () => {
    const typesOf = ({ type, anyOf = [] }: Schema): unknown[] =>
      [type ?? [], ...(anyOf as Schema[]).map(typesOf)].flat(2).filter((one) => one !== 'null')
    const unclear = schemasUnder(document.components.schemas)
      .filter(([path]) => /\/properties\/(id|\w+Id)$/.test(path))
      .filter(([, schema]) => typesOf(schema).length > 1)
    expect(unclear.map(([path]) => path)).toEqual([])
  })

  test('say the format of ids that are UUIDs', () => {
    const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-/
    const bare = schemasUnder(document.components.schemas).filter(
      ([path, { type, format, example }]) =>
        /(\/id|Id)$/.test(path) &&
        !path.includes('/subject/') &&
        type === 'string' &&
        uuid.test(String(example)) &&
        format !== 'uuid',
    )
    expect(bare.map(([path]) => path)).toEqual([])
  })
})

describe('what a request may have', () => {
  const bodyOf = (path: string) => document.paths[path]?.post?.requestBody?.content ?? {}

  test('is typed in batches of products, whose records are checked one by one', () => {
    const { schema } = bodyOf('/v1/Products/Batch')['application/json'] ?? {}
    expect(schema).toMatchObject({
      ...{ type: 'array', minItems: 1, maxItems: 1000 },
      items: { $ref: '#/components/schemas/ProductRecord' },
    })
  })

  test('is told for each grant of a token, and only of those that there are', () => {
    const { schema } = bodyOf('/oauth/token')['application/x-www-form-urlencoded'] ?? {}
    expect(schema).toEqual({ $ref: '#/components/schemas/TokenRequest' })
    const { oneOf, discriminator } = document.components.schemas.TokenRequest as {
      oneOf: { $ref: string }[]
      discriminator: { propertyName: string; mapping: Record<string, string> }
    }
    expect(Object.keys(discriminator.mapping)).toEqual([...GRANT_TYPES])
    expect(oneOf.map(({ $ref }) => $ref)).toEqual(Object.values(discriminator.mapping))
    for (const [grant, $ref] of Object.entries(discriminator.mapping)) {
      const { properties } = document.components.schemas[$ref.split('/').at(-1) as string] ?? {}
      expect(properties).toMatchObject({ grant_type: { enum: [grant] } })
    }
  })
})

describe('every operation', () => {
  test('refers to its errors by name: no answer of an error stands in an operation', () => {
    const inline = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { responses }]) =>
        Object.entries(responses)
          .filter(([status, response]) => Number(status) >= 400 && !('$ref' in response))
          .map(([status]) => `${method} ${path} ${status}`),
      ),
    )
    expect(inline).toEqual([])
    const problems = Object.values(document.components.responses).filter(({ content = {} }) =>
      Object.hasOwn(content, 'application/problem+json'),
    )
    expect(problems.length).toBeLessThan(50)
  })

  test('declares the headers that every answer of its status has', () => {
    const missing = operations.flatMap(([name, { responses }]) =>
      Object.entries(responses).flatMap(([status, { headers = {} }]) => {
        const expected = ['x-request-id']
        if (status === '401') expected.push('WWW-Authenticate')
        if (status === '429' || status === '503') expected.push('Retry-After')
        if (status === '304') expected.push('ETag')
        return expected.filter((one) => !(one in headers)).map((one) => `${name} ${status} ${one}`)
      }),
    )
    expect(missing).toEqual([])
    const paged = operations.filter(([, { parameters = [] }]) =>
      parameters.some(({ name }) => name === 'cursor'),
    )
    expect(paged.length).toBeGreaterThan(10)
    for (const [name, { responses }] of paged) {
      expect(responses[200]?.headers, name).toHaveProperty('Link')
    }
  })

  test('refers to parameters that others have, too, by their name', () => {
    const inline = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).flatMap(({ parameters = [] }) =>
        parameters.filter((one) => !('$ref' in one)).map((one) => JSON.stringify(one)),
      ),
    )
    // Give the schema a name: .meta({ parameter: 'AppId' }).
    expect(inline.filter((one, index) => inline.indexOf(one) < index)).toEqual([])
    const named = Object.values(document.components.parameters).map((one) => JSON.stringify(one))
    expect(new Set(named).size).toBe(named.length)
  })

  test('finds nothing only where an id says what to look for', () => {
    const missing = operations.filter(([, { responses }]) => '404' in responses)
    const withoutId = missing.filter(([name]) => !name.includes('{')).map(([name]) => name)
    // The body names the app, or the account.
    expect(withoutId).toEqual(['POST /v1/Account/InstallLinks', 'POST /v1/Account/Installations'])
  })

  test('takes If-Match with each change of a record that has an ETag', () => {
    const pathOf = (name: string) => name.slice(name.indexOf(' ') + 1)
    const records = operations
      .filter(([name, { responses }]) => {
        const isRecord = /^GET .*\}(\/TermsDocument)?$/.test(name)
        return isRecord && 'ETag' in (responses[200]?.headers ?? {})
      })
      .map(([name]) => pathOf(name))
    // They add something beside the record, or send something again, and leave it as it is: pictures, too.
    const additions =
      /\/(Sandbox|Webhooks|Replay|Recover|InstallLinks(\/\{id\})?|Icon|Screenshots(\/.*)?)$/
    const changes = operations.filter(
      ([name]) =>
        !name.startsWith('GET ') &&
        !additions.test(name) &&
        records.some((path) => `${pathOf(name)}/`.startsWith(`${path}/`)),
    )
    expect(changes.length).toBeGreaterThan(20)
    const unguarded = changes.filter(([, { responses, parameters = [] }]) => {
      return !responses[412] || !parameters.some(({ name }) => name === 'If-Match')
    })
    expect(unguarded.map(([name]) => name)).toEqual([])
  })

  test('is named by one of the verbs that mean one thing each', () => {
    const verb = ({ operationId }: Operation) => /^[a-z]+/.exec(operationId)?.[0] ?? ''
    const unknown = operations.map(([, one]) => one).filter((one) => !VERBS.includes(verb(one)))
    expect(unknown.map(({ operationId }) => operationId)).toEqual([])
    const verbsOf: Record<string, RegExp> = {
      'PUT ': /^replace/,
      'PATCH ': /^change/,
      'DELETE ': /^(delete|uninstall)/,
    }
    for (const [method, pattern] of Object.entries(verbsOf)) {
      const ofMethod = operations.filter(([name]) => name.startsWith(method))
      for (const [, { operationId }] of ofMethod) expect(operationId).toMatch(pattern)
    }
  })

  test('has numbers, truth values and moments of queries as what they are', () => {
    const parameters = operations.flatMap(([, one]) => one.parameters ?? [])
    const typesOf = (name: string) =>
      new Set(parameters.filter((one) => one.name === name).map(({ schema }) => schema.type))
    for (const name of ['limit', 'partyId', 'buyerId', 'sellerId', 'records', 'inStockMin']) {
      expect([...typesOf(name)], name).toEqual(['integer'])
    }
    for (const name of ['suspended', 'dryRun'])
      expect([...typesOf(name)], name).toEqual(['boolean'])
    expect(document.components.parameters.Limit?.schema.default).toBe(1000)
    const patterned = parameters.filter(({ schema }) => schema.format && schema.pattern)
    expect(patterned).toEqual([])
  })

  test('is shown without its optional parameters: some of them exclude each other', () => {
    // Scalar sends an example unless it is disabled, and without one the first value of a list.
    const isSent = ({ schema, example, examples }: Parameter) =>
      Object.values(examples ?? {}).some((one) => !('x-disabled' in one && one['x-disabled'])) ||
      (examples === undefined &&
        ['$ref', 'enum', 'default', 'example', 'examples'].some((key) => key in schema)) ||
      example !== undefined
    const sent = operations.flatMap(([name, { parameters = [] }]) =>
      parameters.filter((one) => !one.required && isSent(one)).map((one) => `${name} ${one.name}`),
    )
    expect(sent).toEqual([])
  })
})

describe('the guard that every API test passes through', () => {
  const problem = { 'content-type': 'application/problem+json' }
  const part = (method: string, path: string, status: number, headers: object, code?: string) =>
    undeclaredPart(
      { method, path },
      { status, headers: new Headers({ ...headers }), body: { code } },
    )

  test('names the status, the code or the header that an operation does not declare', () => {
    expect(part('GET', '/v1/Account', 418, {})).toContain('418')
    expect(part('GET', '/v1/Account', 401, problem, 'conflict')).toContain('conflict')
    expect(part('GET', '/v1/Account', 200, { link: '<x>' })).toContain('link')
    const named = { ...problem, location: '/x' }
    expect(part('GET', '/v1/Account', 401, named, 'invalid_token')).toContain('location')
    expect(part('POST', '/api/v1/auth/?x=1', 403, problem, 'invalid_csrf_token')).toContain('403')
    const gone = { code: 'cursor_expired', oldestPosition: 7, newestPosition: 9 }
    const member = undeclaredPart(
      { method: 'GET', path: '/v1/Developer/Events' },
      { status: 410, headers: new Headers(problem), body: gone },
    )
    expect(member).toBe('the member newestPosition of cursor_expired')
  })

  test('lets pass what is declared, and addresses that are no operation', () => {
    expect(part('GET', '/v1/Account', 401, problem, 'token_expired')).toBeUndefined()
    expect(part('GET', '/v1/Apps?limit=1', 200, { link: '<x>' })).toBeUndefined()
    expect(part('GET', '/v1/Products/Imports/1', 404, problem, 'not_found')).toBeUndefined()
    expect(part('GET', '/nothing', 404, problem, 'not_found')).toBeUndefined()
  })
})
