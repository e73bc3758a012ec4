import type { FastifyContextConfig, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { ErrorCode } from '../../errors.ts'
import type { App } from '../../http/app-type.ts'
import { sendPage } from '../../http/send-page.ts'
import { type FormSpec, fieldProblems } from '../kit/fields.ts'
import { formView } from '../kit/form-view.ts'
import { framePage, type Place, type Shown } from '../kit/frame.ts'
import { UNTOUCHED } from '../shared/forms/form-problems.ts'
import { refusalOf } from '../shared/forms/refusal.ts'
import { Fields, type FormFields } from '../shared/forms/settings-form.ts'
import { type Html, html } from '../shared/page/html.ts'
import type { Secret } from '../shared/page/message-view.ts'
import { readAttempt, redirectDone, redirectSecret, refuse } from './kept-forms.ts'
import { takeNotice } from './notices.ts'
import { visitorShell } from './visitor.ts'

/** What a page says around its form. */
type FormShown = Omit<Shown, 'content' | 'layout'> & {
  back: { href: string; label: string }
  /** Before the form, and after it. */
  above?: Html | false
  below?: (csrfToken: string) => Html
  /** What its button says; without it the page has no form. */
  button?: string
  kind?: 'primary' | 'danger'
  /** Before its fields, such as the name for password managers. */
  intro?: Html
  /** What else goes along with the form. */
  hidden?: Readonly<Record<string, string>>
  /** What the form shows before anybody has typed: what is stored. */
  stored?: FormFields
}

/** What a form has done: the page that says so in a sentence, or shows a secret this once. */
export type Done =
  | { path: string; text: string }
  | { path: string; secret: Secret; fields?: FormFields }

export type FormPage<Params extends z.ZodType> = {
  path: string
  params?: Params
  place: Place
  /** As of now: the configuration may change them, or who is asked. */
  fields: FormSpec | ((request: FastifyRequest) => FormSpec)
  config?: FastifyContextConfig
  bodyLimit?: number
  /** The errors that are about the form. */
  refused: readonly ErrorCode[]
  /** @returns undefined when it has sent another answer */
  page(
    request: FastifyRequest<{ Querystring: FormFields }>,
    typed: FormFields,
    reply: FastifyReply,
    params: z.output<Params>,
  ): Promise<FormShown | undefined>
  submit(request: FastifyRequest, typed: FormFields, params: z.output<Params>): Promise<Done>
}

/** A page with one form: shown, shown again with what is wrong with it, and acted upon once. */
export function formPage<Params extends z.ZodType>(app: App, form: FormPage<Params>): void {
  const { path, place, refused, config, bodyLimit } = form
  const spec = (request: FastifyRequest) =>
    typeof form.fields === 'function' ? form.fields(request) : form.fields
  const schema = { hide: true, ...(form.params && { params: form.params }) }
  app.get(path, { schema: { ...schema, querystring: Fields } }, async (request, reply) => {
    const again = readAttempt(request, reply)
    const asked = request.kept?.typed ?? request.query
    const params = request.params as z.output<Params>
    const shown = await form.page(request, asked, reply, params)
    if (shown === undefined) return reply
    const shell = visitorShell(request, reply)
    const message = request.kept?.secret ?? takeNotice(request, reply)?.text
    const attempt = again ?? { ...UNTOUCHED, typed: shown.stored ?? UNTOUCHED.typed }
    const action = request.url.split('?', 1)[0] ?? path
    const content = html`${shown.above}${
      shown.button !== undefined &&
      formView(
        { ...shown, button: shown.button, action, csrfToken: shell.csrfToken },
        spec(request),
        attempt,
      )
    }${shown.below?.(shell.csrfToken)}`
    const { problems } = attempt
    return sendPage(
      reply,
      framePage(place, { ...shell, problems, message }, { layout: 'form', ...shown, content }),
    )
  })

  const post = {
    ...(bodyLimit === undefined ? {} : { bodyLimit }),
    config: { ...config, actsOnce: true },
    schema: { ...schema, body: Fields },
  }
  app.post(path, post, async (request, reply) => {
    try {
      const done = await form.submit(request, request.body, request.params as z.output<Params>)
      return 'secret' in done
        ? await redirectSecret(request, reply, done.path, done.secret, done.fields)
        : await redirectDone(request, reply, done.path, done.text)
    } catch (error) {
      const about = (refusal: Parameters<typeof fieldProblems>[1]) =>
        fieldProblems(spec(request), refusal)
      const hasSecret = Object.values(spec(request)).some(({ kind }) => kind === 'password')
      return refuse(request, reply, { ...refusalOf(error, refused, about), hasSecret })
    }
  })
}
