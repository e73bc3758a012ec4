import type { App } from '../../../http/app-type.ts'
import { developerOf } from '../../../identity/guards/audience.ts'
import { listConsumers } from '../../../marketplace/events/event-consumers-service.ts'
import { EVENT_TYPE_NAMES } from '../../../marketplace/events/event-types.ts'
import {
  listRecentEvents,
  type RecentEventFilters,
  readLogSpan,
} from '../../../marketplace/events/recent-events-service.ts'
import type { Chosen } from '../../kit/list-page.ts'
import { listRoutes } from '../../requests/lists.ts'
import { fittingParam, oneOfParam, uuidParam } from '../../shared/forms/filter-params.ts'
import { appChoices } from '../app-choices-service.ts'
import type { AppChoices } from '../filter-controls.ts'
import { EVENTS_PATH, eventList } from './events-page.ts'

const PAGE_SIZE = 20

/** The event log of a developer. */
export async function eventsPageRoutes(app: App) {
  const { deps } = app

  listRoutes(app, {
    path: EVENTS_PATH,
    noun: 'event',
    pageSize: PAGE_SIZE,
    async open(request) {
      const { developerId } = developerOf(request)
      const [choices, span, { entries: consumers }] = await Promise.all([
        choicesWith(developerId, request.query.get('appId')?.trim()),
        readLogSpan(deps, developerId),
        listConsumers(deps, developerId),
      ])
      return {
        ...eventList({ choices, span, consumers }),
        place: { console: 'developer', section: 'events' },
        owner: [developerId],
        choose: [
          fittingParam('appId', isAppId, 'the ID of an app'),
          oneOfParam('type', EVENT_TYPE_NAMES),
          uuidParam('installationId', 'the ID of an installation'),
        ],
        load: (chosen, page) => listRecentEvents(deps, developerId, filtersOf(chosen), page),
      }
    },
  })

  /** A deleted app is a choice as long as the list is narrowed to it. */
  async function choicesWith(developerId: string, typed = ''): Promise<AppChoices> {
    const id = isAppId(typed) ? typed.toLowerCase() : undefined
    const { apps, isCut, isOwn } = await appChoices(deps, developerId, id)
    return { apps: id === undefined || isOwn ? apps : [...apps, { id, name: id }], isCut }
  }
}

function isAppId(text: string): boolean {
  return /^[a-z0-9-]{1,64}$/i.test(text)
}

function filtersOf({ appId, type, installationId }: Chosen): RecentEventFilters {
  return {
    // Events of a deleted app are kept, too.
    appId: appId?.toLowerCase(),
    type: EVENT_TYPE_NAMES.find((one) => one === type),
    installationId: installationId?.toLowerCase(),
  }
}
