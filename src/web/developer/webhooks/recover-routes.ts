import type { App } from '../../../http/app-type.ts'
import { developerActor } from '../../../identity/guards/actor.ts'
import { developerOf } from '../../../identity/guards/audience.ts'
import { EVENTS_KEPT_DAYS } from '../../../marketplace/events/event-record.ts'
import { recoverEndpoint } from '../../../marketplace/webhooks/delivery-log/recover-service.ts'
import { type Endpoint, EndpointPath } from '../../../marketplace/webhooks/endpoints/endpoint.ts'
import { readEndpoint } from '../../../marketplace/webhooks/endpoints/read-endpoints-service.ts'
import { type FormSpec, refusedControls } from '../../kit/fields.ts'
import { formPage } from '../../requests/form-page.ts'
import type { FormFields } from '../../shared/forms/settings-form.ts'
import { html } from '../../shared/page/html.ts'
import { utcFieldText, utcTimeOf } from './utc-time.ts'
import { webhookPath } from './webhook-paths.ts'

const DAY_MS = 86_400_000

const FIELDS: FormSpec = {
  since: {
    label: 'Since (UTC)',
    subject: 'The time',
    kind: 'time',
    hint: `Events are kept for ${EVENTS_KEPT_DAYS} days.`,
  },
  all: {
    label: 'Also send what it has received',
    kind: 'check',
    hint: 'For a receiver that has lost its data: it gets every event since then once more.',
  },
}

/** Sends an endpoint again what it has missed since a time, or everything. */
export async function recoverRoutes(app: App) {
  const { deps } = app

  formPage(app, {
    path: '/Developer/Apps/:appId/Webhooks/:endpointId/Recover',
    params: EndpointPath,
    place: { console: 'developer', section: 'own-apps' },
    fields: FIELDS,
    refused: ['unprocessable', 'conflict', 'too_many_requests'],
    async page(request, typed, _reply, params) {
      const { developerId } = developerOf(request)
      const { endpoint } = await readEndpoint(deps, { developerId, ...params })
      const since = typed.get('since') ?? missedSince(endpoint, deps.now())
      const { after, all } = extentOf(typed)
      return {
        title: 'Resend missed events',
        about: endpoint.url,
        back: { href: webhookPath(endpoint), label: 'Endpoint' },
        lead: html`Send <bdi>${endpoint.url}</bdi> again what it has not received, or everything since a time.`,
        above:
          after !== undefined &&
          html`<div class="notice"><p>Up to the event ${after}, all is on the way. There are more: resend again
to go on.</p></div>
`,
        consequences: [
          'Deliveries that failed, or that wait for another attempt, are sent now.',
          'Events that were never sent there are sent, for example those while it was disabled.',
          'What it has received is not sent again, unless you choose so below. Events keep their IDs.',
        ],
        hidden:
          after === undefined ? {} : { after: String(after), afterOf: extentText(since, all) },
        stored: new Map([['since', since], ...(all ? [['all', 'true'] as const] : [])]),
        button: 'Resend events',
      }
    },
    async submit(request, typed, params) {
      const { developerId, actor } = developerActor(request)
      const subject = { developerId, ...params }
      const typedSince = typed.get('since') ?? ''
      const since = utcTimeOf(typedSince)
      if (since === undefined) {
        const text = 'Enter a date and a time, such as 2026-11-22 09:30.'
        throw refusedControls([{ field: 'since', text }])
      }
      const recovery = { since: new Date(since), ...extentOf(typed) }
      const { deliveries, position } = await recoverEndpoint(deps, subject, recovery, actor)
      const path = webhookPath({ appId: params.appId, id: params.endpointId })
      const text = recoveredText(deliveries, recovery.all)
      if (position === undefined) return { path, text }
      const rest = new URLSearchParams({
        since: typedSince,
        ...(recovery.all && { all: 'true' }),
        after: String(position),
        afterOf: extentText(typedSince, recovery.all),
      })
      return { path: `${path}/Recover?${rest}`, text }
    },
  })
}

/**
 * The time since which an endpoint has missed something, as the field shows it; at most as long ago
 * as events are kept, less a day.
 */
function missedSince(
  { failingSince, lastSuccessAt, disabledAt, createdAt }: Endpoint,
  now: Date,
): string {
  const since = failingSince && (lastSuccessAt ?? failingSince)
  const oldestMs = now.getTime() - (EVENTS_KEPT_DAYS - 1) * DAY_MS
  return utcFieldText(new Date(Math.max(oldestMs, (since ?? disabledAt ?? createdAt).getTime())))
}

/** What the form says beside the time: whether all is sent, and where a further request begins. */
function extentOf(fields: FormFields): { all: boolean; after: number | undefined } {
  const all = fields.has('all')
  const after = fields.get('after') ?? ''
  const goesOn = fields.get('afterOf') === extentText(fields.get('since') ?? '', all)
  return { all, after: goesOn && /^\d{1,15}$/.test(after) ? Number(after) : undefined }
}

/** What a recovery is asked for. Another one begins anew, and not where an earlier one came to. */
function extentText(since: string, all: boolean): string {
  return `${since}${all ? ', all' : ''}`
}

function recoveredText(count: number, all: boolean): string {
  if (count > 0) {
    return `${count.toLocaleString('en')} ${count === 1 ? 'delivery is' : 'deliveries are'} on the way.`
  }
  return all ? 'Nothing since then is left to send.' : 'The endpoint has missed nothing since then.'
}
