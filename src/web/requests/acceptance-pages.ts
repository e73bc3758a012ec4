import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { AnyInstallationPath } from '../../base/values/operator-paths.ts'
import type { App } from '../../http/app-type.ts'
import { sendDocument } from '../../http/bodies/send-document.ts'
import { sendPage } from '../../http/send-page.ts'
import {
  installationIn,
  sha256InPath,
} from '../../marketplace/installations/acceptances/acceptance.ts'
import {
  type AcceptancesOf,
  acceptedTerms,
  listAcceptances,
  readSubject,
} from '../../marketplace/installations/acceptances/acceptances-service.ts'
import type { InstallationPath } from '../../marketplace/installations/installation.ts'
import { pager } from '../kit/action-list.ts'
import { framePage, type Place } from '../kit/frame.ts'
import { ACCEPTANCES, acceptancesView } from '../shared/app-parts/acceptances-view.ts'
import { Fields } from '../shared/forms/settings-form.ts'
import { html } from '../shared/page/html.ts'
import { withQuery } from '../shared/page/with-query.ts'
import { loadShown } from './list-pages.ts'
import { visitorShell } from './visitor.ts'

const PAGE_SIZE = 100

type AcceptancePages = {
  /** The page of an installation, and the parameters in its address. */
  path: string
  params: typeof InstallationPath | typeof AnyInstallationPath
  place: Place
  /** Whose page it is, which is what a cursor is bound to, and what that reads. */
  readerOf(
    request: FastifyRequest,
  ): Omit<AcceptancesOf, 'installationId'> & { id: string | undefined }
}

/** What was accepted for an installation, to be read and printed, and the documents among it. */
export function acceptancePages(app: App, { path, params, place, readerOf }: AcceptancePages) {
  const { deps } = app
  const url = `${path}/${ACCEPTANCES}`

  app.get(url, { schema: { hide: true, params, querystring: Fields } }, async (request, reply) => {
    const installationId = installationIn(request.params)
    const { id, ...reader } = readerOf(request)
    const of = { installationId, ...reader }
    const { appName, partyName } = await readSubject(deps, of)
    const scope = ['acceptances page', id ?? null, installationId]
    const { entries, isContinued, cursor } = await loadShown(request, scope, PAGE_SIZE, (page) =>
      listAcceptances(deps, of, page),
    )
    const own = path.replace(/:\w+/, installationId)
    const here = `${own}/${ACCEPTANCES}`
    return sendPage(
      reply,
      framePage(place, visitorShell(request, reply), {
        title: `Accepted for ${appName}`,
        heading: html`Accepted for <bdi>${appName}</bdi>`,
        lead: html`<bdi>${partyName}</bdi>`,
        beside: html`<button class="button" type="button" data-print hidden>Print</button>`,
        back: { href: own, label: appName },
        layout: 'form',
        content: html`${acceptancesView(entries, here)}${pager({
          first: isContinued && { href: here, label: 'Oldest' },
          next: cursor !== undefined && { href: withQuery(here, { cursor }), label: 'Newer' },
        })}`,
      }),
    )
  })

  app.get(
    `${url}/:sha256/TermsDocument`,
    { schema: { hide: true, params: z.object({ ...params.shape, sha256: sha256InPath }) } },
    async (request, reply) => {
      const installationId = installationIn(request.params)
      const { where } = readerOf(request)
      const { sha256 } = request.params
      return sendDocument(reply, await acceptedTerms(deps, { installationId, where }, sha256))
    },
  )
}
