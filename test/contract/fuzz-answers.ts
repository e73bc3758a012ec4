import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { z } from 'zod'
import type { Endpoint, Operation, Plan } from './fuzz-requests.ts'
import type { Stock } from './fuzz-stock.ts'
import { type JsonSchema, Raw } from './fuzz-values.ts'

export type Answer = { status: number; headers: IncomingHttpHeaders; body: Buffer }

const TIMEOUT_MS = 20_000
const agent = new Agent({ keepAlive: true, maxSockets: 16 })
export const closeConnections = () => agent.destroy()

/** Sends a request as planned; bytes that a client cannot send are left out. */
export function send(
  url: string,
  { method, path }: Pick<Endpoint, 'method' | 'path'>,
  plan: Plan,
  stock: Stock,
): Promise<Answer> {
  const { body } = plan
  const content = body === undefined ? undefined : bytesOf(body.content, stock)
  const headers: Record<string, string> = {}
  for (const [name, value] of plan.headers) headers[name] = sendable(stock.resolve(value))
  if (body?.type !== undefined) headers['content-type'] = body.type
  if (content !== undefined) headers['content-length'] = String(content.length)
  if (plan.token !== undefined)
    headers.authorization = `Bearer ${sendable(stock.resolve(plan.token))}`
  const target = path.replaceAll(/\{(\w+)\}/g, (_, name) => encoded(plan.path[name], stock) || 'x')
  const query = plan.query.map(
    ([name, value]) => `${encoded(name, stock)}=${encoded(value, stock)}`,
  )
  const full = query.length === 0 ? target : `${target}?${query.join('&')}`
  return new Promise((resolve, reject) => {
    const sent = request(`${url}/`, { method, path: full, headers, agent, timeout: TIMEOUT_MS })
    sent.on('response', async (response) => {
      const chunks: Buffer[] = []
      for await (const chunk of response) chunks.push(chunk)
      resolve({
        status: response.statusCode ?? 0,
        headers: response.headers,
        body: decoded(Buffer.concat(chunks), response.headers['content-encoding']),
      })
    })
    sent.on('timeout', () => sent.destroy(new Error(`no answer in ${TIMEOUT_MS} ms`)))
    sent.on('error', reject)
    sent.end(content)
  })
}

function decoded(body: Buffer, coding: string | undefined): Buffer {
  if (coding === 'br') return brotliDecompressSync(body)
  return coding === 'gzip' ? gunzipSync(body) : body
}

function bytesOf(content: unknown, stock: Stock): Buffer {
  const resolved = stock.resolve(content)
  if (resolved instanceof Uint8Array) return Buffer.from(resolved)
  return Buffer.from(toJson(resolved, stock))
}

function sendable(value: unknown): string {
  return String(value).replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '')
}

function encoded(value: unknown, stock: Stock): string {
  const resolved = stock.resolve(value)
  if (resolved instanceof Raw) return resolved.text.replaceAll(/[^!-~]/g, '')
  const text = typeof resolved === 'string' ? resolved : toJson(resolved, stock)
  return encodeURIComponent(text.toWellFormed().slice(0, 10_000))
}

/** What an operation may answer, read from the document. */
export type Contract = {
  /** @returns what is wrong with an answer, or undefined */
  problemOf(answer: Answer): string | undefined
}

/** A stack, a path of ours, SQL, or the name of a library. */
const INTERNALS =
  /node_modules|\.ts:\d|\bat .+:\d+:\d+|\/src\/|SELECT .+ FROM |INSERT INTO |prisma|fastify|FST_ERR|ZodError|Invalid `/i

export function contractOf(
  { operation }: Pick<Endpoint, 'operation'>,
  schemas: Record<string, JsonSchema>,
  overloaded: boolean,
): Contract {
  const { responses } = operation
  const validators = new Map<string, z.ZodType>()
  const validatorOf = (status: number, type: string, schema: JsonSchema) => {
    const key = `${status} ${type}`
    const validator = validators.get(key) ?? toZod(schema, schemas)
    validators.set(key, validator)
    return validator
  }
  return {
    problemOf({ status, headers, body }) {
      const text = body.toString()
      if (status >= 500 && !(status === 503 && overloaded && headers['retry-after'])) {
        return `it failed: ${text}`
      }
      const response = responses[status]
      if (response === undefined) return `the status is not declared: ${text.slice(0, 500)}`
      if (!headers['x-request-id']) return 'it has no x-request-id'
      if (status === 429 && !headers['retry-after']) return 'it has no Retry-After'
      if (status >= 400 && INTERNALS.test(text)) return `it tells internals: ${text}`
      const media = response.content ?? {}
      if (Object.keys(media).length === 0) {
        return text === '' ? undefined : `it has a body: ${text.slice(0, 500)}`
      }
      const type = (headers['content-type'] ?? '').split(';', 1)[0] ?? ''
      const schema = media[type]
      if (schema === undefined) return `the content type ${type} is not declared`
      if (!/[/+]json$/.test(type) || schema.schema === undefined) return undefined
      const result = validatorOf(status, type, schema.schema).safeParse(JSON.parse(text))
      return result.success
        ? problemDocumentProblem(type, status, headers, text)
        : `it breaks its schema: ${result.error.message}\n${text.slice(0, 2000)}`
    },
  }
}

function problemDocumentProblem(
  type: string,
  status: number,
  headers: IncomingHttpHeaders,
  text: string,
) {
  if (type !== 'application/problem+json') return undefined
  const problem = JSON.parse(text)
  const agrees = problem.status === status && problem.requestId === headers['x-request-id']
  return agrees ? undefined : `its members contradict the answer: ${text}`
}

/** zod reads references to `$defs` only. It copies them all: it gets those that are needed. */
function toZod(schema: JsonSchema, schemas: Record<string, JsonSchema>): z.ZodType {
  const needed = new Map<string, JsonSchema | undefined>()
  const collect = (part: JsonSchema | undefined): void => {
    for (const [, name = ''] of JSON.stringify(part ?? {}).matchAll(REFERENCE)) {
      if (needed.has(name)) continue
      needed.set(name, schemas[name])
      collect(schemas[name])
    }
  }
  collect(schema)
  const text = JSON.stringify({ ...schema, $defs: Object.fromEntries(needed) })
  return z.fromJSONSchema(JSON.parse(text.replaceAll('#/components/schemas/', '#/$defs/')))
}

const REFERENCE = /"#\/components\/schemas\/([^"/]+)/g

/** Every operation of a document with its address. */
export function endpointsOf(document: {
  paths: Record<string, Record<string, Operation>>
}): Endpoint[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation,
    })),
  )
}

/** The JSON text of a value, with references resolved and raw text as it is. */
function toJson(value: unknown, stock: Stock): string {
  const resolved = stock.resolve(value)
  if (resolved instanceof Raw) return resolved.text
  if (Array.isArray(resolved)) return `[${resolved.map((one) => toJson(one, stock)).join()}]`
  if (typeof resolved === 'object' && resolved !== null) {
    const entries = Object.entries(resolved).filter(([, one]) => one !== undefined)
    return `{${entries.map(([key, one]) => `${JSON.stringify(key)}:${toJson(one, stock)}`).join()}}`
  }
  return JSON.stringify(resolved) ?? 'null'
}
