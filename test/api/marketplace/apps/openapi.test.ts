import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LIMITS } from '../../../../src/base/values/definition-limits.ts'
import { PERMISSIONS } from '../../../../src/marketplace/apps/permissions.ts'
import { CURRENCY_CODES } from '../../../../src/marketplace/apps/pricing/currencies.ts'
import { startMarketplace, type TestMarketplace } from '../../../setup/app.ts'
import { call } from '../../../setup/client.ts'
import { withWholeOperations } from '../../../setup/contract.ts'

/** A node of the OpenAPI document: tests assert on its shape. */
// biome-ignore lint/suspicious/noExplicitAny: tests assert on its shape
type Node = any

let market: TestMarketplace
let openapi: Node
beforeAll(async () => {
  market = await startMarketplace()
  openapi = withWholeOperations((await call(market, 'GET', '/openapi.json')).body)
})
afterAll(() => market.close())

/** Follows references. */
function resolved(node: Node): Node {
  if (typeof node?.$ref !== 'string') return node
  const path = node.$ref.slice(2).split('/')
  return resolved(path.reduce((parent: Node, part: string) => parent[part], openapi))
}
/** The one value that a discriminator has. */
const constantOf = (field: Node) => field.const ?? field.enum[0]
const operation = (method: string, path: string) => openapi.paths[path]?.[method]
const bodyOf = (method: string, path: string) =>
  resolved(operation(method, path).requestBody.content['application/json'].schema)

describe('GET /v1/Permissions', () => {
  test('answers the catalogue, each entry with what it opens', async () => {
    const { status, body } = await call(market, 'GET', '/v1/Permissions')
    expect([status, body]).toEqual([200, JSON.parse(JSON.stringify(PERMISSIONS))])
  })

  const opened = PERMISSIONS.flatMap(({ id, opens }) =>
    [...opens].map((endpoint): [string, string] => [id, endpoint]),
  )
  test.each(opened)('%s opens %s, which is a route for installation tokens', (_, endpoint) => {
    const [method = '', path = ''] = endpoint.split(' ')
    const found = market.app.routes.at(path.replace(/\{\w+\}/g, '1'))
    expect(found).toContainEqual(expect.objectContaining({ method, audience: 'installation' }))
    expect(operation(method.toLowerCase(), path)).toBeDefined()
  })

  test('every route for installation tokens is opened by a permission or by any token', () => {
    const names = market.app.routes
      .all()
      .filter(({ audience, method }) => audience === 'installation' && method !== 'HEAD')
      .map(({ method, url }) => `${method} ${url.replace(/:(\w+)/g, '{$1}')}`)
    const known = new Set<string>(opened.map(([, endpoint]) => endpoint))
    expect(names.filter((name) => !known.has(name))).toEqual([])
  })
})

describe.each([
  ['post', '/v1/Developer/Apps'],
  ['put', '/v1/Developer/Apps/{appId}'],
])('the definition in the body of %s %s', (method, path) => {
  const properties = () => bodyOf(method, path).properties
  test('refuses unknown attributes and names the required ones', () => {
    const body = bodyOf(method, path)
    expect(body.additionalProperties).toBe(false)
    expect(body.required.toSorted()).toEqual([
      'id',
      'name',
      'partyTypes',
      'purchaseOptions',
      'version',
    ])
  })

  test('shows the limits of each field', () => {
    expect(properties()).toMatchObject({
      id: { minLength: 2, maxLength: 64, pattern: '^[a-z0-9]+(-[a-z0-9]+)*$' },
      name: { minLength: 1, maxLength: LIMITS.appNameMaxLength },
      description: { maxLength: LIMITS.appDescriptionMaxLength },
      partyTypes: { minItems: 1, maxItems: 2, uniqueItems: true },
      version: { minLength: 1, maxLength: 64 },
      permissions: { maxItems: PERMISSIONS.length },
      purchaseOptions: { minItems: 1, maxItems: 20 },
      acknowledgements: { maxItems: LIMITS.acknowledgementsMax },
      authReturnUrl: { maxLength: 2048, format: 'uri' },
      websiteUrl: { maxLength: 2048 },
      supportUrl: { maxLength: 2048 },
    })
    expect(resolved(properties().partyTypes.items).enum).toEqual(['Buyer', 'Seller'])
    const permission = resolved(properties().permissions.items)
    expect(permission.properties.id.enum).toEqual(PERMISSIONS.map(({ id }) => id))
    expect(permission.properties.purpose).toMatchObject({ minLength: 1, maxLength: 500 })
  })

  test('shows the three pricing models with their amounts', () => {
    const models = resolved(properties().purchaseOptions.items)
    const options = (models.oneOf ?? models.anyOf).map(resolved)
    expect(options.map((one: Node) => constantOf(one.properties.pricingModel))).toEqual([
      'FlatMonthly',
      'FlatAnnual',
      'TieredBuckets',
    ])
    for (const { properties: fields, additionalProperties } of options) {
      expect(additionalProperties).toBe(false)
      expect(resolved(fields.id)).toMatchObject({
        maxLength: 64,
        pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$',
      })
      expect(resolved(fields.currency).enum).toEqual(CURRENCY_CODES)
      const amount = fields.monthlyRate ?? fields.ratePerBucket
      expect(amount).toMatchObject({ minimum: 0, maximum: LIMITS.moneyMax })
    }
    expect(options[2].properties.bucketSize).toMatchObject({ type: 'integer', minimum: 1 })
  })

  test('shows the five setting types with exactly their attributes', () => {
    const configuration = resolved(properties().settings)
    expect(configuration.propertyNames.pattern).toBe('^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$')
    const profile = resolved(configuration.additionalProperties)
    expect(profile.maxProperties).toBe(LIMITS.settingsPerProfileMax)
    expect(profile.propertyNames.pattern).toBe('^[A-Za-z][A-Za-z0-9_.-]{0,63}$')
    const setting = resolved(profile.additionalProperties)
    const types = (setting.oneOf ?? setting.anyOf).map(resolved)
    const attributes = Object.fromEntries(
      types.map((one: Node) => [constantOf(one.properties.type), Object.keys(one.properties)]),
    )
    expect(attributes).toEqual({
      text: ['type', 'name', 'description', 'placeholder', 'mandatory', 'order', 'scope'],
      select: ['type', 'name', 'options', 'mandatory', 'order', 'scope'],
      number: ['type', 'name', 'min', 'max', 'step', 'mandatory', 'order', 'scope'],
      boolean: ['type', 'name', 'mandatory', 'order', 'scope'],
      password: ['type', 'name', 'description', 'mandatory', 'order', 'scope'],
    })
    expect(types.every((one: Node) => one.additionalProperties === false)).toBe(true)
    expect(types[1].properties.options).toMatchObject({ minItems: 1, maxItems: 50 })
  })

  test('describes every field, with examples', () => {
    for (const [name, field] of Object.entries<Node>(properties())) {
      expect([name, typeof field.description]).toEqual([name, 'string'])
      const isMadeOfOthers = /^(acknowledgements|permissions|purchaseOptions|settings)$/.test(name)
      if (!isMadeOfOthers) expect([name, field.examples?.length]).toEqual([name, 1])
    }
  })
})

describe('terms documents', () => {
  const MEDIA_TYPES = ['application/pdf', 'text/markdown', 'text/plain']
  test('are uploaded as a raw body of one of three media types', () => {
    const { requestBody } = operation('put', '/v1/Developer/Apps/{appId}/TermsDocument')
    expect(Object.keys(requestBody.content).toSorted()).toEqual(MEDIA_TYPES)
  })
  test.each(['/v1/Developer/Apps/{appId}/TermsDocument', '/v1/Apps/{appId}/TermsDocument'])(
    'are answered by %s in these media types',
    (path) => {
      const { responses } = operation('get', path)
      expect(Object.keys(responses[200].content).toSorted()).toEqual(MEDIA_TYPES)
    },
  )
})

describe('what the answers of apps can be', () => {
  test('each operation has a summary and its own errors', () => {
    const paths = Object.entries<Node>(openapi.paths).filter(([path]) =>
      /^\/v1\/(Developer\/)?Apps/.test(path),
    )
    expect(paths.length).toBeGreaterThanOrEqual(10)
    for (const [path, operations] of paths) {
      for (const [method, { operationId, summary, responses }] of Object.entries<Node>(
        operations,
      )) {
        expect([path, method, typeof operationId, typeof summary]).toEqual([
          path,
          method,
          'string',
          'string',
        ])
        const statuses = Object.keys(responses)
        if (path.startsWith('/v1/Developer'))
          expect(statuses).toEqual(expect.arrayContaining(['401', '403']))
        if (path.includes('{appId}')) expect(statuses).toContain('404')
      }
    }
  })
  test('version_required and dry runs answer changes and breaking', () => {
    const changes = resolved(openapi.components.schemas.DefinitionChanges)
    expect(Object.keys(changes.properties)).toEqual(['changes', 'breaking'])
  })
})
