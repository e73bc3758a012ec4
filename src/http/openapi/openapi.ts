import swagger from '@fastify/swagger'
import {
  createJsonSchemaTransform,
  createJsonSchemaTransformObject,
} from '@fastify/type-provider-zod'
import type { RouteOptions } from 'fastify'
import examples from '../../../openapi/examples.json' with { type: 'json' }
import type { App } from '../app-type.ts'
import { CSV_TYPE, LINE_TYPES, type LineType, NDJSON_TYPE } from '../bodies/ndjson.ts'
import {
  type Document,
  type Operation,
  operationsOf,
  type Parameter,
  type Response,
} from './document.ts'
import { HEADERS, headerRefs, problemHeaders, successHeaders } from './headers.ts'
import { createParameters } from './parameters.ts'
import { problemCodesOf } from './problem-codes.ts'
import { createProblemResponses } from './problem-responses.ts'
import { conciseSchema, tidySchemas } from './schemas.ts'
import { shareResponses } from './shared-responses.ts'

const DESCRIPTION = `An app marketplace for a trading platform. Developers publish apps, accounts install them, and an
app acts for an account with a short-lived bearer token limited to the permissions of that one
installation.

Paths are matched without regard to case, a trailing slash is ignored, and each path also works
under the prefix \`/api\`. Lists are bare arrays; a \`Link\` header with \`rel="next"\` leads to
the next page whenever there is one; the event log and the change feed always have it. Errors are problem documents (RFC 9457).`

const TAGS = [
  { name: 'Tokens', description: 'Sign in as a developer, act for an installation.' },
  { name: 'Developer', description: 'Who you are, and what your programs sign in with.' },
  { name: 'Apps', description: 'Define, version, price and list your apps.' },
  { name: 'Catalogue', description: 'Listed apps, for everybody.' },
  { name: 'Installations', description: 'Apps as installed by accounts.' },
  { name: 'Events', description: 'What happens to your apps and installations.' },
  { name: 'Webhooks', description: 'Where the events of your apps are sent, and what came of it.' },
  { name: 'Products', description: 'The catalogue that an installation sees.' },
  { name: 'Accounts', description: 'Users, their accounts and the apps installed there.' },
  { name: 'Operator', description: 'Run the marketplace.' },
  { name: 'Audit', description: 'Who did what to which thing, and when.' },
  { name: 'Operation', description: 'For load balancers and monitoring.' },
]

declare module 'fastify' {
  interface FastifySchema {
    /** Examples of a body that is a file: media type -> content. */
    bodyExamples?: Readonly<Record<string, string>>
    /** Examples of an answer line by line. */
    lineExamples?: Readonly<Record<LineType, string>>
  }
}

/** What the server sends to others: path items by name, and the components that they share. */
type Webhooks = {
  webhooks: Record<string, object>
  parameters: Record<string, Parameter>
  responses: Record<string, Response>
}

/** Collects the routes registered after it into an OpenAPI 3.1 document. */
export async function documentRoutes(app: App, version: string, sent: Webhooks): Promise<void> {
  const routes: RouteOptions[] = []
  app.addHook('onRoute', function collectForDocument(route) {
    routes.push(route)
  })
  const config = { zodToJsonConfig: { override: conciseSchema } }
  const withSchemas = createJsonSchemaTransformObject(config)
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'App Marketplace API',
        version,
        description: DESCRIPTION,
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
        // A server adds its own addresses: see `readOpenApiDocument`.
        contact: { name: 'The operator of the marketplace' },
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
    transform: createJsonSchemaTransform(config) as never,
    transformObject: (document) =>
      shareResponses(
        withRecordExamples(tidySchemas(completed(withSchemas(document) as Document, routes, sent))),
      ) as never,
  })
}

/** The schemas of what is sent line by line: the type provider knows one for all media types. */
const LINES = {
  [NDJSON_TYPE]: { type: 'string', description: 'One per line, each as in a JSON array.' },
  [CSV_TYPE]: {
    type: 'string',
    description: 'The first line names the columns. Null is an empty cell.',
  },
}

/** Adds to every operation the errors that its route can answer, and all headers. */
function completed(
  document: Document,
  routes: readonly RouteOptions[],
  { webhooks, ...shared }: Webhooks,
): Document {
  const routeAt = new Map(routes.map((route) => [addressOf(route), route]))
  const problems = createProblemResponses()
  const parameters = createParameters()
  for (const [method, path, operation] of operationsOf(document)) {
    const route = routeAt.get(`${method} ${path}`)
    if (route === undefined) throw new Error(`no route has made ${method} ${path}`)
    complete(operation, route)
    const all = parameters.of(operation, route)
    if (all.length > 0) operation.parameters = all
    const { responses = {} } = operation
    const { ownErrors } = route.schema ?? {}
    const errors =
      ownErrors === undefined
        ? problems.refsOf(problemCodesOf(route))
        : problems.refsOfOwn(ownErrors, responses)
    Object.assign(responses, errors)
  }
  const { schemas, securitySchemes } = document.components ?? {}
  const components = {
    securitySchemes,
    parameters: { ...parameters.components(), ...shared.parameters },
    headers: HEADERS,
    responses: { ...problems.components(), ...shared.responses },
    schemas,
  }
  return { ...document, webhooks, components: components as NonNullable<Document['components']> }
}

function addressOf({ method, url }: RouteOptions): string {
  return `${String(method).toLowerCase()} ${url.replaceAll(/:(\w+)/g, '{$1}')}`
}

function complete(operation: Operation, route: RouteOptions): void {
  operation.security ??= []
  const { bodyExamples = {}, lineExamples } = route.schema ?? {}
  const content = operation.requestBody?.content ?? {}
  for (const [type, media] of Object.entries(content)) {
    // Media types of one schema are one object.
    if (Object.hasOwn(bodyExamples, type)) content[type] = { ...media, example: bodyExamples[type] }
  }
  for (const [status, response] of Object.entries(operation.responses ?? {})) {
    const success = response as Response
    if (success.description === 'Default Response') success.description = 'Success.'
    for (const type of LINE_TYPES) {
      if (success.content?.[type] === undefined) continue
      success.content[type] = { schema: LINES[type], example: lineExamples?.[type] }
    }
    success.headers = headerRefs(
      Number(status) < 400 ? successHeaders(route, status) : problemHeaders(Number(status), []),
    )
  }
}

/**
 * Gives each record an example of a whole one, as mock servers and collections of requests show it,
 * beside the examples of its members.
 *
 * @throws Error when an example is of a schema that is not there, or has one of its own
 */
function withRecordExamples(document: Document): Document {
  const schemas = { ...document.components?.schemas }
  for (const [name, example] of Object.entries(examples)) {
    const schema = schemas[name]
    if (schema === undefined) throw new Error(`openapi/examples.json: there is no schema ${name}`)
    if ('example' in schema) throw new Error(`openapi/examples.json: ${name} has an example`)
    schemas[name] = { ...schema, example }
  }
  return { ...document, components: { ...document.components, schemas } }
}
