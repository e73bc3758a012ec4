import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { receiverAddress } from '../../demo/receiver-address.ts'
import type { App } from '../../http/app-type.ts'
import { sendPage } from '../../http/send-page.ts'
import { SecretBoxError } from '../../secrets/secret-box.ts'
import { AppPath } from '../../values/app-path.ts'
import { pageCookieName, pageCookieOptions } from '../plumbing/page-cookies.ts'
import { anyVisitorShell } from '../plumbing/visitor.ts'
import { codeReceiverPage, emptyReceiverPage, receiverPage } from './receiver-page.ts'
import { RECEIVER_CALLS, type Received, type ReceiverCall } from './receiver-shown.ts'

const COOKIE = 'demo-receiver'
/** As long as a token of the redirect lives unless the operator says otherwise. */
const KEPT_SECONDS = 900
/** No token of ours is longer. */
const TOKEN_MAX_LENGTH = 2048
/** A cookie has to hold it beside the token. */
const STATE_MAX_LENGTH = 200

const ReceiverQuery = z.looseObject({
  token: z.string().max(TOKEN_MAX_LENGTH).optional(),
  state: z.string().optional(),
  /** Of an app that takes codes. */
  code: z.string().optional(),
})

/**
 * The demo receiver: what an app has at its return address. It takes the token out of the address
 * at once, then shows what the token says and what it opens. Only a demo marketplace has one.
 */
export async function receiverRoutes(app: App) {
  const { config, secrets } = app.deps
  if (!config.demo) return
  const cookieName = pageCookieName(app, COOKIE)
  const schema = { hide: true, params: AppPath, querystring: ReceiverQuery }

  app.get('/Demo/Receiver/:appId', { exposeHeadRoute: false, schema }, (request, reply) => {
    const { appId } = request.params
    const { token, state, code } = request.query
    if (token === undefined && code !== undefined) {
      const shell = { ...anyVisitorShell(request as FastifyRequest, reply), appId }
      return sendPage(reply, codeReceiverPage({ ...shell, baseUrl: config.publicUrl }))
    }
    if (token === undefined) return show(request as FastifyRequest, reply, appId)
    const received: Received = { token, state: state?.slice(0, STATE_MAX_LENGTH) }
    const sealed = secrets.encrypt(Buffer.from(JSON.stringify(received)), contextOf(appId))
    return reply
      .headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
      .setCookie(cookieName, sealed.toString('base64url'), {
        ...pageCookieOptions(app),
        maxAge: KEPT_SECONDS,
      })
      .redirect(`/Demo/Receiver/${encodeURIComponent(appId)}`, 303)
  })

  async function show(request: FastifyRequest, reply: FastifyReply, appId: string) {
    const shell = { ...anyVisitorShell(request, reply), appId, baseUrl: config.publicUrl }
    const received = takenFrom(request.cookies[cookieName], appId)
    if (received === undefined) return sendPage(reply, emptyReceiverPage(shell))
    const calls: ReceiverCall[] = []
    for (const one of RECEIVER_CALLS) calls.push(await call(one, received.token, request.ip))
    const address = receiverAddress(config.publicUrl, appId)
    return sendPage(reply, receiverPage({ ...shell, received, calls, address }))
  }

  /** Asks the API as an app would: through everything that a request passes. */
  async function call(
    one: (typeof RECEIVER_CALLS)[number],
    token: string,
    remoteAddress: string,
  ): Promise<ReceiverCall> {
    const headers = { authorization: `Bearer ${token}` }
    const answer = await app.inject({ method: 'GET', url: one.path, headers, remoteAddress })
    return { ...one, status: answer.statusCode, body: answer.body }
  }

  function takenFrom(sealed: string | undefined, appId: string): Received | undefined {
    if (sealed === undefined) return undefined
    try {
      const content = secrets.decrypt(Buffer.from(sealed, 'base64url'), contextOf(appId))
      return JSON.parse(content.toString('utf8')) as Received
    } catch (error) {
      // Of another app, or made up.
      if (error instanceof SecretBoxError) return undefined
      throw error
    }
  }
}

function contextOf(appId: string): string {
  return `demo receiver:${appId}`
}
