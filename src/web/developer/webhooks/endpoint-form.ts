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

/** The form of an endpoint as it is stored, but for headers. */
export function storedEndpoint({
  url,
  events,
  ordered,
}: Pick<Endpoint, 'url' | 'events' | 'ordered'>): FormFields {
  return new Map([
    [ENDPOINT_FIELD.url, url],
    [ENDPOINT_FIELD.scope, events.length === 0 ? 'all' : 'chosen'],
    ...events.map((type): [string, string] => [ENDPOINT_FIELD.type(type), 'true']),
    ...(ordered ? [[ENDPOINT_FIELD.ordered, 'true'] as const] : []),
  ])
}

/** The types whose boxes are checked. */
export function chosenTypes(fields: FormFields): Set<EventType> {
  return new Set(OFFERED_TYPES.filter((type) => fields.has(ENDPOINT_FIELD.type(type))))
}
