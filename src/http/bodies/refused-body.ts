import type { FastifyRequest, FastifySchema } from 'fastify'
import type { ErrorCode } from '../../errors.ts'
import { FORM_TYPE } from './form-body.ts'
import { JSON_TYPE } from './json-body.ts'

/** What an address takes instead of the body that Fastify has refused with this code. */
export function whatIsTaken(code: ErrorCode, request: FastifyRequest): string | undefined {
  const { bodyLimit, schema } = request.routeOptions
  if (code === 'payload_too_large') {
    return `The body may have at most ${bodyLimit.toLocaleString('en')} bytes.`
  }
  if (code !== 'unsupported_media_type') return undefined
  const { consumes = typesRead(request) }: FastifySchema & { consumes?: readonly string[] } =
    schema ?? {}
  return `The Content-Type must be ${consumes.join(' or ')}.`
}

function typesRead({ server }: FastifyRequest): string[] {
  return [JSON_TYPE, FORM_TYPE].filter((type) => server.hasContentTypeParser(type))
}
