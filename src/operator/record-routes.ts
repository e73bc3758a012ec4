import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { DeveloperPath, PartyPath, UserPath } from '../accounts/operator-paths.ts'
import { effectOf } from '../accounts/suspendable-service.ts'
import type { Deps } from '../deps.ts'
import type { App } from '../http/app-type.ts'
import { sendPage } from '../http/pages.ts'
import { visitingOperator, visitorShell } from '../http/visitor.ts'
import type { UserShell } from '../web/page.ts'
import { Fields } from '../web/settings-form.ts'
import { messageIn, pathTo } from './console.ts'
import { removalPage, secretPage } from './create-pages.ts'
import { readDeveloperDetail, readPartyDetail, readUserDetail } from './detail-service.ts'
import { DEVELOPER_FORMS, DEVELOPER_REMOVALS } from './developer-forms-service.ts'
import { developerPage } from './developer-page.ts'
import { type Attempt, FIRST, inputProblems, statusOf } from './fields.ts'
import type { RecordForm, RecordIds, Removal } from './forms-service.ts'
import { PARTY_FORMS, PARTY_REMOVALS } from './party-forms-service.ts'
import { partyPage } from './party-page.ts'
import { USER_FORMS, USER_REMOVALS } from './user-forms-service.ts'
import { userPage } from './user-page.ts'

type RecordPages<Detail, Ids extends RecordIds> = {
  tab: 'Parties' | 'Users' | 'Developers'
  params: z.ZodType<{ id: string }>
  read: (deps: Deps, id: string) => Promise<Detail>
  draw: (
    input: UserShell & {
      detail: Detail
      effect: string
      attempt: Attempt
      message: string | undefined
    },
  ) => string
  /** The last part of a form's address -> what it does. */
  forms: Readonly<Record<string, RecordForm>>
  removals: readonly Removal<Ids>[]
}

/** The pages of parties, users and developers, with all that is done on them. */
export async function operatorRecordPages(app: App, { assetVersion }: { assetVersion: string }) {
  const { deps } = app
  const shellOf = (request: FastifyRequest, reply: FastifyReply) => ({
    ...visitorShell(request, reply),
    assetVersion,
  })

  const pages = <Detail, Ids extends RecordIds>(spec: RecordPages<Detail, Ids>) => {
    const { tab, params, read, draw, forms, removals } = spec
    const page = `/Operator/${tab}/:id`
    const effect = effectOf(tab)
    const send = async (
      request: FastifyRequest,
      reply: FastifyReply,
      id: string,
      attempt: Attempt = FIRST,
    ) => {
      const detail = await read(deps, id)
      const message = messageIn(request.query)
      const shell = shellOf(request, reply)
      return sendPage(reply, draw({ ...shell, detail, effect, attempt, message }))
    }

    app.get(page, { schema: { hide: true, params, querystring: Fields } }, (request, reply) =>
      send(request, reply, request.params.id),
    )

    for (const [name, submit] of Object.entries(forms)) {
      // Where a sign-in leads back to that interrupted the form.
      app.get(`${page}/${name}`, { schema: { hide: true, params } }, async (request, reply) =>
        reply.redirect(pathTo(tab, request.params.id), 303),
      )

      app.post(
        `${page}/${name}`,
        { schema: { hide: true, params, body: Fields } },
        async (request, reply) => {
          const { id } = request.params
          const path = pathTo(tab, id)
          try {
            const outcome = await submit(deps, id, request.body, visitingOperator(request))
            if ('done' in outcome) return reply.redirect(`${path}?done=${outcome.done}`, 303)
            const { owner, ...secret } = outcome
            const next = { href: path, label: owner }
            const shown = secretPage({ ...shellOf(request, reply), tab, ...secret, next })
            return sendPage(reply, shown, { hasSecret: true })
          } catch (error) {
            const attempt = { problems: inputProblems(error), typed: request.body }
            return send(request, reply.code(statusOf(error)), id, attempt)
          }
        },
      )
    }

    for (const removal of removals) {
      const url = `${page}/${removal.path}`
      const schema = { hide: true, params: removal.params }

      app.get(url, { schema }, async (request, reply) => {
        const ids = request.params as Ids
        const { owner, ...question } = await removal.ask(deps, ids)
        const back = { href: pathTo(tab, ids.id), label: owner }
        const action = url.replace(/:(\w+)/g, (_, name) => encodeURIComponent(ids[name] ?? ''))
        const shell = shellOf(request, reply)
        return sendPage(reply, removalPage({ ...shell, tab, ...question, action, back }))
      })

      app.post(url, { schema }, async (request, reply) => {
        const ids = request.params as Ids
        const done = await removal.remove(deps, ids, visitingOperator(request))
        return reply.redirect(`${pathTo(tab, ids.id)}?done=${done}`, 303)
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
    draw: developerPage,
    forms: DEVELOPER_FORMS,
    removals: DEVELOPER_REMOVALS,
  })
}
