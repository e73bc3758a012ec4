import type { FastifyRequest } from 'fastify'
import type { Page, PageRequest } from '../../base/values/page-of-list.ts'
import { loadPage } from '../../http/paged-list.ts'
import { namesOfPeople } from '../../identity/accounts/account-names-service.ts'
import { listDeveloperAudit } from '../../identity/audit/audit-trail-service.ts'
import { developerOf } from '../../identity/guards/audience.ts'
import type { FormFields } from '../shared/forms/settings-form.ts'

type WithQuery = FastifyRequest<{ Querystring: FormFields }>

/** The cursor that the address of a page names. */
export function cursorOf({ query }: WithQuery): string | undefined {
  return query.get('cursor') || undefined
}

/**
 * Loads what the page of a list shows, from the cursor of its address on.
 *
 * @param scope names the list, whose it is, and its filters: a cursor works nowhere else
 * @throws AppError invalid_cursor
 */
export function loadShown<Entry>(
  request: WithQuery,
  scope: readonly unknown[],
  limit: number,
  load: (page: PageRequest) => Promise<Page<Entry>>,
) {
  return loadPage(request.server.deps.cursorKeys, scope, { cursor: cursorOf(request), limit }, load)
}

/** The changes of one thing that a developer has, as its page in the console shows them. */
export async function readConsoleHistory(
  request: WithQuery,
  subject: { subjectKind: 'app' | 'installation' | 'webhook'; subjectId: string },
  limit: number,
) {
  const { deps } = request.server
  const { developerId } = developerOf(request)
  const history = await loadShown(
    request,
    ['console history', developerId, subject],
    limit,
    (page) => listDeveloperAudit(deps, developerId, { ...subject, changesOnly: true }, page),
  )
  return { history, people: await namesOfPeople(deps, history.entries) }
}
