import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { type SecretBox, SecretBoxError } from '../../base/secrets/secret-box.ts'
import { AppPath } from '../../base/values/app-path.ts'
import { AppError } from '../../errors.ts'
import type { App } from '../../http/app-type.ts'
import { clientAddress } from '../../http/client-address.ts'
import { sendPage } from '../../http/send-page.ts'
import { issuerOfApp } from '../../marketplace/oauth/server-metadata.ts'
import { pageCookieName, pageCookieOptions } from '../../web/requests/page-cookies.ts'
import { anyVisitorShell } from '../../web/requests/visitor.ts'
import {
  answerProblem,
  type Begun,
  codeRequestPath,
  exchangeForm,
  newBegin,
  type RedirectAnswer,
} from './receiver-code.ts'
import { emptyReceiverPage, receiverPage, refusedReceiverPage } from './receiver-page.ts'
import { readReceiverApp } from './receiver-service.ts'
import { RECEIVER_CALLS, type Received, type ReceiverCall } from './receiver-shown.ts'

/** The default lifetime of tokens from the redirect. */
const KEPT_SECONDS = 900
/** How long a user has to sign in and to choose an account. */
const BEGUN_SECONDS = 600
/** Our tokens are never longer. */
const TOKEN_MAX_LENGTH = 2048
/** The state has to fit into the cookie beside the token. */
const STATE_MAX_LENGTH = 200
const NEVER_KEPT = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }

const short = z.string().max(TOKEN_MAX_LENGTH).optional()
const ReceiverQuery = z.looseObject({
  token: short,
  state: z.string().optional(),
  code: short,
  iss: short,
  error: short,
  error_description: short,
})

/**
 * The demo receiver shows what an app does at its return address. It takes the token out of the
 * address at once, or exchanges the code for one, and then shows what the token says and opens.
 * Only a demo marketplace has it.
 */
export async function receiverRoutes(app: App) {
  const { config, secrets } = app.deps
  if (!config.demo) return
  const tokenCookie = pageCookieName(app, 'demo-receiver')
  const begunCookie = pageCookieName(app, 'demo-receiver-begun')
  const path = '/Demo/Receiver/:appId'
  const schema = { hide: true, params: AppPath, querystring: ReceiverQuery }

  app.get(path, { exposeHeadRoute: false, schema }, (request, reply) => {
    const { appId } = request.params
    const { token, state, code, error } = request.query
    if (token !== undefined) {
      return keep(reply, appId, { token, state: state?.slice(0, STATE_MAX_LENGTH) })
    }
    const isAnswer = code !== undefined || error !== undefined
    return isAnswer ? takeAnswer(request, reply, appId, request.query) : show(request, reply, appId)
  })

  /** Begins a sign-in with a code, as the front end of an app does. */
  app.get(
    `${path}/Start`,
    { exposeHeadRoute: false, schema: { hide: true, params: AppPath } },
    async (request, reply) => {
      const { appId } = request.params
      const own = await readReceiverApp(app.deps, appId)
      if (own === undefined) throw new AppError('not_found')
      const begun = newBegin()
      return reply
        .headers(NEVER_KEPT)
        .setCookie(begunCookie, seal(secrets, begun, begunContext(appId)), {
          ...pageCookieOptions(app),
          maxAge: BEGUN_SECONDS,
        })
        .redirect(codeRequestPath(appId, own, begun), 303)
    },
  )

  async function takeAnswer(
    request: FastifyRequest,
    reply: FastifyReply,
    appId: string,
    answer: RedirectAnswer,
  ) {
    const begun = unseal<Begun>(secrets, request.cookies[begunCookie], begunContext(appId))
    reply.clearCookie(begunCookie, pageCookieOptions(app))
    const own = await readReceiverApp(app.deps, appId)
    const problem = answerProblem(answer, begun, issuerOfApp(config.publicUrl, appId))
    if (problem !== undefined || begun === undefined || own === undefined) {
      const reason = problem ?? 'The return address of the app has changed since.'
      return refuse(request, reply, appId, { reason })
    }
    const { statusCode: status, body } = await app.inject({
      method: 'POST',
      url: '/oauth/token',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: exchangeForm(own, begun, answer.code ?? ''),
      remoteAddress: clientAddress(request),
    })
    if (status !== 200) {
      return refuse(request, reply, appId, {
        reason: 'The marketplace did not exchange the code.',
        response: { status, body },
      })
    }
    const { access_token: token } = JSON.parse(body) as { access_token: string }
    return keep(reply, appId, { token, state: begun.state, clientId: own.clientId })
  }

  /**
   * Keeps a token in a cookie that only this server reads, and redirects to an address without it.
   */
  function keep(reply: FastifyReply, appId: string, received: Received) {
    return reply
      .headers(NEVER_KEPT)
      .setCookie(tokenCookie, seal(secrets, received, tokenContext(appId)), {
        ...pageCookieOptions(app),
        maxAge: KEPT_SECONDS,
      })
      .redirect(`/Demo/Receiver/${encodeURIComponent(appId)}`, 303)
  }

  async function show(request: FastifyRequest, reply: FastifyReply, appId: string) {
    const shell = await shellOf(request, reply, appId)
    const received = unseal<Received>(secrets, request.cookies[tokenCookie], tokenContext(appId))
    if (received === undefined) return sendPage(reply, emptyReceiverPage(shell))
    const address = clientAddress(request)
    const calls: ReceiverCall[] = []
    for (const one of RECEIVER_CALLS) calls.push(await call(one, received.token, address))
    return sendPage(reply, receiverPage({ ...shell, received, calls }))
  }

  async function refuse(
    request: FastifyRequest,
    reply: FastifyReply,
    appId: string,
    refusal: { reason: string; response?: { status: number; body: string } },
  ) {
    const shell = await shellOf(request, reply, appId)
    return sendPage(reply.code(400), refusedReceiverPage({ ...shell, ...refusal }))
  }

  async function shellOf(request: FastifyRequest, reply: FastifyReply, appId: string) {
    const visitor = anyVisitorShell(request, reply)
    const own = await readReceiverApp(app.deps, appId)
    return { ...visitor, appId, baseUrl: config.publicUrl, own }
  }

  /** Calls the API as an app would, through every check that a request passes. */
  async function call(
    one: (typeof RECEIVER_CALLS)[number],
    token: string,
    remoteAddress: string,
  ): Promise<ReceiverCall> {
    const headers = { authorization: `Bearer ${token}` }
    const answer = await app.inject({ method: 'GET', url: one.path, headers, remoteAddress })
    return { ...one, status: answer.statusCode, body: answer.body }
  }
}

function tokenContext(appId: string): string {
  return `demo receiver:${appId}`
}

function begunContext(appId: string): string {
  return `demo receiver has begun:${appId}`
}

/**
 * Encrypts a value as the text of a cookie that only this server can read, and only in its context.
 */
function seal(secrets: SecretBox, value: unknown, context: string): string {
  return secrets.encrypt(Buffer.from(JSON.stringify(value)), context).toString('base64url')
}

/** Decrypts a cookie; undefined when there is none or when it was sealed in another context. */
function unseal<Value>(
  secrets: SecretBox,
  sealed: string | undefined,
  context: string,
): Value | undefined {
  if (sealed === undefined) return undefined
  try {
    const content = secrets.decrypt(Buffer.from(sealed, 'base64url'), context)
    return JSON.parse(content.toString('utf8')) as Value
  } catch (error) {
    // The cookie is another app's, or was made up.
    if (error instanceof SecretBoxError) return undefined
    throw error
  }
}
