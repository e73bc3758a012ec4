import type { IncomingMessage } from 'node:http'
import { type ParsedUrlQuery, parse } from 'node:querystring'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../../errors.ts'
import { decodedText } from '../percent-encoding.ts'
import { readWholeBody } from './whole-body.ts'

export const FORM_TYPE = 'application/x-www-form-urlencoded'
/** The limit of forms whose route sets none. */
const FORM_LIMIT_BYTES = 65_536
/** More than any form of ours has. */
const FIELDS_MAX = 1_000

/** Reads forms: so many fields, in UTF-8. A field that comes more than once is a list. */
export function acceptFormBodies(app: FastifyInstance): void {
  // Set on each route, which then tells its limit to whoever asks for it.
  app.addHook('onRoute', function limitFormOfRoute(route) {
    route.bodyLimit ??= FORM_LIMIT_BYTES
  })
  app.addContentTypeParser(FORM_TYPE, async (request: FastifyRequest, payload: IncomingMessage) =>
    parseForm(await readWholeBody(request, payload)),
  )
}

function parseForm(body: Buffer): ParsedUrlQuery {
  let isText = true
  const decode = (encoded: string): string => {
    const decoded = decodedText(encoded)
    isText &&= decoded !== undefined
    return decoded ?? ''
  }
  const text = utf8Text(body)
  if (text.split('&', FIELDS_MAX + 2).length > FIELDS_MAX + 1) {
    throw new AppError('invalid_request', {
      detail: `The form has more than ${FIELDS_MAX.toLocaleString('en')} fields.`,
    })
  }
  const fields = parse(text, '&', '=', { maxKeys: 0, decodeURIComponent: decode })
  if (!isText) throw notUtf8()
  return fields
}

function utf8Text(body: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch {
    throw notUtf8()
  }
}

function notUtf8(): AppError {
  return new AppError('invalid_request', { detail: 'The form is not UTF-8.' })
}
