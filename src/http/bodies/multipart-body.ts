import { hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../../errors.ts'
import { readWholeBody } from './whole-body.ts'

/** The type of forms with files (RFC 7578). */
const MULTIPART_TYPE = 'multipart/form-data'
/** What the fields of a form take beside its file. */
export const MULTIPART_FIELDS_MAX_BYTES = 65_536
/** More than any form with a file has. */
const PARTS_MAX = 50
/** What says of a part which field it is; browsers send the name of a file here. */
const HEAD_MAX_BYTES = 4_096
/** The text between the parts (RFC 2046, 5.1.1), as browsers and libraries choose it. */
const BOUNDARY = /;\s*boundary=("?)([\w'()+,./:=?-]{1,70})\1\s*$/i

/** Begins the field that stands for a file in the body: what is the page's own begins like this. */
const FILE_PREFIX = '_file.'

const files = new WeakMap<FastifyRequest, ReadonlyMap<string, Buffer>>()

/**
 * Reads forms with files, as they come from pages. In the body each file is a hash of its content, so
 * that a form that is sent twice is known again; `fileOf` has the file.
 */
export function acceptMultipartForms(app: FastifyInstance): void {
  app.addContentTypeParser(
    MULTIPART_TYPE,
    async (request: FastifyRequest, payload: IncomingMessage) => {
      const content = await readWholeBody(request, payload)
      const type = request.headers['content-type'] ?? MULTIPART_TYPE
      const { fields, found } = await readForm(content, type)
      files.set(request, found)
      return fields
    },
  )
}

/** A file of a form that was sent; undefined when none was chosen. */
export function fileOf(request: FastifyRequest, name: string): Buffer | undefined {
  return files.get(request)?.get(name)
}

async function readForm(content: Buffer, type: string) {
  const [, , boundary] = BOUNDARY.exec(type) ?? []
  if (boundary === undefined) throw malformed('The form cannot be read.')
  requireFewParts(content, boundary)
  const form = await parsed(content, boundary)
  const fields = new Map<string, string>()
  const found = new Map<string, Buffer>()
  for (const [name, value] of form) {
    if (typeof value === 'string') fields.set(name, value)
    // A browser sends an empty file where none was chosen.
    else if (value.size > 0) {
      const file = Buffer.from(await value.arrayBuffer())
      found.set(name, file)
      fields.set(`${FILE_PREFIX}${name}`, hash('sha256', file))
    }
  }
  return { fields: Object.fromEntries(fields), found }
}

/** Looks for the parts before they are read: 100,000 small ones would take half a second. */
function requireFewParts(content: Buffer, boundary: string): void {
  const delimiter = `--${boundary}`
  let parts = 0
  for (let at = content.indexOf(delimiter); at !== -1; at = content.indexOf(delimiter, at)) {
    at += delimiter.length
    parts += 1
    // The last delimiter begins no part.
    if (parts > PARTS_MAX + 1) throw malformed(`The form has more than ${PARTS_MAX} fields.`)
    if (content.subarray(at, at + END.length).equals(END)) continue
    const head = content.subarray(at, at + HEAD_MAX_BYTES)
    if (!head.includes(HEAD_END)) throw malformed('The form cannot be read.')
  }
}

/** Behind the last delimiter, and between the head of a part and its content. */
const END = Buffer.from('--')
const HEAD_END = '\r\n\r\n'

/** Node reads such a form as `fetch` does. */
async function parsed(content: Buffer, boundary: string): Promise<FormData> {
  try {
    return await new Response(new Uint8Array(content), {
      headers: { 'content-type': `${MULTIPART_TYPE}; boundary="${boundary}"` },
    }).formData()
  } catch {
    throw malformed('The form cannot be read.')
  }
}

function malformed(detail: string): AppError {
  return new AppError('invalid_request', { detail })
}
