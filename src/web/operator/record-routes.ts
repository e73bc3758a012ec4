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
import { readUsage } from '../../marketplace/usage/read-usage-service.ts'
import type { Visit } from '../kit/frame.ts'
import { acceptancePages } from '../requests/acceptance-pages.ts'
import { readAttempt } from '../requests/answers.ts'
import { formPage } from '../requests/form-page.ts'
import { takeForm } from '../requests/form-work.ts'
import { takeNotice } from '../requests/notices.ts'
import { visitingOperator, visitorShell } from '../requests/visitor.ts'
import { UNTOUCHED } from '../shared/forms/form-problems.ts'
import { Fields, type FormFields } from '../shared/forms/settings-form.ts'
import type { HtmlPage } from '../shared/page/html-page.ts'
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
import { userPage } from './user-page.ts'

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
      const usage = await readUsage(deps, one.id, {})
      const shell = { ...visitorShell(request, reply), now: deps.now() }
      return sendPage(reply, installationPage({ ...shell, message, one, effect, usage }))
    },
  )

  acceptancePages(app, {
    path: '/Operator/Installations/:id',
    params: AnyInstallationPath,
    place: { console: 'operator', tab: 'Installations' },
    readerOf: () => ({ reader: 'operator', id: undefined, where: {} }),
  })

  const pages = <Detail>({ tab, params, read, draw, forms, removals }: RecordPages<Detail>) => {
    const page = `/Operator/${tab}/:id`
    const place = { console: 'operator', tab, asks: true } as const
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
      const work = {
        path: `${page}/${name}`,
        params,
        config: { recentFactor },
        async submit(request: FastifyRequest, typed: FormFields, { id }: { id: string }) {
          const outcome = await submit(deps, id, typed, visitingOperator(request))
          const path = pathTo(tab, id)
          return 'done' in outcome ? { path, text: outcome.done } : { path, secret: outcome }
        },
      }
      if (formPageOf !== undefined) {
        formPage(app, {
          ...work,
          place,
          fields: formPageOf.fields,
          refused: INPUT_REFUSALS,
          async page(_request, typed, _reply, { id }) {
            const { owner, stored, ...asked } = await formPageOf.ask(deps, id, typed)
            const back = { href: pathTo(tab, id), label: owner }
            return { ...asked, back, ...(stored && { stored: new Map(Object.entries(stored)) }) }
          },
        })
        continue
      }
      takeForm(app, {
        ...work,
        config: { ...work.config, formKind: 'button' },
        refused: inputRefusal,
      })
      // A sign-in that interrupted the form leads back here, and its problems are shown here.
      app.get(work.path, { schema: { hide: true, params } }, async (request, reply) => {
        const { id } = request.params
        return request.page.attempt === null
          ? reply.redirect(pathTo(tab, id), 303)
          : send(request, reply, id)
      })
    }

    for (const removal of removals) {
      formPage(app, {
        path: `${page}/${removal.path}`,
        params: removal.params,
        place,
        config: { recentFactor: removal.recentFactor },
        refused: INPUT_REFUSALS,
        async page(_request, _typed, _reply, ids) {
          const { owner, effect: happens, ...question } = await removal.ask(deps, ids)
          const back = { href: pathTo(tab, ids.id), label: owner }
          return { ...question, back, consequences: [happens], kind: 'danger' }
        },
        async submit(request, _typed, ids) {
          const text = await removal.remove(deps, ids, visitingOperator(request))
          return { path: removal.leadsTo ?? pathTo(tab, ids.id), text }
        },
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
