import type { FastifyContextConfig, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { ErrorCode } from '../../errors.ts'
import type { App } from '../../http/app-type.ts'
import { sendPage } from '../../http/send-page.ts'
import { type FormSpec, fieldProblems } from '../kit/fields.ts'
import { formView } from '../kit/form-view.ts'
import { framePage, nearest, type Place, type Shown } from '../kit/frame.ts'
import { problemsOn, UNTOUCHED } from '../shared/forms/form-problems.ts'
import { type Refusal, refusalOf } from '../shared/forms/refusal.ts'
import { Fields, type FormFields } from '../shared/forms/settings-form.ts'
import { type Html, html } from '../shared/page/html.ts'
import type { Secret } from '../shared/page/message-view.ts'
import { readAttempt, redirectDone, redirectSecret, refuse } from './answers.ts'
import { takeNotice } from './notices.ts'
import { sentFields } from './sent-form.ts'
import { visitorShell } from './visitor.ts'

/** What a page says around its form. */
type FormShown = Omit<Shown, 'content' | 'layout'> & {
  /** Before the form, and after it. */
  above?: Html | false | ((csrfToken: string) => Html)
  /** In the form after its fields: what is no field of the kit, such as the settings of an app. */
  inside?: Html
  /** Whether the form is a column of cards, and none itself. */
  holdsCards?: true
  below?: (csrfToken: string) => Html
  /** What its button says; without it the page has no form. */
  button?: string
  kind?: 'primary' | 'danger'
  /** Before its fields, such as the name for password managers. */
  intro?: Html
  /** What else goes along with the form. */
  hidden?: Readonly<Record<string, string>>
  /** Whether what was wrong with the form does not matter any more. */
  isPast?: boolean
  /** Its fields, where they depend on the visitor. */
  fields?: FormSpec
  /** What the form shows before anybody has typed: what is stored. */
  stored?: FormFields
  send?: Parameters<typeof sendPage>[2]
}

/** A form that was refused: what was typed into it, what is wrong with it, and the status. */
export type RefusedForm = NonNullable<ReturnType<typeof readAttempt>>

/**
 * What a form has done: the page that says so in a sentence or by itself, or shows a secret this
 * once.
 */
export type Done =
  | { path: string; text?: string | undefined }
  | { path: string; secret: Secret; fields?: FormFields }

export type FormPage<Params extends z.ZodType> = {
  path: string
  /** Other addresses of the page: its form goes to `path` only. */
  shownAt?: readonly string[]
  params?: Params
  place: Place
  /** As of now: the configuration may change them, or who is asked. */
  fields: FormSpec | ((request: FastifyRequest) => FormSpec)
  config?: FastifyContextConfig
  bodyLimit?: number
  /** The errors that are about the form, or what each tells about it; it throws the others. */
  refused: readonly ErrorCode[] | ((error: unknown) => Refusal)
  /**
   * @param typed of a form that was refused, or of the address
   * @returns undefined when it has sent another answer
   */
  page(
    request: FastifyRequest<{ Querystring: FormFields }>,
    typed: FormFields,
    reply: FastifyReply,
    params: z.output<Params>,
    again: RefusedForm | undefined,
  ): Promise<FormShown | undefined>
  /** @returns what is wrong with the form, or undefined when it has sent another answer */
  submit(
    request: FastifyRequest<{ Body: FormFields }>,
    typed: FormFields,
    params: z.output<Params>,
    reply: FastifyReply,
  ): Promise<Done | Refusal | undefined>
}

/** A page with one form: shown, shown again with what is wrong with it, and acted upon once. */
export function formPage<Params extends z.ZodType>(app: App, form: FormPage<Params>): void {
  const { path, place, refused, config, bodyLimit, shownAt = [] } = form
  const spec = (request: FastifyRequest) =>
    typeof form.fields === 'function' ? form.fields(request) : form.fields
  const schema = { hide: true, ...(form.params && { params: form.params }) }
  type PageRequest = FastifyRequest<{ Querystring: FormFields }>
  const sendForm = async (request: PageRequest, reply: FastifyReply) => {
    const again = readAttempt(request, reply)
    const asked = request.page.attempt?.typed ?? request.query
    const params = request.params as z.output<Params>
    const shown = await form.page(request, asked, reply, params, again)
    if (shown === undefined) return reply
    const { above } = shown
    const shell = visitorShell(request, reply)
    const message = request.page.attempt?.secret ?? takeNotice(request, reply)?.text
    const attempt = again ?? { ...UNTOUCHED, typed: shown.stored ?? UNTOUCHED.typed }
    const action = shownAt.length > 0 ? path : (request.url.split('?', 1)[0] ?? path)
    const content = html`${typeof above === 'function' ? above(shell.csrfToken) : above}${
      shown.button !== undefined &&
      formView(
        {
          ...shown,
          back: nearest(shown.back),
          button: shown.button,
          action,
          csrfToken: shell.csrfToken,
        },
        shown.fields ?? spec(request),
        attempt,
      )
    }${shown.below?.(shell.csrfToken)}`
    const found = shown.isPast ? [] : attempt.problems
    const isWhole = shown.inside === undefined && shown.button !== undefined
    const problems = isWhole ? found : problemsOn(content, found)
    return sendPage(
      reply,
      framePage(place, { ...shell, problems, message }, { layout: 'form', ...shown, content }),
      shown.send,
    )
  }
  for (const address of [path, ...shownAt]) {
    app.get(address, { schema: { ...schema, querystring: Fields } }, sendForm)
  }

  const refuseForm = (request: FastifyRequest, reply: FastifyReply, refusal: Refusal) => {
    const sent = sentFields(request)
    const fields = Object.entries(spec(request))
    const hasSecret = fields.some(
      ([name, { kind }]) => (kind === 'password' || kind === 'secret') && sent.get(name),
    )
    return refuse(request, reply, { ...refusal, hasSecret })
  }
  const post = {
    ...(bodyLimit === undefined ? {} : { bodyLimit }),
    config: { ...config, actsOnce: true },
    schema: { ...schema, body: Fields },
  }
  app.post(path, post, async (request, reply) => {
    try {
      const params = request.params as z.output<Params>
      const done = await form.submit(request, request.body, params, reply)
      if (done === undefined) return reply
      if ('problems' in done) return await refuseForm(request, reply, done)
      return 'secret' in done
        ? await redirectSecret(request, reply, done.path, done.secret, done.fields)
        : await redirectDone(request, reply, done.path, done.text)
    } catch (error) {
      const refusal =
        typeof refused === 'function'
          ? refused(error)
          : refusalOf(error, refused, (about) => fieldProblems(spec(request), about))
      return refuseForm(request, reply, refusal)
    }
  })
}
