import { Readable } from 'node:stream'
import type { onSendHookHandler } from 'fastify'
import type { App } from '../app-type.ts'

/**
 * Lets HEAD answer 304 without a length: a length of 0 would be that of another response than the
 * client has (RFC 9110, 8.6).
 */
export function answerNotModifiedToHead(app: App): void {
  app.addHook('onRoute', function keepLengthUnsaidOnHead(route) {
    if (route.method !== 'HEAD') return
    route.onSend = [keepLengthUnsaid, ...[route.onSend ?? []].flat()]
  })
}

/** Fastify's own hook of HEAD, which is the last, sets a length for all but streams, and fails on null. */
const keepLengthUnsaid: onSendHookHandler = (_request, reply, payload, done) => {
  done(null, reply.statusCode === 304 ? Readable.from([]) : payload)
}
