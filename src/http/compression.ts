import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  CODINGS,
  type Coding,
  chooseCoding,
  compress,
  isCompressible,
} from '../base/compression/content-coding.ts'
import { LONG_CHARACTERS, nextTick } from '../base/fair-share/next-tick.ts'
import { createByteCache } from '../base/values/byte-cache.ts'
import type { App } from './app-type.ts'
import { isBodyless } from './bodies/body-coding.ts'
import { withoutItsHeaders } from './bodies/long-answers.ts'
import { stateOf } from './observability/request-state.ts'
import { isFromOwnSite } from './security.ts'

/**
 * The size of the cache of answers that are the same for everybody (documentation, catalogue,
 * assets), in all codings together.
 */
const CACHE_BYTES = 8 * 1024 * 1024

const COMPRESSED_TYPES = /^(?:text\/|image\/svg\+xml|application\/(?:problem\+)?json)/
/** The end of an ETag that names a content coding. */
const CODED_END = /-(?:br|gzip)"/g

/** The coded content that an ETag stands for. */
type CodedAnswers = (tag: string, body: Buffer, coding: Coding) => Promise<Buffer>

declare module 'fastify' {
  interface FastifyInstance {
    codedAnswers: CodedAnswers
  }
}

/** The `If-None-Match` of each request whose ETags named content codings. */
const conditions = new WeakMap<FastifyRequest, string>()

/**
 * Compresses what the routes of this scope answer, in Node's thread pool. Ours because
 * `@fastify/compress` keeps no answer, lets no callers take turns and knows none of these rules. An
 * answer that is the same for everybody is compressed once.
 *
 * These answers are sent uncompressed:
 * - a page that another site has asked for: its address may hold the other site's guess at what
 *   else is in the page, and the length would tell whether it was right (BREACH)
 * - what says `no-transform`, as pages that show a secret do
 * - a record whose ETag is its revision, which `If-Match` takes: the ETag of each coding would be
 *   another one (RFC 9110, 8.8.3.3). Where the ETag is a hash of the content, it gets the coding's
 *   name.
 */
export function compressAnswers(app: App): void {
  // Set on each route: it must run after the hooks of a scope, which make the ETag, and before the
  // hook of HEAD routes, which removes the body.
  app.addHook('onRoute', function compressOnRoute(route) {
    route.onSend = [send, ...[route.onSend ?? []].flat()]
    if (route.config?.audience !== 'public' || !isBodyless(route)) return
    route.onRequest = [readUncodedCondition, ...[route.onRequest ?? []].flat()]
  })

  function readUncodedCondition(request: FastifyRequest, _reply: unknown, done: () => void): void {
    const condition = request.headers['if-none-match']
    if (condition !== undefined) {
      conditions.set(request, condition)
      request.headers['if-none-match'] = condition.replaceAll(CODED_END, '"')
    }
    done()
  }

  function send(
    request: FastifyRequest,
    reply: FastifyReply,
    payload: unknown,
    done: (error: Error | null, payload?: unknown) => void,
  ): void {
    if (reply.statusCode === 304) nameKnownTag(request, reply)
    if (typeof payload === 'string') {
      // Bytes are often the same for many requests.
      try {
        stateOf(request).deadline?.hold?.(payload.length, { isAnswer: true })
      } catch (error) {
        withoutItsHeaders(reply)
        done(error as Error)
        return
      }
    }
    const body = bodyOf(payload)
    const coding = body && codingFor(request, reply, body)
    if (body === undefined || coding === undefined) {
      if (typeof payload !== 'string' || payload.length < LONG_CHARACTERS) done(null, payload)
      else nextTick().then(() => done(null, body), done)
      return
    }
    const tag = reply.getHeader('etag')
    const known =
      typeof tag === 'string' ? request.server.codedAnswers(tag, body, coding) : undefined
    ;(known ?? compress(body, coding, () => !reply.raw.destroyed)).then(
      (compressed) => {
        reply.header('content-encoding', coding).removeHeader('content-length')
        if (typeof tag === 'string') reply.header('etag', tagOf(tag, coding))
        done(null, compressed)
      },
      () => done(null, payload),
    )
  }
}

function isPublic({ routeOptions }: FastifyRequest): boolean {
  return routeOptions.config.audience === 'public'
}

function bodyOf(payload: unknown): Buffer | undefined {
  if (typeof payload === 'string') return Buffer.from(payload)
  return Buffer.isBuffer(payload) ? payload : undefined
}

function codingFor(request: FastifyRequest, reply: FastifyReply, body: Buffer): Coding | undefined {
  const isCoded = reply.hasHeader('content-encoding')
  if (isCoded || !COMPRESSED_TYPES.test(String(reply.getHeader('content-type')))) return undefined
  addVary(reply)
  return isCompressible(body) && mayBeCompressed(request, reply)
    ? chooseCoding(request.headers['accept-encoding'])
    : undefined
}

function mayBeCompressed(request: FastifyRequest, reply: FastifyReply): boolean {
  if (String(reply.getHeader('cache-control')).includes('no-transform')) return false
  if (reply.hasHeader('etag')) return isPublic(request)
  return request.routeOptions.config.audience !== 'browser' || isFromOwnSite(request)
}

function addVary(reply: FastifyReply): void {
  const vary = String(reply.getHeader('vary') ?? '')
  reply.header('vary', vary === '' ? 'Accept-Encoding' : `${vary}, Accept-Encoding`)
}

function tagOf(tag: string, coding: Coding): string {
  return tag.replace(/"$/, `-${coding}"`)
}

/** A 304 carries the ETag that the client has. */
function nameKnownTag(request: FastifyRequest, reply: FastifyReply): void {
  const tag = reply.getHeader('etag')
  const condition = conditions.get(request)
  if (typeof tag !== 'string' || condition === undefined) return
  addVary(reply)
  const known = CODINGS.map((coding) => tagOf(tag, coding)).find((one) => condition.includes(one))
  if (known !== undefined) reply.header('etag', known)
}

/** Makes the store of answers in their codings: each is made once, however many ask together. */
export function createCodedAnswers(): CodedAnswers {
  const known = createByteCache<Promise<Buffer>>(CACHE_BYTES)
  return (tag, body, coding) => {
    const key = tagOf(tag, coding)
    const found = known.get(key)
    if (found !== undefined) return found
    const made = compress(body, coding)
    known.set(key, made, 0)
    made.then(
      (compressed) => known.grow(key, made, compressed.buffer.byteLength),
      () => {},
    )
    return made
  }
}
