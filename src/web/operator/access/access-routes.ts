import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../../http/app-type.ts'
import { sendPage } from '../../../http/send-page.ts'
import { readAttempt } from '../../requests/answers.ts'
import { takeForm } from '../../requests/form-work.ts'
import { visitingOperator, visitorShell } from '../../requests/visitor.ts'
import { type FormAttempt, UNTOUCHED, withArticle } from '../../shared/forms/form-problems.ts'
import type { Refusal } from '../../shared/forms/refusal.ts'
import { Fields, type FormFields } from '../../shared/forms/settings-form.ts'
import { withQuery } from '../../shared/page/with-query.ts'
import { pathTo } from '../addresses.ts'
import { inputRefusal } from '../forms/fields.ts'
import type { Side } from '../record-details.ts'
import { choicePage, offerPage } from './access-page.ts'
import { ACCESS_KINDS, type Access } from './access-service.ts'

/**
 * Memberships and connections: whom a text means is looked for, and chosen where it is not clear;
 * then both sides are named, and only the answer to that gives access, by an id.
 */
export async function operatorAccessPages(app: App) {
  for (const access of ACCESS_KINDS) accessPages(app, access)
}

function accessPages(app: App, access: Access): void {
  const { deps } = app
  const { tab, path, params, typed, chosen, recentFactor } = access
  const url = `/Operator/${tab}/:id/${path}`

  app.get(url, { schema: { hide: true, params, querystring: Fields } }, async (request, reply) => {
    const { id } = request.params
    const again = readAttempt(request, reply)
    if (again?.problems.some(({ field }) => field !== undefined)) {
      return sendChoicePage(request, reply, id, { attempt: again })
    }
    // The answer to the question waited for a sign-in or a code: it is asked again, as answered.
    const given = (again?.typed ?? request.query).get(chosen)
    if (given !== undefined) return sendOffer(request, reply, id, given, again)
    const text = request.query.get(typed)?.trim()
    if (text === undefined) return sendChoice(request, reply, id, request.query)
    const found = await access.find(deps, id, text)
    if (found.exact !== undefined) {
      return reply.redirect(withQuery(pathOf(id), { [chosen]: found.exact.id }), 303)
    }
    return sendChoice(request, reply, id, request.query, found.similar)
  })

  takeForm(app, {
    path: url,
    params,
    config: { recentFactor },
    refused: accessRefusal,
    async submit(request, answered, { id }) {
      const given = answered.get(chosen) ?? ''
      if (!access.isId(given)) {
        const { label } = await access.open(deps, id)
        return { problems: [{ field: typed, text: `Choose ${withArticle(label)}.` }], status: 422 }
      }
      const by = { actor: visitingOperator(request), role: answered.get('role') }
      return { path: pathTo(tab, id), text: await access.give(deps, id, given, by) }
    },
  })

  const pathOf = (id: string) => `${pathTo(tab, id)}/${path}`

  async function sendOffer(
    request: FastifyRequest,
    reply: FastifyReply,
    id: string,
    given: string,
    attempt: FormAttempt = UNTOUCHED,
  ) {
    if (!access.isId(given)) return sendChoice(request, reply, id, new Map([[typed, given]]), [])
    const { owner } = await access.open(deps, id)
    try {
      const offer = await access.offer(deps, id, given)
      const back = { href: pathTo(tab, id), label: owner }
      const input = { ...visitorShell(request, reply), tab, back, title: offer.title, offer }
      return sendPage(
        reply,
        offerPage({ ...input, action: pathOf(id), chosen: { field: chosen, id: given }, attempt }),
      )
    } catch (error) {
      const { status, problems } = accessRefusal(error)
      reply.code(status)
      return sendChoicePage(request, reply, id, { attempt: { problems, typed: new Map() } })
    }
  }

  /** What is wrong with the one that was chosen, told beside the field that it was looked for in. */
  function accessRefusal(error: unknown): Refusal {
    const { status, problems } = inputRefusal(error)
    return { status, problems: problems.map(({ text }) => ({ field: typed, text })) }
  }

  /** @param similar undefined when nobody was looked for; an empty list is a problem */
  async function sendChoice(
    request: FastifyRequest,
    reply: FastifyReply,
    id: string,
    fields: FormFields,
    similar?: readonly Side[],
  ) {
    if (similar?.length !== 0) {
      return sendChoicePage(request, reply, id, {
        attempt: { problems: [], typed: fields },
        similar,
      })
    }
    const { label } = await access.open(deps, id)
    const what = label.toLowerCase()
    const isEmpty = (fields.get(typed)?.trim() ?? '') === ''
    const text = isEmpty ? `Enter ${withArticle(label)}.` : `No ${what} found.`
    reply.code(422)
    const attempt = { problems: [{ field: typed, text }], typed: fields }
    return sendChoicePage(request, reply, id, { attempt })
  }

  async function sendChoicePage(
    request: FastifyRequest,
    reply: FastifyReply,
    id: string,
    { attempt, similar }: { attempt: FormAttempt; similar?: readonly Side[] | undefined },
  ) {
    const { owner, title, label } = await access.open(deps, id)
    const back = { href: pathTo(tab, id), label: owner }
    const form = { action: pathOf(id), field: typed, label, attempt }
    return sendPage(
      reply,
      choicePage({ ...visitorShell(request, reply), tab, title, back, form, chosen, similar }),
    )
  }
}
