import { afterAll, beforeAll, expect, test } from 'vitest'
import { startMarketplace, type TestMarketplace } from '../setup/app.ts'
import { accountToken, call, demoInstallation, installationToken } from '../setup/client.ts'
import { withWholeOperations } from '../setup/contract.ts'

type Schema = {
  $ref?: string
  example?: unknown
  required?: string[]
  properties?: Record<string, Schema>
} & Record<string, unknown>
type Media = Record<string, { schema: Schema; example?: unknown }>
type Operation = {
  parameters?: { name: string; examples?: Record<string, object> }[]
  requestBody?: { content: Media }
  responses: Record<string, { content?: Media }>
}
type Document = {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

let market: TestMarketplace
let schemas: Record<string, Schema>
let operations: [name: string, operation: Operation][]
beforeAll(async () => {
  market = await startMarketplace()
  const document: Document = (await call(market, 'GET', '/openapi.json')).body
  schemas = document.components.schemas
  operations = Object.entries(withWholeOperations(document).paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, Operation] => [
      `${method.toUpperCase()} ${path}`,
      operation,
    ]),
  )
})
afterAll(() => market.close())

const named = ({ $ref, ...own }: Schema): Schema =>
  $ref === undefined ? own : { ...schemas[$ref.split('/').at(-1) ?? ''], ...own }

/** Whether a schema, or one that it leads to, shows what a value looks like. */
function hasExample(schema: Schema | undefined, depth = 10): boolean {
  if (schema === undefined || depth === 0) return false
  const own = named(schema)
  if ('example' in own || 'examples' in own) return true
  return Object.values(own)
    .filter((value) => typeof value === 'object' && value !== null)
    .some((value) => hasExample(value as Schema, depth - 1))
}

test('a parameter that shows an example shows its value', () => {
  const shown = operations.flatMap(([name, { parameters = [] }]) =>
    parameters.flatMap((one) =>
      Object.values(one.examples ?? {}).map((example) => [`${name} ${one.name}`, example] as const),
    ),
  )
  expect(shown.length).toBeGreaterThan(50)
  expect(shown.filter(([, example]) => !('value' in example)).map(([name]) => name)).toEqual([])
})

test('a body shows an example of every member that it must have', () => {
  const bare = operations.flatMap(([name, { requestBody }]) =>
    Object.values(requestBody?.content ?? {}).flatMap(({ schema }) => {
      const { example, required = [], properties = {} } = named(schema)
      const missing = required.filter((member) => !hasExample(properties[member]))
      return example === undefined ? missing.map((member) => `${name} ${member}`) : []
    }),
  )
  expect(bare).toEqual([])
})

test('a body of JSON that is answered shows an example of a whole record', () => {
  const records = operations.flatMap(([name, { responses }]) =>
    Object.entries(responses)
      .filter(([status]) => status.startsWith('2'))
      .flatMap(([, { content = {} }]) => {
        const { schema } = content['application/json'] ?? {}
        const record = schema?.items === undefined ? schema : (schema.items as Schema)
        return record === undefined ? [] : [[name, named(record)] as const]
      }),
  )
  expect(records.length).toBeGreaterThan(100)
  const bare = records.filter(([, record]) => !('example' in record) && !('examples' in record))
  expect(bare.map(([name]) => name)).toEqual([])
  for (const [name, { example, required = [] }] of records) {
    if (typeof example !== 'object' || example === null) continue
    expect(Object.keys(example), name).toEqual(expect.arrayContaining(required))
  }
})

test('a file of lines shows a line and the columns of what it holds', async () => {
  const installation = demoInstallation(market, 'price-sync', 'Seller')
  const tokens = new Map([
    ['GET /v1/Products', await installationToken(market, installation)],
    ['GET /v1/Operator/Audit/Export', await accountToken(market, market.demo.operator)],
  ])
  const withLines = operations.filter(([, { responses }]) => responses[200]?.content?.['text/csv'])
  expect(withLines.map(([name]) => name).sort()).toEqual([...tokens.keys()].sort())
  for (const [name, { responses }] of withLines) {
    const { 'application/x-ndjson': lines, 'text/csv': table } = responses[200]?.content ?? {}
    const read = (format: string, accept: string) => {
      const query = name.endsWith('Export') ? `?format=${format}` : ''
      const headers = { accept, authorization: `Bearer ${tokens.get(name)}` }
      return fetch(`${market.url}${name.slice(4)}${query}`, { headers })
    }
    const [line = ''] = (await (await read('ndjson', 'application/x-ndjson')).text()).split('\n')
    const [header] = (await (await read('csv', 'text/csv')).text()).split('\r\n')
    const example = JSON.parse(String(lines?.example))
    expect(Object.keys(example), name).toEqual(Object.keys(JSON.parse(line)))
    expect(String(table?.example).split('\r\n')[0], name).toBe(header)
  }
})
