import { EVENT_TYPE_NAMES, type EventType } from '../../../marketplace/events/event-types.ts'
import type { Endpoint } from '../../../marketplace/webhooks/endpoints/endpoint.ts'
import type { FormFields } from '../../shared/forms/settings-form.ts'

/** Rows for new headers. */
export const HEADER_ROWS = [1, 2, 3] as const

/** The types that the form offers; a test goes to the endpoint that is tested, whatever it takes. */
export const OFFERED_TYPES: readonly EventType[] = EVENT_TYPE_NAMES.filter(
  (type) => type !== 'webhook.test',
)

/** Names of the fields; each is the id of its control, too. */
export const ENDPOINT_FIELD = {
  url: 'url',
  scope: 'scope',
  ordered: 'ordered',
  type: (type: EventType) => `type.${type}`,
  headerName: (row: number) => `headerName.${row}`,
  headerValue: (row: number) => `headerValue.${row}`,
  /** The field for a new value of a header that there is. */
  keptHeader: (name: string) => `kept.${name.toLowerCase()}`,
} as const

/** What the form of an endpoint shows, but for headers. */
export type ShownEndpoint = {
  url: string
  takesAll: boolean
  types: ReadonlySet<EventType>
  ordered: boolean
}

/** What was typed, or else the endpoint as it is, or else an empty form. */
export function shownEndpoint(
  typed: FormFields | undefined,
  stored?: Pick<Endpoint, 'url' | 'events' | 'ordered'>,
): ShownEndpoint {
  if (typed === undefined) {
    const { url = '', events = [], ordered = false } = stored ?? {}
    return { url, takesAll: events.length === 0, types: new Set(events), ordered }
  }
  return {
    url: typed.get(ENDPOINT_FIELD.url) ?? '',
    takesAll: typed.get(ENDPOINT_FIELD.scope) !== 'chosen',
    types: chosenTypes(typed),
    ordered: typed.has(ENDPOINT_FIELD.ordered),
  }
}

/** The types whose boxes are checked. */
export function chosenTypes(fields: FormFields): Set<EventType> {
  return new Set(OFFERED_TYPES.filter((type) => fields.has(ENDPOINT_FIELD.type(type))))
}
