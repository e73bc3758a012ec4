import fc from 'fast-check'
import { AIMS, type Aim } from './fuzz-aims.ts'
import { Mutated, mutated, mutations } from './fuzz-mutations.ts'
import {
  HOSTILE_KEYS,
  HOSTILE_TEXTS,
  hostileJson,
  hostileText,
  type JsonSchema,
  Raw,
  Ref,
  refTo,
  valuesOf,
} from './fuzz-values.ts'

type Media = Record<string, { schema?: JsonSchema; example?: unknown; examples?: object }>
export type Operation = {
  operationId: string
  security?: Record<string, unknown>[]
  parameters?: {
    name: string
    in: string
    required?: boolean
    schema?: JsonSchema
    examples?: Record<string, { value?: unknown }>
  }[]
  requestBody?: { content: Media }
  responses: Record<string, { content?: Media }>
}
export type Endpoint = { method: string; path: string; operation: Operation }

/** A request whose references are not resolved yet: one counterexample is one of these. */
export type Plan = {
  path: Record<string, unknown>
  query: [string, unknown][]
  headers: [string, string | Ref][]
  token: Ref | string | undefined
  body: { type: string | undefined; content: unknown } | undefined
}

/** What `{id}` is depends on where it stands; every other name is unique. */
function poolOfParameter(path: string, name: string): string | undefined {
  if (name !== 'id') return poolOfName(name)
  const [, kind = ''] = /\/(\w+)\/\{id\}/.exec(path) ?? []
  return `${kind.toLowerCase()}.id`
}

const POOLS: Readonly<Record<string, string>> = {
  appId: 'apps.id',
  installationId: 'installations.id',
  developerId: 'developers.id',
  credentialId: 'credentials.id',
  endpointId: 'webhook.ids',
  deliveryId: 'webhook.deliveries',
  userId: 'users.id',
  partyId: 'parties.id',
  buyerId: 'buyers.id',
  sellerId: 'sellers.id',
  purchaseOptionId: 'options.id',
  version: 'versions',
  email: 'emails',
  clientId: 'clientIds',
  password: 'passwords',
  token: 'tokens',
  sha256: 'hashes',
  cursor: 'cursors',
  subjectId: 'installations.id',
  actorId: 'clientIds',
}
const poolOfName = (name: string): string | undefined =>
  name === 'partyIds' ? undefined : Object.hasOwn(POOLS, name) ? POOLS[name] : undefined

/** Requests to one operation: valid ones, almost valid ones, and hostile ones. */
export function plansFor(
  { path, operation }: Endpoint,
  schemas: Record<string, JsonSchema>,
): fc.Arbitrary<Plan> {
  const { parameters = [], security = [], requestBody } = operation
  const declared = (place: string) => parameters.filter((one) => one.in === place)
  const [audience] = Object.keys(security[0] ?? {})
  const plans = fc.record({
    path: fc.record(
      Object.fromEntries(
        declared('path').map(({ name, schema = {} }) => {
          const values = valuesOf(schema, { schemas, poolOf: () => undefined })
          return [name, mostly(refOr(poolOfParameter(path, name), values), hostilePart)]
        }),
      ),
    ),
    query: queries(declared('query'), schemas),
    headers: fc.array(fc.oneof(...HEADERS), { maxLength: 2 }),
    token: tokens(audience),
    body: bodies(requestBody?.content, schemas),
  })
  const aim = AIMS[operation.operationId]
  if (aim === undefined) return plans
  return fc.oneof({ weight: 2, arbitrary: plans }, { weight: 1, arbitrary: aimed(aim, audience) })
}

function aimed(aim: Aim, audience: string | undefined): fc.Arbitrary<Plan> {
  const { path = {}, query = {}, body, type = 'application/json', newVersion = false } = aim
  const { token = audience } = aim
  return fc
    .tuple(fc.nat(10_000), fc.array(mutations, { maxLength: 1 }), fc.uuid())
    .map(([index, steps, version]) => ({
      path: Object.fromEntries(
        Object.entries(path).map(([name, pool]) => [name, new Ref(pool, index)]),
      ),
      query: [
        ...Object.entries(query).map(([name, pool]): [string, unknown] => [
          name,
          new Ref(pool, index),
        ]),
        ...(newVersion ? [['version', version] as [string, unknown]] : []),
      ],
      headers: [],
      token: token === undefined ? undefined : new Ref(token, 0),
      body:
        body === undefined
          ? undefined
          : {
              type,
              content: new Mutated(new Ref(body, index), type.includes('json') ? steps : []),
            },
    }))
}

const mostly = <T>(usual: fc.Arbitrary<T>, rare: fc.Arbitrary<T>, weight = 6) =>
  fc.oneof({ weight, arbitrary: usual }, { weight: 1, arbitrary: rare })

const refOr = (pool: string | undefined, values: fc.Arbitrary<unknown>) =>
  pool === undefined ? values : mostly(refTo(pool), values, 8)

/** Also such that are no proper encoding. */
const hostilePart: fc.Arbitrary<unknown> = fc.oneof(
  hostileText,
  fc
    .constantFrom('%00', '%ff', '%c3%28', '%ed%a0%80', '..%2f..%2f', '%', '%zz', '+', ';a=b', '%5c')
    .map((text) => new Raw(text)),
)

function queries(
  parameters: NonNullable<Operation['parameters']>,
  schemas: Record<string, JsonSchema>,
): fc.Arbitrary<[string, unknown][]> {
  const known = parameters.map(({ name, schema = {}, examples = {}, required = false }) => {
    const shown = { ...schema, examples: Object.values(examples).map(({ value }) => value) }
    const values = refOr(poolOfName(name), valuesOf(shown, { schemas, poolOf: () => undefined }))
    const pair = mostly(values, hostilePart, 5).map((value): [string, unknown] => [name, value])
    return fc.option(pair, { nil: undefined, freq: required ? 20 : 1 })
  })
  const names = [...parameters.map(({ name }) => name), 'limit', 'cursor', ...HOSTILE_KEYS]
  const odd = fc.array(
    fc.tuple(fc.constantFrom(...names, 'Limit', 'a[b]', 'a[]', '%'), hostilePart),
    { maxLength: 3 },
  )
  return fc
    .tuple(fc.tuple(...known), mostly<[string, unknown][]>(fc.constant([]), odd, 5))
    .map(([pairs, more]) => [...pairs.filter((one) => one !== undefined), ...more])
}

const header = (name: string, ...values: string[]) =>
  fc.constantFrom(...values).map((value): [string, string | Ref] => [name, value])

/** Node's client sends no control characters: those are `conventions.test.ts`'s. */
const HEADERS = [
  refTo('etags').map((ref): [string, string | Ref] => ['if-match', ref as Ref]),
  refTo('etags').map((ref): [string, string | Ref] => ['if-none-match', ref as Ref]),
  header(
    'if-match',
    '*',
    '"1"',
    'W/"1"',
    '"',
    '',
    '"999999999999999999999"',
    '"1", "2"',
    '1',
    '"-1"',
  ),
  header('if-none-match', '*', '"1"', '', '"', ', ,', '"a"'.repeat(1000)),
  header(
    'accept',
    '*/*',
    'text/html',
    'application/x-ndjson',
    'q=',
    'text/*;q=0',
    'a'.repeat(4000),
  ),
  header('accept-encoding', 'gzip', 'br;q=1e400', '*', 'identity;q=0'),
  header(
    'x-forwarded-for',
    '1.2.3.4',
    '::1',
    'x',
    "'; --",
    '1.2.3.4, \u00e9\u00ff',
    '9'.repeat(4000),
  ),
  header('x-forwarded-proto', 'https', 'javascript', 'a, b'),
  header('host', 'evil.example', 'a b', '[', 'x'.repeat(2000)),
  header('cookie', 'session=x', '=;=;', 'session=%00; session=%zz', 'form=a; form=b'),
  header('origin', 'null', 'https://evil.example', '\u00ff'),
  header('content-encoding', 'gzip', 'deflate', 'x'),
  header('range', 'bytes=0-', 'bytes=-1', 'bytes=9-1,5-'),
  header('expect', '100-continue'),
  header('x-http-method-override', 'DELETE'),
  header('sec-fetch-site', 'cross-site'),
]

function tokens(audience: string | undefined): fc.Arbitrary<Ref | string | undefined> {
  const others = fc.constantFrom(
    'developerToken',
    'accountToken',
    'operatorToken',
    'installationToken',
  )
  const wrong = fc.oneof(
    others.chain((pool) => refTo(pool) as fc.Arbitrary<Ref>),
    fc.constantFrom(
      'x',
      'a.b.c',
      'eyJhbGciOiJub25lIn0.e30.',
      '',
      `${'x'.repeat(5000)}`,
      '\u00ff.\u00ff.\u00ff',
    ),
    fc.constant(undefined),
  )
  if (audience === undefined) return wrong
  return mostly<Ref | string | undefined>(refTo(audience) as fc.Arbitrary<Ref>, wrong, 14)
}

function bodies(
  content: Media | undefined,
  schemas: Record<string, JsonSchema>,
): fc.Arbitrary<Plan['body']> {
  const hostile = fc.record({
    type: fc
      .constantFrom(undefined, 'application/json', 'application/json; charset=utf-16', 'text/plain')
      .chain((type) =>
        mostly(fc.constant(type), fc.constantFrom('x', 'text/html', '/', 'multipart/form-data')),
      ),
    content: fc.oneof(
      fc
        .constantFrom('', '{', '[]', '"a"', 'null', '1e400', '{"a":NaN}', '\ufeff{}', '{"a":1}x')
        .map((text) => new Raw(text)),
      fc.constant(new Raw(`"${'x'.repeat(1_048_600)}"`)),
      fc.uint8Array({ maxLength: 50 }),
      hostileJson,
    ),
  })
  if (content === undefined) return mostly<Plan['body']>(fc.constant(undefined), hostile, 8)
  const declared = Object.entries(content).map(([type, { schema = {}, example, examples }]) => {
    if (!type.includes('json')) {
      const texts = fc.oneof(
        fc.constantFrom('# Terms', '%PDF-1.7 x', LONG),
        fc.uint8Array({ maxLength: 200 }),
      )
      return texts.map((text) => ({
        type,
        content: text instanceof Uint8Array ? text : new Raw(text),
      }))
    }
    const known = [example, ...Object.values(examples ?? {}).map(({ value }) => value)]
    const values = fc.oneof(
      valuesOf(schema, { schemas, poolOf: poolOfName }),
      ...known.filter((one) => one !== undefined).map((one) => fc.constant(one)),
    )
    const mutants = fc
      .tuple(values, fc.array(mutations, { minLength: 1, maxLength: 3 }))
      .map(([value, steps]) => steps.reduce(mutated, value))
    return fc
      .oneof({ weight: 5, arbitrary: values }, { weight: 4, arbitrary: mutants })
      .map((one) => ({ type, content: one }))
  })
  return mostly<Plan['body']>(fc.oneof(...declared), hostile, 8)
}

const LONG = HOSTILE_TEXTS.find((text) => text.length > 10_000) as string
