import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../http/app-type.ts'
import { addressOfAnswer } from './answers.ts'
import { answerBefore, beginWork, dropWork, keepAnswer } from './sent-form-service.ts'
import type { Answer } from './state.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Whether a form that is sent twice, as by a second click, is acted upon once: both get the
     * answer of the one that came first. For what creates something, shows a secret, uses up what
     * works once, or ends the session.
     */
    actsOnce?: boolean
  }
}

/** What a browser that has dropped the first answer needs from it, beside the address. */
const KEPT_HEADERS = ['set-cookie', 'clear-site-data'] as const

type KeptAnswer = Answer & { headers: Record<string, string | string[]> }

/**
 * Acts once upon a form with `actsOnce`, however often it is sent. Registered after the guards of
 * the scope.
 */
export function actOnce(app: App): void {
  app.addHook('preHandler', async function beginFormOnce(request, reply) {
    const { form } = request.page
    if (form.id === null) return
    const answer = await beginWork(app.deps, form.id)
    if (answer !== undefined) return sendAnswer(request, reply, JSON.parse(answer))
    form.isAtWork = true
  })
  app.addHook('onSend', async function keepFormAnswer(request, reply) {
    const { form, answer } = request.page
    const { id } = form
    if (id === null || !form.isAtWork) return
    form.isAtWork = false
    // A form that was refused, or has failed before its work was done, may be sent again.
    if (answer === null) return dropWork(app.deps, id)
    const kept: KeptAnswer = { ...answer, headers: keptHeaders(reply) }
    await keepAnswer(app.deps, id, JSON.stringify(kept))
  })
}

/** The answer of a form that must not be acted upon any more; undefined when it was not sent before. */
export async function findAnswer({
  page,
  server,
}: FastifyRequest): Promise<KeptAnswer | undefined> {
  if (page.form.id === null) return undefined
  const answer = await answerBefore(server.deps, page.form.id)
  return answer === undefined ? undefined : JSON.parse(answer)
}

/** Answers a form as it was answered before. */
export async function sendAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: KeptAnswer,
): Promise<FastifyReply> {
  return reply.headers(answer.headers).redirect(await addressOfAnswer(request, answer), 303)
}

/** Whether a browser is signed in, or signed out, by an answer. */
export function changesSession({ server }: FastifyRequest, { headers }: KeptAnswer): boolean {
  const cookies = [headers['set-cookie'] ?? []].flat()
  return cookies.some((cookie) => cookie.startsWith(`${server.sessionCookieName}=`))
}

function keptHeaders(reply: FastifyReply): KeptAnswer['headers'] {
  const headers = KEPT_HEADERS.map((name) => [name, reply.getHeader(name)])
  return Object.fromEntries(headers.filter(([, value]) => value !== undefined))
}
