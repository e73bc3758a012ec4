import swagger from '@fastify/swagger'
import { jsonSchemaTransform, jsonSchemaTransformObject } from '@fastify/type-provider-zod'
import { ERROR_CODES } from '../errors.ts'
import type { App } from './app-type.ts'
import { NDJSON_TYPE } from './bodies/ndjson.ts'

const DESCRIPTION = `An app marketplace for a trading platform. Developers publish apps, accounts install them, and an
app acts for an account with a short-lived bearer token limited to the permissions of that one
installation.

Paths are matched without regard to case, a trailing slash is ignored, and each path of \`/v1\` also
works under the prefix \`/api\`. Lists are bare arrays; a \`Link\` header with \`rel="next"\` leads to
the next page whenever there is one. Errors are problem documents (RFC 9457).`

const TAGS = [
  { name: 'Tokens', description: 'Sign in as a developer, act for an installation.' },
  { name: 'Apps', description: 'Define, version, price and list your apps.' },
  { name: 'Catalogue', description: 'Listed apps, for everybody.' },
  { name: 'Installations', description: 'Apps as installed by accounts.' },
  { name: 'Products', description: 'The catalogue that an installation sees.' },
  { name: 'Accounts', description: 'Users, their accounts and the apps installed there.' },
  { name: 'Operator', description: 'Run the marketplace.' },
  { name: 'Audit', description: 'Who did what to which thing, and when.' },
  { name: 'Operation', description: 'For load balancers and monitoring.' },
]

/** Collects the routes registered after it into an OpenAPI 3.1 document. */
export async function documentRoutes(app: App, version: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'App Marketplace API',
        version,
        description: DESCRIPTION,
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: '/' }],
      tags: TAGS,
      components: {
        securitySchemes: {
          developerToken: {
            type: 'http',
            scheme: 'bearer',
            description: 'From `POST /v1/Auth`. Never give it to clients or users.',
          },
          accountToken: {
            type: 'http',
            scheme: 'bearer',
            description: 'From `POST /v1/Account/Auth`.',
          },
          operatorToken: {
            type: 'http',
            scheme: 'bearer',
            description: 'From `POST /v1/Account/Auth`, of a user who is an operator.',
          },
          installationToken: {
            type: 'http',
            scheme: 'bearer',
            description: 'From `POST /v1/Developer/Token` or the redirect.',
          },
        },
      },
    },
    transform: jsonSchemaTransform as never,
    transformObject: (document) =>
      withoutUnused(describeProblems(jsonSchemaTransformObject(document) as Document)) as never,
  })
}

type Document = {
  components?: { schemas?: Record<string, object>; securitySchemes?: Record<string, object> }
  paths?: Record<
    string,
    Record<string, { security?: unknown; responses?: Record<string, Response> }>
  >
}
type Response = { description?: string; content?: Record<string, unknown>; headers?: unknown }

const PROBLEM = { $ref: '#/components/schemas/Problem' }
const LINES = {
  schema: { type: 'string', description: 'One per line, each as in the array of the JSON answer.' },
  example:
    '{"id":101,"brand":"Wahl","partNumber":"8110","inStock":12,"shortDescription":null,"msrp":59.99,"mapPrice":null,"upc":null}\\n',
}
/** A body that nobody asked for is read all the same, unless it cannot be. */
const BODY_REFUSALS = Object.fromEntries(
  [413, 415].map((status) => [
    status,
    { description: codesOf(status), content: { 'application/problem+json': { schema: PROBLEM } } },
  ]),
)

/** Error answers have a media type of their own, and name the codes they can carry. */
function describeProblems(document: Document): Document {
  for (const operations of Object.values(document.paths ?? {})) {
    for (const [method, operation] of Object.entries(operations)) {
      operation.security ??= []
      if (method !== 'get') operation.responses = { ...BODY_REFUSALS, ...operation.responses }
      for (const [status, response] of Object.entries(operation.responses ?? {})) {
        const [answer] = Object.values(response.content ?? {})
        if (Number(status) < 400) {
          if (response.description === 'Default Response') response.description = 'Success.'
          if (response.content?.[NDJSON_TYPE] !== undefined) response.content[NDJSON_TYPE] = LINES
        } else if (answer !== undefined) {
          response.content = { 'application/problem+json': answer }
          response.description = codesOf(Number(status))
        }
      }
    }
  }
  return document
}

/** Each schema comes once for requests and once for answers; most are needed for one only. */
function withoutUnused(document: Document): Document {
  const { paths, components } = document
  const used = new Set<string>()
  const collect = (value: unknown) => {
    for (const [, name = ''] of JSON.stringify(value).matchAll(
      /"#\/components\/schemas\/(\w+)"/g,
    )) {
      if (used.has(name)) continue
      used.add(name)
      collect(components?.schemas?.[name] ?? {})
    }
  }
  collect(paths)
  const schemes = new Set(
    Object.values(paths ?? {})
      .flatMap((operations) => Object.values(operations))
      .flatMap(({ security }) => (security as object[]).flatMap((one) => Object.keys(one))),
  )
  const only = (record: Record<string, object> = {}, names: ReadonlySet<string>) =>
    Object.fromEntries(Object.entries(record).filter(([name]) => names.has(name)))
  return {
    ...document,
    components: {
      ...components,
      schemas: only(components?.schemas, used),
      securitySchemes: only(components?.securitySchemes, schemes),
    },
  }
}

function codesOf(status: number): string {
  const codes = Object.entries(ERROR_CODES).filter(([, entry]) => entry.status === status)
  return codes.map(([code, { title }]) => `\`${code}\`: ${title}.`).join(' ')
}
