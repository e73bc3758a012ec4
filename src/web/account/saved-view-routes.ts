import { z } from 'zod'
import { AppError } from '../../errors.ts'
import type { App } from '../../http/app-type.ts'
import { sendPage } from '../../http/send-page.ts'
import {
  listSavedViews,
  removeView,
  type SavedView,
  saveView,
} from '../../identity/accounts/saved-views-service.ts'
import { emptyState } from '../kit/empty-state.ts'
import { framePage } from '../kit/frame.ts'
import { hrefOfView, SAVED_VIEWS_PATH } from '../kit/saved-views.ts'
import { formPage } from '../requests/form-page.ts'
import { buttonForm } from '../requests/form-work.ts'
import { takeNotice } from '../requests/notices.ts'
import { visitorOf, visitorShell } from '../requests/visitor.ts'
import { type Html, html } from '../shared/page/html.ts'
import { csrfField } from '../shared/page/html-page.ts'
import { safeNextPath } from '../shared/sign-in/next-path.ts'

const ViewPath = z.object({ viewId: z.string() })

/** The filters of lists that the visitor has given a name. */
export async function savedViewRoutes(app: App) {
  const { deps } = app

  app.get(SAVED_VIEWS_PATH, { schema: { hide: true } }, async (request, reply) => {
    const views = await listSavedViews(deps, visitorOf(request).id)
    const shell = visitorShell(request, reply)
    const message = takeNotice(request, reply)?.text
    return sendPage(
      reply,
      framePage(
        { console: 'account' },
        { ...shell, message },
        {
          title: 'Saved views',
          lead: 'Lists with the filters that you saved.',
          layout: 'form',
          back: { href: '/Account', label: 'Account' },
          content: html`<section class="card flush" aria-label="Saved views">${
            views.length === 0
              ? emptyState('search', 'No saved views. Filter a list, then choose "Save this view".')
              : html`<ul class="rows">
${views.map((view) => row(view, shell.csrfToken))}</ul>`
          }</section>`,
        },
      ),
    )
  })

  formPage(app, {
    path: `${SAVED_VIEWS_PATH}/New`,
    place: { console: 'account' },
    fields: {
      name: { label: 'Name', hint: 'At most 60 characters.', pointers: ['/name'] },
    },
    refused: ['unprocessable', 'conflict'],
    async page(_request, typed) {
      const view = { path: typed.get('path') ?? '', query: typed.get('query') ?? '' }
      const isPath = view.path !== '' && safeNextPath(view.path, '') === view.path
      if (!isPath || view.query === '') throw new AppError('not_found')
      return {
        title: 'Save this view',
        lead: 'The list with these filters, under a name that only you see.',
        back: { href: hrefOfView(view), label: wordsOf(view.path) },
        hidden: view,
        button: 'Save',
      }
    },
    async submit(request, typed) {
      const input = {
        path: typed.get('path') ?? '',
        query: typed.get('query') ?? '',
        name: typed.get('name')?.trim() ?? '',
      }
      const view = await saveView(deps, visitorOf(request).id, input)
      return { path: hrefOfView(view), text: `The view ${view.name} was saved.` }
    },
  })

  buttonForm(app, {
    path: `${SAVED_VIEWS_PATH}/:viewId/Remove`,
    params: ViewPath,
    page: () => SAVED_VIEWS_PATH,
    async submit(request, _typed, { viewId }) {
      await removeView(deps, visitorOf(request).id, viewId)
      return { path: SAVED_VIEWS_PATH, text: 'The view was removed.' }
    },
  })
}

function row(view: SavedView, csrfToken: string): Html {
  const { id, name, path } = view
  return html`<li class="row">
<div class="row-text">
<p><a class="row-name" href="${hrefOfView(view)}"><bdi>${name}</bdi></a></p>
<p class="row-note">${wordsOf(path)}</p>
</div>
<form method="post" action="${SAVED_VIEWS_PATH}/${id}/Remove">
${csrfField(csrfToken)}
<button class="button small danger" type="submit">Remove<span class="visually-hidden">: ${name}</span></button>
</form>
</li>
`
}

/** Where a list is, in words: `Operator › Apps`. */
function wordsOf(path: string): string {
  return path.split('/').slice(1).join(' › ')
}
