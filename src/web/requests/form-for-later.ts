import type { FastifyReply, FastifyRequest } from 'fastify'
import { changesSession, findAnswer, sendAnswer } from './act-once.ts'
import { addressOfAnswer, keptOwnerOf } from './answers.ts'
import { findKeptForm, type KeptOwner, keepForm } from './kept-form-service.ts'
import { leaveNotice } from './notices.ts'
import { type FormEvent, OUTCOMES } from './outcomes.ts'
import { addressOf, keptIn, kindOf, pathOf, sentFields } from './sent-form.ts'

const SESSION_ENDED = 'Your session has ended.'

/**
 * Sends somebody to the sign-in and from there back. What was typed into a form waits there,
 * sealed for the one whose form it was; nothing is done with it until it is sent again. A form that
 * was acted upon already leads to what it has done: at once where that itself has ended the session.
 */
export async function askToSignIn(
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const isForm = request.method === 'POST'
  const answer = await findAnswer(request)
  if (answer !== undefined && changesSession(request, answer)) {
    return sendAnswer(request, reply, answer)
  }
  const next = answer
    ? await addressOfAnswer(request, answer)
    : isForm
      ? await keptForLater(request, 'session ended')
      : request.url
  if (isForm || request.cookies[request.server.sessionCookieName] !== undefined) {
    const text = `${answer?.text ?? SESSION_ENDED} Sign in again to continue.`
    leaveNotice(request, reply, '/login', { text })
  }
  return reply.redirect(`/login?next=${encodeURIComponent(next)}`, 303)
}

/** Sends a visitor to a page that asks for another code, and from there back, likewise. */
export async function askToConfirm(
  request: FastifyRequest,
  reply: FastifyReply,
  confirmPath: string,
): Promise<FastifyReply> {
  const next = await keptForLater(request, 'factor too old')
  return reply.redirect(`${confirmPath}?next=${encodeURIComponent(next)}`, 303)
}

/** The address of the choice of a developer, and from there back, likewise. */
export async function choiceOfDeveloper(request: FastifyRequest): Promise<string> {
  const next =
    request.method === 'POST' ? await keptForLater(request, 'other developer') : request.url
  return `/Developer/Choose?next=${encodeURIComponent(next)}`
}

/** Whether an address shows again what its owner has typed. */
export async function showsKept(
  { server }: FastifyRequest,
  owner: KeptOwner,
  address: string,
): Promise<boolean> {
  const id = keptIn(address)
  const [path = ''] = address.split('?', 1)
  return id !== undefined && (await findKeptForm(server.deps, owner, path, id)) !== undefined
}

/** The address that shows again what was typed, and says that nothing has been done with it. */
async function keptForLater(request: FastifyRequest, event: FormEvent): Promise<string> {
  const path = pathOf(request)
  const { origin: formOrigin } = request.page.form
  if (formOrigin === null) return path
  const fields = [...sentFields(request)]
  const { says: text = '' } = OUTCOMES[event][kindOf(request)]
  const owner = keptOwnerOf(formOrigin)
  const stored = { fields, problems: [{ field: undefined, text }], status: 200 }
  return addressOf(path, await keepForm(request.server.deps, owner, path, JSON.stringify(stored)))
}
