import { UuidText } from '../../../base/values/shapes.ts'
import type { App } from '../../../http/app-type.ts'
import { sendPage } from '../../../http/send-page.ts'
import { developerOf } from '../../../identity/guards/audience.ts'
import { listConsumers } from '../../../marketplace/events/event-consumers-service.ts'
import { EVENT_TYPE_NAMES } from '../../../marketplace/events/event-types.ts'
import {
  listRecentEvents,
  type RecentEventFilters,
  readLogSpan,
} from '../../../marketplace/events/recent-events-service.ts'
import { loadShown } from '../../requests/list-pages.ts'
import { takeNotice } from '../../requests/notices.ts'
import { visitorShell } from '../../requests/visitor.ts'
import { chosenFilters, filterReader } from '../../shared/forms/filter-reading.ts'
import type { FormProblem } from '../../shared/forms/form-problems.ts'
import { Fields, type FormFields } from '../../shared/forms/settings-form.ts'
import { appChoices } from '../app-choices-service.ts'
import type { AppChoices } from '../filter-controls.ts'
import { EVENTS_PATH, eventsPage } from './events-page.ts'

const PAGE_SIZE = 20
const LABELS = { appId: 'App', type: 'Type', installationId: 'Installation ID' }

/** The event log of a developer. */
export async function eventsPageRoutes(app: App) {
  const { deps } = app

  app.get(EVENTS_PATH, { schema: { hide: true, querystring: Fields } }, async (request, reply) => {
    const { developerId } = developerOf(request)
    const { filters, problems } = filtersOf(request.query)
    const [choices, span, { entries: consumers }] = await Promise.all([
      choicesWith(developerId, filters.appId),
      readLogSpan(deps, developerId),
      listConsumers(deps, developerId),
    ])
    if (problems.length > 0) reply.code(422)
    const { entries, ...page } =
      problems.length > 0
        ? { entries: [], isContinued: false, cursor: undefined }
        : await loadShown(request, ['console events', developerId, filters], PAGE_SIZE, (wanted) =>
            listRecentEvents(deps, developerId, filters, wanted),
          )
    const message = takeNotice(request, reply)?.text
    const chosen = chosenFilters(request.query, Object.keys(LABELS))
    const shown = { choices, span, consumers, problems, message, typed: request.query, chosen }
    const shell = visitorShell(request, reply)
    return sendPage(reply, eventsPage({ ...shell, ...shown, ...page, events: entries }))
  })

  /** A deleted app is a choice as long as the list is narrowed to it. */
  async function choicesWith(developerId: string, id: string | undefined): Promise<AppChoices> {
    const { apps, isCut, isOwn } = await appChoices(deps, developerId, id)
    return { apps: id === undefined || isOwn ? apps : [...apps, { id, name: id }], isCut }
  }
}

function filtersOf(fields: FormFields): {
  filters: RecentEventFilters
  problems: readonly FormProblem[]
} {
  const reader = filterReader(fields, LABELS)
  const isId = (text: string) => UuidText.safeParse(text).success
  const isAppId = (text: string) => /^[a-z0-9-]{1,64}$/i.test(text)
  const id = reader.fitting('installationId', isId, 'the ID of an installation')
  const filters = {
    // Events of a deleted app are kept, too.
    appId: reader.fitting('appId', isAppId, 'the ID of an app')?.toLowerCase(),
    type: reader.oneOf('type', EVENT_TYPE_NAMES),
    installationId: id?.toLowerCase(),
  }
  return { filters, problems: reader.problems }
}
