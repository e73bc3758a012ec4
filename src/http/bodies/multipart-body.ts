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
  const form = await parsed(content, type)
  const fields = new Map<string, string>()
  const found = new Map<string, Buffer>()
  let parts = 0
  for (const [name, value] of form) {
    parts += 1
    if (parts > PARTS_MAX) throw malformed(`The form has more than ${PARTS_MAX} fields.`)
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

/** Node reads such a form as `fetch` does. */
async function parsed(content: Buffer, type: string): Promise<FormData> {
  try {
    return await new Response(new Uint8Array(content), {
      headers: { 'content-type': type },
    }).formData()
  } catch {
    throw malformed('The form cannot be read.')
  }
}

function malformed(detail: string): AppError {
  return new AppError('invalid_request', { detail })
}
