import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { App } from '../../http/app-type.ts'
import { sendPage } from '../../http/send-page.ts'
import type { FormSpec } from '../kit/fields.ts'
import { type FormLook, formView } from '../kit/form-view.ts'
import { framePage, nearest, type Place, type Shown } from '../kit/frame.ts'
import { problemsOn, UNTOUCHED } from '../shared/forms/form-problems.ts'
import { Fields, type FormFields } from '../shared/forms/settings-form.ts'
import { type Html, html } from '../shared/page/html.ts'
import { readAttempt } from './answers.ts'
import { type FormWork, fieldsOf, takeForm } from './form-work.ts'
import { takeNotice } from './notices.ts'
import { visitorShell } from './visitor.ts'

/** What a page says around its form. */
export type FormShown = Omit<Shown, 'content' | 'layout'> &
  FormLook & {
    /** Before the form, and after it. */
    above?: Html | false | ((csrfToken: string) => Html)
    below?: (csrfToken: string) => Html
    /** What its button says; without it the page has no form. */
    button?: string
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

export type FormPage<Params extends z.ZodType> = FormWork<Params> & {
  /** Other addresses of the page: its form goes to `path` only. */
  shownAt?: readonly string[]
  place: Place
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
}

/** A page with one form: shown, shown again with what is wrong with it, and acted upon once. */
export function formPage<Params extends z.ZodType>(app: App, form: FormPage<Params>): void {
  const { path, place, shownAt = [] } = form
  const schema = { hide: true, querystring: Fields, ...(form.params && { params: form.params }) }
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
        shown.fields ?? fieldsOf(form, request),
        attempt,
      )
    }${shown.below?.(shell.csrfToken)}`
    const found = shown.isPast ? [] : attempt.problems
    // What the page draws itself may lack the control that a problem was about.
    const isWhole = shown.controls === undefined && shown.button !== undefined
    const problems = isWhole ? found : problemsOn(content, found)
    return sendPage(
      reply,
      framePage(place, { ...shell, problems, message }, { layout: 'form', ...shown, content }),
      shown.send,
    )
  }
  for (const address of [path, ...shownAt]) app.get(address, { schema }, sendForm)
  takeForm(app, form)
}
