import type { EventType } from '../../../marketplace/events/event-types.ts'
import { disablesAt, failingStep } from '../../../marketplace/webhooks/attempts/retry-schedule.ts'
import type { AttemptFigures } from '../../../marketplace/webhooks/delivery-log/delivery.ts'
import type { Endpoint } from '../../../marketplace/webhooks/endpoints/endpoint.ts'
import { stateBadge } from '../../kit/badge.ts'
import { countText } from '../../shared/page/counts.ts'
import { type Html, html } from '../../shared/page/html.ts'
import { when, whenExactly } from '../../shared/status/history-view.ts'

type Fares = Pick<
  Endpoint,
  'status' | 'health' | 'disabledReason' | 'disabledAt' | 'failingSince' | 'lastSuccessAt'
>

const DISABLED = {
  developer: 'you disabled it',
  failing: 'it failed for five days',
  gone: 'it answered 410 Gone',
} as const satisfies Record<NonNullable<Endpoint['disabledReason']>, string>

/** How an endpoint fares, at a glance. */
export function healthBadge({ status, health }: Pick<Fares, 'status' | 'health'>): Html {
  if (status === 'disabled') return stateBadge('off', 'Disabled')
  if (health === 'failing') return stateBadge('warn', 'Failing')
  if (health === 'healthy') return stateBadge('on', 'Healthy')
  return stateBadge('idle', 'No deliveries yet')
}

/** How an endpoint fares, in a sentence. */
export function healthSentence(endpoint: Fares): Html {
  const { disabledAt, disabledReason, failingSince, lastSuccessAt } = endpoint
  if (disabledAt !== null) {
    return html`Disabled since ${when(disabledAt)}: ${DISABLED[disabledReason ?? 'developer']}.`
  }
  if (failingSince !== null) {
    return html`Failing since ${whenExactly(failingSince)}. It is disabled on
${when(disablesAt(failingSince))} unless it answers.`
  }
  if (lastSuccessAt !== null) return html`Healthy. Last delivery: ${whenExactly(lastSuccessAt)}.`
  return html`Nothing has been sent yet.`
}

/** `3 of the last 120 attempts failed · 2.5%`. */
export function errorRate({ attempts, failed }: AttemptFigures): string {
  const share = Math.round((failed / attempts) * 1000) / 10
  const last = attempts === 1 ? 'the last attempt' : `the last ${countText(attempts)} attempts`
  return `${countText(failed)} of ${last} failed · ${share}%`
}

/** The notice of an endpoint that is failing or disabled: what that means, and what to do. */
export function healthNotice(endpoint: Endpoint, now: Date): Html | false {
  const { status, failingSince, lastFailure, disabledReason } = endpoint
  if (status === 'disabled') {
    return html`<div class="notice ${disabledReason === 'developer' ? 'warning' : 'error'}"><p>
<strong>${healthSentence(endpoint)}</strong></p><p>Nothing is sent to it. Enable it, then resend the events it
has missed.</p></div>`
  }
  if (failingSince === null) return false
  const step = failingStep(failingSince, now, 0)
  const used = typeof step === 'number' ? `${step}%` : step === 'disable' ? 'All' : undefined
  return html`<div class="notice ${used === undefined ? 'warning' : 'error'}"><p>
<strong>${healthSentence(endpoint)}</strong></p>${
    lastFailure !== null && html`<p>Last failure: <bdi>${lastFailure.detail}</bdi></p>`
  }${
    used !== undefined &&
    html`<p>${used} of the five days in which it may fail are over. Check your receiver, then send a test.</p>`
  }</div>`
}

/** Which events are sent, in a few words. */
export function eventsText(events: readonly EventType[]): string {
  if (events.length === 0) return 'All events'
  const [first = ''] = events
  return events.length === 1 ? first : `${events.length} types of events`
}
