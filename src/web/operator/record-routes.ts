import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import {
  AnyInstallationPath,
  AppIdPath,
  DeveloperPath,
  PartyPath,
  UserPath,
} from '../../base/values/operator-paths.ts'
import type { Deps } from '../../deps.ts'
import type { App } from '../../http/app-type.ts'
import { sendPage } from '../../http/send-page.ts'
import { CLOSING } from '../../marketplace/suspension/close-service.ts'
import { effectOf } from '../../marketplace/suspension/suspendable-kinds-service.ts'
import type { Visit } from '../kit/frame.ts'
import { questionPage } from '../kit/question-page.ts'
import { readAttempt, redirectDone, redirectSecret, refuse } from '../requests/answers.ts'
import { formPage } from '../requests/form-page.ts'
import { takeNotice } from '../requests/notices.ts'
import { visitingOperator, visitorShell } from '../requests/visitor.ts'
import { type FormAttempt, UNTOUCHED } from '../shared/forms/form-problems.ts'
import { refusalOf } from '../shared/forms/refusal.ts'
import { Fields } from '../shared/forms/settings-form.ts'
import type { HtmlPage, UserShell } from '../shared/page/html-page.ts'
import type { Message } from '../shared/page/message-view.ts'
import { pathTo } from './addresses.ts'
import { appPage } from './app-page.ts'
import { developerDetailPage } from './developer-page.ts'
import { DEVELOPER_FORMS, DEVELOPER_REMOVALS } from './forms/developer-forms-service.ts'
import { INPUT_REFUSALS, inputRefusal } from './forms/fields.ts'
import type { RecordForms, Removal } from './forms/forms-service.ts'
import { PARTY_FORMS, PARTY_REMOVALS } from './forms/party-forms-service.ts'
import { USER_FORMS, USER_REMOVALS } from './forms/user-forms-service.ts'
import { installationPage } from './installation-page.ts'
import { partyPage } from './party-page.ts'
import {
  readAppDetail,
  readDeveloperDetail,
  readPartyDetail,
  readStandingInstallation,
  readUserDetail,
} from './record-details-service.ts'
import { USER_FORM_PAGES } from './user-form-pages.ts'
import { userPage } from './user-page.ts'

type FormPageInput<Detail> = UserShell & { detail: Detail; attempt: FormAttempt }

type RecordPages<Detail> = {
  tab: 'Parties' | 'Users' | 'Developers'
  params: z.ZodType<{ id: string }>
  read: (deps: Deps, id: string) => Promise<Detail>
  draw: (
    input: Visit & {
      detail: Detail
      effect: string
      closes: string
      message: Message | undefined
    },
  ) => HtmlPage
  forms: RecordForms
  /** Draws the pages of the forms that have one of their own, by their name. */
  formPages?: Readonly<Record<string, (input: FormPageInput<Detail>) => HtmlPage>>
  removals: readonly Removal[]
}

/**
 * The pages of one app, installation, party, user or developer, with all that is done on them but
 * suspending.
 */
export async function operatorRecordPages(app: App) {
  const { deps } = app

  app.get(
    '/Operator/Apps/:id',
    { schema: { hide: true, params: AppIdPath, querystring: Fields } },
    async (request, reply) => {
      const detail = await readAppDetail(deps, request.params.id)
      const message = takeNotice(request, reply)?.text
      const shell = visitorShell(request, reply)
      return sendPage(reply, appPage({ ...shell, message, detail, effect: effectOf('Apps') }))
    },
  )

  app.get(
    '/Operator/Installations/:id',
    { schema: { hide: true, params: AnyInstallationPath, querystring: Fields } },
    async (request, reply) => {
      const one = await readStandingInstallation(deps, request.params.id)
      const message = takeNotice(request, reply)?.text
      const effect = effectOf('Installations')
      const shell = visitorShell(request, reply)
      return sendPage(reply, installationPage({ ...shell, message, one, effect }))
    },
  )

  const pages = <Detail>(spec: RecordPages<Detail>) => {
    const { tab, params, read, draw, forms, formPages = {}, removals } = spec
    const page = `/Operator/${tab}/:id`
    const effect = effectOf(tab)
    const closes = tab === 'Users' ? '' : CLOSING[tab]
    const send = async (request: FastifyRequest, reply: FastifyReply, id: string) => {
      const detail = await read(deps, id)
      const { problems } = readAttempt(request, reply) ?? UNTOUCHED
      const message = request.page.attempt?.secret ?? takeNotice(request, reply)?.text
      const shell = visitorShell(request, reply)
      return sendPage(reply, draw({ ...shell, problems, detail, effect, closes, message }))
    }

    app.get(page, { schema: { hide: true, params, querystring: Fields } }, (request, reply) =>
      send(request, reply, request.params.id),
    )

    for (const [name, { submit, recentFactor, page: formPageOf }] of Object.entries(forms)) {
      if (formPageOf !== undefined) {
        formPage(app, {
          path: `${page}/${name}`,
          params,
          place: { console: 'operator', tab, asks: true },
          fields: formPageOf.fields,
          config: { recentFactor },
          refused: INPUT_REFUSALS,
          async page(_request, typed, _reply, { id }) {
            const { owner, stored, ...asked } = await formPageOf.ask(deps, id, typed)
            const back = { href: pathTo(tab, id), label: owner }
            return { ...asked, back, ...(stored && { stored: new Map(Object.entries(stored)) }) }
          },
          async submit(request, typed, { id }) {
            const outcome = await submit(deps, id, typed, visitingOperator(request))
            const path = pathTo(tab, id)
            return 'done' in outcome ? { path, text: outcome.done } : { path, secret: outcome }
          },
        })
        continue
      }
      // A sign-in that interrupted the form leads back here, and the form's problems are shown here;
      // what asks again is a page of its own.
      app.get(`${page}/${name}`, { schema: { hide: true, params } }, async (request, reply) => {
        const { id } = request.params
        const drawForm = formPages[name]
        if (drawForm !== undefined) {
          const detail = await read(deps, id)
          const attempt = readAttempt(request, reply) ?? UNTOUCHED
          return sendPage(reply, drawForm({ ...visitorShell(request, reply), detail, attempt }))
        }
        return request.page.attempt === null
          ? reply.redirect(pathTo(tab, id), 303)
          : send(request, reply, id)
      })

      app.post(
        `${page}/${name}`,
        { config: { recentFactor, actsOnce: true }, schema: { hide: true, params, body: Fields } },
        async (request, reply) => {
          const { id } = request.params
          const path = pathTo(tab, id)
          try {
            const outcome = await submit(deps, id, request.body, visitingOperator(request))
            return 'done' in outcome
              ? await redirectDone(request, reply, path, outcome.done)
              : await redirectSecret(request, reply, path, outcome)
          } catch (error) {
            return refuse(request, reply, inputRefusal(error))
          }
        },
      )
    }

    for (const removal of removals) {
      const url = `${page}/${removal.path}`
      const schema = { hide: true, params: removal.params }
      const config = { recentFactor: removal.recentFactor, actsOnce: true }

      app.get(url, { schema }, async (request, reply) => {
        const ids = request.params
        const { owner, effect: happens, ...question } = await removal.ask(deps, ids)
        const back = { href: pathTo(tab, ids.id), label: owner }
        const action = url.replace(/:(\w+)/g, (_, name) => encodeURIComponent(ids[name] ?? ''))
        const { problems } = readAttempt(request, reply) ?? UNTOUCHED
        const visit = { ...visitorShell(request, reply), problems }
        const place = { console: 'operator', tab, asks: true } as const
        const asked = { ...question, action, back, consequences: [happens] }
        return sendPage(reply, questionPage(place, visit, asked))
      })

      app.post(url, { config, schema }, async (request, reply) => {
        const ids = request.params
        try {
          const done = await removal.remove(deps, ids, visitingOperator(request))
          return await redirectDone(request, reply, removal.leadsTo ?? pathTo(tab, ids.id), done)
        } catch (error) {
          return refuse(request, reply, refusalOf(error, INPUT_REFUSALS))
        }
      })
    }
  }

  pages({
    tab: 'Parties',
    params: PartyPath,
    read: (_, id) => readPartyDetail(deps, Number(id)),
    draw: partyPage,
    forms: PARTY_FORMS,
    removals: PARTY_REMOVALS,
  })
  pages({
    tab: 'Users',
    params: UserPath,
    read: readUserDetail,
    draw: userPage,
    forms: USER_FORMS,
    formPages: USER_FORM_PAGES,
    removals: USER_REMOVALS,
  })
  pages({
    tab: 'Developers',
    params: DeveloperPath,
    read: readDeveloperDetail,
    draw: developerDetailPage,
    forms: DEVELOPER_FORMS,
    removals: DEVELOPER_REMOVALS,
  })
}
