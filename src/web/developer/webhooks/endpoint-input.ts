import { describeIssue } from '../../../base/values/field-errors.ts'
import { EVENT_TYPE_NAMES, type EventType } from '../../../marketplace/events/event-types.ts'
import type { AllowedHosts } from '../../../marketplace/webhooks/addresses/allowed-hosts.ts'
import { endpointUrlProblem } from '../../../marketplace/webhooks/addresses/endpoint-url.ts'
import type { Endpoint } from '../../../marketplace/webhooks/endpoints/endpoint.ts'
import { StaticHeaders } from '../../../marketplace/webhooks/endpoints/static-headers.ts'
import { type FormProblem, fieldProblemText, sentence } from '../../shared/forms/form-problems.ts'
import { type FormFields, removalOf } from '../../shared/forms/settings-form.ts'
import { chosenTypes, ENDPOINT_FIELD, HEADER_ROWS, OFFERED_TYPES } from './endpoint-form.ts'

/** What a form asks for; `null` takes a header away. */
export type EndpointInput = {
  url: string
  events: EventType[]
  ordered: boolean
  headers: Record<string, string | null>
}

/**
 * Reads the form of an endpoint.
 *
 * @param stored the endpoint that is changed; none when it is made
 */
export function endpointInput(
  fields: FormFields,
  allowedHosts: AllowedHosts,
  stored?: Pick<Endpoint, 'events' | 'headerNames'>,
): { input: EndpointInput; problems: FormProblem[] } {
  const url = fields.get(ENDPOINT_FIELD.url)?.trim() ?? ''
  const events = eventsOf(fields, stored?.events ?? [])
  const { headers, problems } = headersOf(fields, stored?.headerNames ?? [])
  return {
    input: { url, events: events ?? [], ordered: fields.has(ENDPOINT_FIELD.ordered), headers },
    problems: [
      ...urlProblems(url, allowedHosts),
      ...(events === undefined
        ? [{ field: 'types', text: 'Choose at least one type of event, or all events.' }]
        : []),
      ...problems,
    ],
  }
}

function urlProblems(url: string, allowedHosts: AllowedHosts): FormProblem[] {
  if (url === '') return [{ field: ENDPOINT_FIELD.url, text: 'Enter the URL of your receiver.' }]
  const detail = endpointUrlProblem(url, allowedHosts)
  return detail === null ? [] : [{ field: ENDPOINT_FIELD.url, text: sentence(`The URL ${detail}`) }]
}

/** The types in their order, empty for all; undefined when none is chosen. */
function eventsOf(fields: FormFields, stored: readonly EventType[]): EventType[] | undefined {
  if (fields.get(ENDPOINT_FIELD.scope) !== 'chosen') return []
  const chosen = chosenTypes(fields)
  // What the form does not offer stays as it is.
  const kept = stored.filter((type) => !OFFERED_TYPES.includes(type))
  const events = EVENT_TYPE_NAMES.filter((type) => chosen.has(type) || kept.includes(type))
  return events.length === 0 ? undefined : events
}

function headersOf(fields: FormFields, storedNames: readonly string[]) {
  const headers = new Map<string, string | null>()
  const problems: FormProblem[] = []
  for (const name of storedNames) {
    const field = ENDPOINT_FIELD.keptHeader(name)
    const value = fields.get(field)?.trim() ?? ''
    if (fields.has(removalOf(field))) headers.set(name, null)
    else if (value !== '') {
      headers.set(name, value)
      problems.push(...headerProblems(name, value, { name: field, value: field }))
    }
  }
  const taken = new Set(
    storedNames.filter((name) => headers.get(name) !== null).map((name) => name.toLowerCase()),
  )
  for (const row of HEADER_ROWS) {
    const at = { name: ENDPOINT_FIELD.headerName(row), value: ENDPOINT_FIELD.headerValue(row) }
    const name = fields.get(at.name)?.trim() ?? ''
    const value = fields.get(at.value)?.trim() ?? ''
    if (name === '' && value === '') continue
    if (name === '') problems.push({ field: at.name, text: 'Enter the name of the header.' })
    else if (value === '') problems.push({ field: at.value, text: `Enter the value of ${name}.` })
    else if (taken.has(name.toLowerCase())) {
      problems.push({ field: at.name, text: `There is a header ${name} already.` })
    } else {
      problems.push(...headerProblems(name, value, at))
      headers.set(name, value)
    }
    taken.add(name.toLowerCase())
  }
  return { headers: Object.fromEntries(headers), problems }
}

function headerProblems(
  name: string,
  value: string,
  at: { name: string; value: string },
): FormProblem[] {
  const result = StaticHeaders.safeParse(Object.fromEntries([[name, value]]), {
    error: describeIssue,
    reportInput: true,
  })
  if (!result.success) {
    return result.error.issues.map((issue) =>
      issue.code === 'invalid_key'
        ? {
            field: at.name,
            text: fieldProblemText('The header name', issue.issues[0]?.message ?? ''),
          }
        : { field: at.value, text: sentence(`The value of ${name} ${issue.message}`) },
    )
  }
  // Some names are lost on the way through an object.
  if (Object.hasOwn(result.data, name)) return []
  return [{ field: at.name, text: 'You cannot set this header.' }]
}

/** What of the form changes an endpoint: nothing that is as it was. */
export function endpointPatch(
  { url, events, ordered, headers }: EndpointInput,
  stored: Pick<Endpoint, 'url' | 'events' | 'ordered'>,
): Partial<EndpointInput> {
  const wanted = new Set(events)
  const isSame =
    wanted.size === stored.events.length && stored.events.every((one) => wanted.has(one))
  return {
    ...(url !== stored.url && { url }),
    ...(!isSame && { events }),
    ...(ordered !== stored.ordered && { ordered }),
    ...(Object.keys(headers).length > 0 && { headers }),
  }
}
