import type { FastifyContextConfig, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { ErrorCode } from '../../errors.ts'
import type { App } from '../../http/app-type.ts'
import { type FormSpec, fieldProblems } from '../kit/fields.ts'
import type { FormProblem } from '../shared/forms/form-problems.ts'
import { type Refusal, refusalOf } from '../shared/forms/refusal.ts'
import { Fields, type FormFields } from '../shared/forms/settings-form.ts'
import type { Secret } from '../shared/page/message-view.ts'
import { redirectBack, redirectDone, redirectLeft, redirectSecret, refuse } from './answers.ts'
import { sentFields } from './sent-form.ts'

/**
 * What a form has done: the page that says so in a sentence or by itself, or shows a secret this
 * once.
 */
export type Done =
  | { path: string; text?: string | undefined }
  | { path: string; secret: Secret; fields?: FormFields }
  | PartlyDone

/** What is left of a form that has done a part of its work, and why: its page shows it again. */
type PartlyDone = { left: FormFields; problems: readonly FormProblem[] }

/** What a form does when it is sent. */
export type FormWork<Params extends z.ZodType> = {
  path: string
  params?: Params
  /** As of now: the configuration may change them, or who is asked. */
  fields?: FormSpec | ((request: FastifyRequest) => FormSpec)
  config?: FastifyContextConfig
  bodyLimit?: number
  /** The errors that are about the form, or what each tells about it; it throws the others. */
  refused: readonly ErrorCode[] | ((error: unknown) => Refusal)
  /** @returns what is wrong with the form, or undefined when it has sent another answer */
  submit(
    request: FastifyRequest<{ Body: FormFields }>,
    typed: FormFields,
    params: z.output<Params>,
    reply: FastifyReply,
  ): Promise<Done | Refusal | undefined>
}

/** The fields of a form for this request. */
export function fieldsOf(
  { fields = {} }: Pick<FormWork<z.ZodType>, 'fields'>,
  request: FastifyRequest,
): FormSpec {
  return typeof fields === 'function' ? fields(request) : fields
}

/**
 * Acts once upon a form that is sent, and answers it with the page that says what was done. A form
 * that is refused is answered with the page at its own address, which another route shows.
 */
export function takeForm<Params extends z.ZodType>(app: App, form: FormWork<Params>): void {
  const { path, params, config, bodyLimit, refused, submit } = form
  const refuseForm = (request: FastifyRequest, reply: FastifyReply, refusal: Refusal) => {
    const sent = sentFields(request)
    const hasSecret = Object.entries(fieldsOf(form, request)).some(
      ([name, { kind }]) => (kind === 'password' || kind === 'secret') && sent.get(name),
    )
    return refuse(request, reply, { ...refusal, hasSecret })
  }
  const post = {
    ...(bodyLimit !== undefined && { bodyLimit }),
    config: { ...config, actsOnce: true },
    schema: { hide: true, body: Fields, ...(params && { params }) },
  }
  app.post(path, post, async (request, reply) => {
    try {
      const done = await submit(request, request.body, request.params as z.output<Params>, reply)
      if (done === undefined) return reply
      if ('left' in done) return await redirectLeft(request, reply, done.left, done.problems)
      if ('problems' in done) return await refuseForm(request, reply, done)
      return 'secret' in done
        ? await redirectSecret(request, reply, done.path, done.secret, done.fields)
        : await redirectDone(request, reply, done.path, done.text)
    } catch (error) {
      const refusal =
        typeof refused === 'function'
          ? refused(error)
          : refusalOf(error, refused, (about) => fieldProblems(fieldsOf(form, request), about))
      return refuseForm(request, reply, refusal)
    }
  })
}

type ButtonForm<Params extends z.ZodType> = Omit<FormWork<Params>, 'refused' | 'fields'> & {
  /** The address of the page that the button is on, by what a sign-in has kept of the form. */
  page(params: z.output<Params>, kept: FormFields | undefined): string
}

/** A form that is but a button of a page: a sign-in that interrupted it leads back to that page. */
export function buttonForm<Params extends z.ZodType>(app: App, form: ButtonForm<Params>): void {
  const { path, params, page } = form
  app.get(path, { schema: { hide: true, ...(params && { params }) } }, async (request, reply) =>
    redirectBack(
      request,
      reply,
      page(request.params as z.output<Params>, request.page.attempt?.typed),
    ),
  )
  takeForm(app, { ...form, config: { ...form.config, formKind: 'button' }, refused: [] })
}
