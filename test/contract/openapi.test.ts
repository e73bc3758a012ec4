import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual, promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ERROR_CODES, type ErrorCode } from '../../src/errors.ts'
import { makeOpenApiDocument } from '../../src/process/cli/commands.ts'
import { startMarketplace, type TestMarketplace } from '../setup/app.ts'
import { call, demoInstallation, developerToken, userToken } from '../setup/client.ts'
import { withWholeOperations } from '../setup/contract.ts'
import { ask, serverWith } from '../setup/limits.ts'

type Schema = { $ref?: string } & Record<string, unknown>
type Problem = { allOf: [Schema, { properties: { code: { enum: string[] } } }] }
type Media = Record<string, { schema?: Schema; example?: unknown; examples?: unknown }>
type Operation = {
  operationId?: string
  summary?: string
  description?: string
  tags?: string[]
  security?: object[]
  parameters?: { name: string; in: string; description?: string; schema: Schema }[]
  requestBody?: { content: Media }
  responses: Record<string, { description: string; content?: Media }>
}
type Document = {
  openapi: string
  info: { version: string }
  tags: { name: string }[]
  paths: Record<string, Record<string, Operation>>
  components: {
    schemas: Record<string, Schema>
    securitySchemes: Record<string, object>
  }
}

const COMMITTED = fileURLToPath(new URL('../../openapi/openapi.json', import.meta.url))
const REDOCLY = fileURLToPath(
  new URL('../../node_modules/@redocly/cli/bin/cli.js', import.meta.url),
)
/** Public addresses that are documentation themselves, or files that every site has. */
const UNDOCUMENTED = /^\/(docs|assets|openapi\.json|favicon\.ico|robots\.txt)(\/|$)/

let market: TestMarketplace
let document: Document
let operations: [name: string, operation: Operation][]
beforeAll(async () => {
  market = await startMarketplace()
  document = (await call(market, 'GET', '/openapi.json')).body
  const { paths } = withWholeOperations(document)
  operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, Operation] => [
      `${method.toUpperCase()} ${path}`,
      operation,
    ]),
  )
})
afterAll(() => market.close())

/** The names of the operations that fail a check: readable when it does. */
const failing = (check: (operation: Operation, name: string) => boolean) =>
  operations.filter(([name, operation]) => !check(operation, name)).map(([name]) => name)

/** Whether a schema, or one that it leads to, shows what a value looks like. */
function hasExample(schema: Schema | undefined, seen = new Set<string>()): boolean {
  if (schema === undefined) return false
  if (schema.$ref !== undefined) {
    if (seen.has(schema.$ref)) return false
    seen.add(schema.$ref)
    return hasExample(document.components.schemas[schema.$ref.split('/').at(-1) as string], seen)
  }
  if ('example' in schema || 'examples' in schema) return true
  return Object.values(schema)
    .filter((value) => typeof value === 'object' && value !== null)
    .some((value) => hasExample(value as Schema, seen))
}

const mediaHasExample = (content: Media) =>
  Object.values(content).every(
    ({ schema, example, examples }) =>
      example !== undefined || examples !== undefined || hasExample(schema),
  )

/** Where two documents differ, down to paths and components: short enough to be read. */
function differences(one: object, other: object, depth = 3): string[] {
  const keys = new Set([...Object.keys(one), ...Object.keys(other)])
  return [...keys].flatMap((key) => {
    const [left, right] = [one, other].map((side) => (side as Record<string, unknown>)[key])
    if (isDeepStrictEqual(left, right)) return []
    const both = [left, right].every((value) => typeof value === 'object' && value !== null)
    if (!both || depth === 1) return [key]
    return differences(left as object, right as object, depth - 1).map((rest) => `${key} ${rest}`)
  })
}

describe('the document', () => {
  test('is committed as the routes describe themselves', async () => {
    const committed: Document = JSON.parse(await readFile(COMMITTED, 'utf8'))
    // As text and back: without members that are undefined.
    const made: Document = JSON.parse(JSON.stringify(await makeOpenApiDocument()))
    const current = { ...made, info: { ...made.info, version: committed.info.version } }
    const hint = 'openapi/openapi.json is out of date: run `npm run openapi` and commit it'
    expect(differences(committed, current), hint).toEqual([])
  })

  test('is the committed one with version and addresses of the server, which does not make it anew', async () => {
    const committed: Document = JSON.parse(await readFile(COMMITTED, 'utf8'))
    const url = `${market.url}/docs`
    const contact = { name: 'The operator of the marketplace', url }
    expect(document).toEqual({
      ...committed,
      info: { ...committed.info, version: 'test', contact },
      servers: [{ url: market.url }],
      externalDocs: { description: expect.any(String), url },
    })
    // To make it takes half a second, in which nobody else is answered.
    expect(market.app.hasDecorator('swagger')).toBe(false)
  })

  test('leaves out what the server answers at another port', async () => {
    const { app } = await serverWith(market, { metricsPort: 9464 })
    const other: Document = (await ask(app, '/openapi.json')).body
    const { '/metrics': metrics, ...rest } = document.paths
    expect(metrics).toBeDefined()
    expect(other.paths).toEqual(rest)
    await app.close()
  })

  test('is valid OpenAPI 3.1 to an independent linter, without a warning', async () => {
    expect(document.openapi).toMatch(/^3\.1\./)
    const directory = await mkdtemp(join(tmpdir(), 'openapi-lint-'))
    try {
      await writeFile(join(directory, 'openapi.json'), JSON.stringify(document))
      await writeFile(
        join(directory, 'redocly.yaml'),
        'extends: [recommended]\nrules: { no-invalid-schema-examples: error }\n',
      )
      const { stdout } = await promisify(execFile)(
        process.execPath,
        [REDOCLY, 'lint', 'openapi.json', '--config', 'redocly.yaml', '--format', 'json'],
        {
          cwd: directory,
          env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
        },
      ).catch(({ stdout }: { stdout: string }) => ({ stdout }))
      const { problems }: { problems: { ruleId: string; message: string }[] } = JSON.parse(stdout)
      expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([])
    } finally {
      await rm(directory, { recursive: true, force: true })
    }
  })

  test('is answered as JSON to anybody', async () => {
    const { status, headers } = await call(market, 'GET', '/openapi.json')
    expect(status).toBe(200)
    expect(headers.get('content-type')).toMatch(/^application\/json/)
  })
})

describe('every operation', () => {
  test('has an operationId of its own', () => {
    const ids = operations.map(([, { operationId }]) => operationId)
    expect(failing(({ operationId }) => /^[a-z][A-Za-z]+$/.test(operationId ?? ''))).toEqual([])
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('has a summary of one line and a tag that is described', () => {
    const tags = new Set(document.tags.map(({ name }) => name))
    expect(failing(({ summary }) => /^[A-Z][^\n]{5,100}[^.\n]$/.test(summary ?? ''))).toEqual([])
    expect(failing((one) => one.tags?.length === 1 && tags.has(one.tags[0] as string))).toEqual([])
  })

  test('describes its parameters', () => {
    const undescribed = operations.flatMap(([name, { parameters = [] }]) =>
      parameters
        .filter(({ description }) => !description)
        .map((parameter) => `${name} ${parameter.in} ${parameter.name}`),
    )
    expect(undescribed).toEqual([])
  })

  test('answers errors as problem documents that name their codes', () => {
    for (const [name, { responses }] of operations) {
      const errors = Object.entries(responses).filter(([status]) => Number(status) >= 400)
      for (const [status, { content = {}, description }] of errors) {
        // Clients of OAuth know its own form only (RFC 6749, 5.2).
        if (name.startsWith('POST /oauth/')) {
          const failure = { schema: { $ref: '#/components/schemas/OAuthFailure' } }
          expect(content, `${name} ${status}`).toMatchObject({ 'application/json': failure })
          continue
        }
        expect(Object.keys(content), `${name} ${status}`).toEqual(['application/problem+json'])
        const { schema } = content['application/problem+json'] as { schema: unknown }
        const [problem, { properties }] = (schema as Problem).allOf
        expect(problem).toEqual({ $ref: '#/components/schemas/Problem' })
        const codes = [...description.matchAll(/`([a-z_]+)`: /g)].map(([, code]) => code)
        expect(properties.code.enum, `${name} ${status}`).toEqual(codes)
        for (const code of codes) {
          expect(ERROR_CODES[code as ErrorCode].status, `${name} ${code}`).toBe(Number(status))
        }
      }
    }
  })

  test('lists the errors that it can always answer, and those of its kind', () => {
    const lists = ({ responses }: Operation, ...statuses: number[]) =>
      statuses.every((status) => String(status) in responses)
    expect(failing((one) => lists(one, 400, 500, 503))).toEqual([])
    expect(failing((one) => !one.security?.length || lists(one, 401, 403))).toEqual([])
    expect(failing((one) => one.requestBody === undefined || lists(one, 413, 415))).toEqual([])
    expect(failing((one, name) => !name.includes('{') || lists(one, 404))).toEqual([])
  })

  test('shows examples of what it takes and of what it answers', () => {
    expect(failing(({ requestBody }) => mediaHasExample(requestBody?.content ?? {}))).toEqual([])
    const successes = ({ responses }: Operation) =>
      Object.entries(responses).filter(([status]) => Number(status) < 400)
    expect(failing((one) => successes(one).length > 0)).toEqual([])
    expect(
      failing((one) => successes(one).every(([, { content = {} }]) => mediaHasExample(content))),
    ).toEqual([])
  })

  test('shows with settings those that its caller sets', async () => {
    const { id, partyId } = demoInstallation(market, 'price-sync', 'Seller')
    const owner = market.demo.users.findIndex((user) => user.partyId === partyId)
    for (const [path, token] of [
      [`/v1/Account/Installations/{installationId}/UserSettings`, await userToken(market, owner)],
      [`/v1/Developer/Installations/{installationId}/AdminSettings`, await developerToken(market)],
    ] as const) {
      const [, operation] = operations.find(([name]) => name === `PATCH ${path}`) ?? []
      const { $ref = '' } = operation?.requestBody?.content['application/json']?.schema ?? {}
      const body = document.components.schemas[$ref.split('/').at(-1) as string]?.example
      const { status } = await call(market, 'PATCH', path.replace('{installationId}', id), {
        token,
        body,
      })
      expect(status, path).toBe(200)
    }
  })
})

describe('every route', () => {
  /** Without the one that answers CORS preflights, and what Fastify adds for HEAD. */
  const routes = () =>
    market.app.routes.all().filter(({ method, url }) => method !== 'HEAD' && url !== '*')
  const nameOf = ({ method, url }: { method: string; url: string }) =>
    `${method} ${url.replaceAll(/:(\w+)/g, '{$1}')}`

  test('declares who may call it', () => {
    const undeclared = routes().filter(({ audience }) => audience === undefined)
    expect(undeclared.map(nameOf)).toEqual([])
    expect(routes().length).toBeGreaterThan(10)
  })

  test('of the API is in the document, and nothing else is', () => {
    const api = routes().filter(
      ({ audience, url }) => audience !== 'browser' && !UNDOCUMENTED.test(url),
    )
    expect(operations.map(([name]) => name).sort()).toEqual(api.map(nameOf).sort())
  })

  /** Of the one public operation that a token may be sent to. */
  const OPTIONAL_TOKEN = [{}, { accountToken: [] }]

  test('needs the kind of token that its audience has', () => {
    const wrong = routes()
      .filter(({ audience }) => audience !== 'browser')
      .filter((route) => {
        const operation = operations.find(([name]) => name === nameOf(route))?.[1]
        const withToken = [{ [`${route.audience}Token`]: [] }]
        const ofPublic = operation?.operationId === 'acceptInvitation' ? OPTIONAL_TOKEN : []
        const expected = route.audience === 'public' ? ofPublic : withToken
        return operation && JSON.stringify(operation.security) !== JSON.stringify(expected)
      })
    expect(wrong.map(nameOf)).toEqual([])
    const schemes = Object.keys(document.components.securitySchemes)
    const used = routes().flatMap(({ audience }) =>
      audience === 'public' || audience === 'browser' ? [] : [`${audience}Token`],
    )
    expect(schemes).toEqual(expect.arrayContaining(used))
  })

  test('that needs a token refuses to work without one', async () => {
    const guarded = routes().filter(
      ({ audience }) => audience !== 'public' && audience !== 'browser',
    )
    const answers = await Promise.all(
      guarded.map(async ({ method, url }) => {
        const { status, body } = await call(market, method, url.replaceAll(/:\w+/g, '1'))
        return `${method} ${url} ${status} ${body?.code}`
      }),
    )
    expect(answers).toEqual(guarded.map(({ method, url }) => `${method} ${url} 401 missing_token`))
  })
})
