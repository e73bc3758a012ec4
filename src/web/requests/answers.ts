import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FormProblem } from '../shared/forms/form-problems.ts'
import type { Refusal } from '../shared/forms/refusal.ts'
import { carriedFields, type FormFields, removalOf } from '../shared/forms/settings-form.ts'
import type { Secret } from '../shared/page/message-view.ts'
import { formOfAnother } from './form-of-another.ts'
import type { FormOrigin } from './form-origin.ts'
import {
  dropKeptForm,
  isOfAnother,
  type KeptOwner,
  keepForm,
  readKeptForm,
} from './kept-form-service.ts'
import { leaveNotice } from './notices.ts'
import { OUTCOMES } from './outcomes.ts'
import { showPage } from './page-in-place.ts'
import { addressOf, keptIn, kindOf, pathOf, sentFields } from './sent-form.ts'
import type { Answer, Attempt, Stored } from './state.ts'
import type { Visitor } from './visitor-type.ts'

type NextStep = {
  /** The page's own address unless given. */
  path?: string
  /** Those that were sent unless given. */
  fields?: FormFields
  problems?: readonly FormProblem[]
  /** The status of the page; by default 200 without problems, and 422 with some. */
  status?: number | undefined
}

/**
 * Answers a form whose work is not done with a page that shows what was typed: a further step, the
 * same page with other fields, or another page that takes them where this one cannot. The page can be
 * reloaded and gone back to.
 */
export async function nextStep(
  request: FastifyRequest,
  reply: FastifyReply,
  { path = pathOf(request), fields = sentFields(request), problems = [], status }: NextStep = {},
): Promise<FastifyReply> {
  const stored = {
    fields: [...fields],
    problems: [...problems],
    status: status ?? (problems.length === 0 ? 200 : 422),
  }
  return leadTo(reply, path, await keep(request, path, stored))
}

/**
 * Answers the address of a form that has no page with the page that its button is on, and says there
 * what came of the form.
 */
export function redirectBack(
  request: FastifyRequest,
  reply: FastifyReply,
  path: string,
): FastifyReply {
  const [problem] = request.page.attempt?.problems ?? []
  if (problem !== undefined) leaveNotice(request, reply, path, { text: problem.text })
  return reply.redirect(path, 303)
}

/**
 * Answers a form that was refused: in place, with the page at its address, which shows it again with
 * its problems. A form with passwords or several steps is kept and led to instead.
 *
 * @param refusal `hasSecret`: the form has passwords, where its route does not say so
 */
export async function refuse(
  request: FastifyRequest,
  reply: FastifyReply,
  {
    problems,
    status = 422,
    hasSecret = false,
  }: Partial<Refusal> & Pick<Refusal, 'problems'> & { hasSecret?: boolean },
): Promise<FastifyReply> {
  const { waits } = OUTCOMES.refused[hasSecret ? 'secret' : kindOf(request)]
  if (waits) return nextStep(request, reply, { problems, status })
  request.page.attempt = {
    id: undefined,
    path: pathOf(request),
    typed: sentFields(request),
    problems,
    status,
    secret: undefined,
  }
  return showPage(request, reply)
}

/**
 * What the page shows again, with its status, which the reply gets; undefined when it is opened for the
 * first time.
 */
export function readAttempt(
  { page: { attempt } }: FastifyRequest,
  reply: FastifyReply,
): { typed: FormFields; problems: readonly FormProblem[]; status: number } | undefined {
  if (attempt === null || attempt.secret !== undefined) return undefined
  const { typed, problems, status } = attempt
  reply.code(status)
  return { typed, problems, status }
}

/**
 * Answers a form that has done its work: with another page, which says so this once.
 *
 * @param text left out where the page shows by itself that it is done
 */
export async function redirectDone(
  request: FastifyRequest,
  reply: FastifyReply,
  path: string,
  text?: string,
): Promise<FastifyReply> {
  // Known before anything can fail: what is done is not done again.
  request.page.answer = text === undefined ? { path } : { path, text }
  await forget(request)
  if (text !== undefined) leaveNotice(request, reply, path, { text })
  return reply.redirect(path, 303)
}

/** Answers a form that has done a part of its work with its page, which shows what is left of it. */
export async function redirectLeft(
  request: FastifyRequest,
  reply: FastifyReply,
  fields: FormFields,
  problems: readonly FormProblem[],
): Promise<FastifyReply> {
  const stored = { fields: [...fields], problems: [...problems], status: 200 }
  request.page.answer = { path: pathOf(request), stored }
  await forget(request)
  return reply.redirect(await addressOfAnswer(request, request.page.answer), 303)
}

/** Leads to a page with a password that it shows once, and the fields that it needs beside it. */
export async function redirectSecret(
  request: FastifyRequest,
  reply: FastifyReply,
  path: string,
  secret: Secret,
  fields: FormFields = new Map(),
): Promise<FastifyReply> {
  if (!request.routeOptions.config.actsOnce) throw new Error('a second click would lose the secret')
  request.page.answer = { path, stored: { secret, fields: [...fields] } }
  await forget(request)
  return reply.redirect(await addressOfAnswer(request, request.page.answer), 303)
}

/** Where an answer leads: to a secret by an address that shows it once, or to a further step. */
export async function addressOfAnswer(
  request: FastifyRequest,
  { path, stored }: Answer,
): Promise<string> {
  if (stored === undefined) return path
  const once = stored.secret !== undefined
  return addressOf(path, await keep(request, path, stored, { once }))
}

/**
 * Reads what the address of a page names, if it is the visitor's.
 *
 * @throws AppError conflict when it is another user's
 */
export async function readKept(request: FastifyRequest): Promise<void> {
  const { page, method, server, url } = request
  const { visitor } = page
  const id = keptIn(url)
  if (visitor === null || method !== 'GET' || id === undefined) return
  const owner = keptOwner(visitor)
  request.page.attempt = await read(request, owner, pathOf(request), id)
  if (request.page.attempt === null && (await isOfAnother(server.deps, owner, id))) {
    throw formOfAnother(visitor.name, url)
  }
}

/**
 * Adds to a form what its page did not show, such as passwords from an earlier step: all fields
 * that the page names as carried along and that were neither entered again nor removed.
 */
export async function carryOver(request: FastifyRequest): Promise<void> {
  const { body, page } = request
  const { origin: formOrigin } = page.form
  if (!formOrigin?.kept || typeof body !== 'object' || body === null) return
  const form = body as Record<string, unknown>
  const names = carriedFields(form)
  if (names.length === 0) return
  const owner = keptOwnerOf(formOrigin)
  const { path, id } = formOrigin.kept
  const kept = await read(request, owner, path, id)
  for (const name of names) {
    const value = kept?.typed.get(name)
    if (value && !form[name] && form[removalOf(name)] === undefined) form[name] = value
  }
}

async function keep(
  request: FastifyRequest,
  path: string,
  stored: Stored,
  options?: { once: boolean },
): Promise<string> {
  const { page, server } = request
  const { visitor, form } = page
  const owner = visitor ? keptOwner(visitor) : form.origin && keptOwnerOf(form.origin)
  if (!owner) throw new Error('the page has no guard for visitors')
  return keepForm(server.deps, owner, path, JSON.stringify(stored), options)
}

async function read(
  { server }: FastifyRequest,
  owner: KeptOwner,
  path: string,
  id: string,
): Promise<Attempt | null> {
  const text = await readKeptForm(server.deps, owner, path, id)
  if (text === undefined) return null
  const { fields = [], problems = [], status = 200, secret } = JSON.parse(text) as Stored
  return { id, path, typed: new Map(fields), problems, status, secret }
}

async function forget(request: FastifyRequest): Promise<void> {
  const { server, page } = request
  const { origin: formOrigin } = page.form
  if (!formOrigin?.kept) return
  await dropKeptForm(server.deps, keptOwnerOf(formOrigin), formOrigin.kept.id)
}

/** Whose a form is that says where it comes from. */
export function keptOwnerOf({ ownerId, developer }: FormOrigin): KeptOwner {
  return { id: ownerId, developerId: developer?.id }
}

/** Whose forms a visitor's are: the user's own, in the developer console for one developer. */
function keptOwner({ id, principal }: Visitor): KeptOwner {
  return { id, developerId: principal?.developerId }
}

function leadTo(reply: FastifyReply, path: string, id: string): FastifyReply {
  return reply.redirect(addressOf(path, id), 303)
}
