import type { FastifyReply, FastifyRequest } from 'fastify'
import { hold } from '../../base/fair-share/deadline.ts'
import { nextTick } from '../../base/fair-share/next-tick.ts'
import { matchingTag } from '../../base/values/etags.ts'
import { stateOf } from '../observability/request-state.ts'

/** A file that a developer uploaded. */
type StoredDocument = { fileName: string; mediaType: string; read(): Promise<Buffer> }

/** Answers a file that a developer uploaded. Whatever it holds, a browser only saves it. */
export async function sendDocument(
  reply: FastifyReply,
  { fileName, mediaType, read }: StoredDocument,
  headers: Record<string, string> = {},
): Promise<FastifyReply> {
  const content = await read()
  hold(content.length, { isAnswer: true })
  // The socket copies megabytes: each document is sent in a tick of its own.
  await nextTick()
  return setDocumentHeaders(reply, fileName)
    .headers(headers)
    .type(mediaType.startsWith('text/') ? `${mediaType}; charset=utf-8` : mediaType)
    .send(content)
}

/** Answers a document with its hash as `ETag`: one that the client has is 304, and is not read. */
export async function sendKnownDocument(
  request: FastifyRequest,
  reply: FastifyReply,
  { sha256, ...document }: StoredDocument & { sha256: string },
): Promise<FastifyReply> {
  const etag = `"${sha256}"`
  const headers = {
    etag,
    // A caller with a token may see what others may not, and names the ETag in `If-Match`.
    'cache-control':
      stateOf(request).principal === null ? 'no-cache' : 'private, no-cache, no-transform',
  }
  const isKnown = matchingTag(request.headers['if-none-match'] ?? '', [etag]) !== undefined
  return isKnown
    ? setDocumentHeaders(reply, document.fileName).headers(headers).code(304).send()
    : sendDocument(reply, document, headers)
}

function setDocumentHeaders(reply: FastifyReply, fileName: string): FastifyReply {
  return reply.headers({
    'content-disposition': `attachment; filename="${fileName}"`,
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  })
}
