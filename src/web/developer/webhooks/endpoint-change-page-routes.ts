import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { AppError } from '../../../errors.ts'
import type { App } from '../../../http/app-type.ts'
import { sendPage } from '../../../http/send-page.ts'
import { listDeveloperAudit } from '../../../identity/audit/audit-trail-service.ts'
import { developerActor } from '../../../identity/guards/actor.ts'
import { EVENTS_KEPT_DAYS } from '../../../marketplace/events/event-record.ts'
import { recoverEndpoint } from '../../../marketplace/webhooks/delivery-log/recover-service.ts'
import { disableEndpoint } from '../../../marketplace/webhooks/endpoints/disable-endpoint-service.ts'
import { type Endpoint, EndpointPath } from '../../../marketplace/webhooks/endpoints/endpoint.ts'
import { rotateSecret } from '../../../marketplace/webhooks/endpoints/endpoint-actions-service.ts'
import { deleteEndpoint } from '../../../marketplace/webhooks/endpoints/endpoints-service.ts'
import { readEndpoint } from '../../../marketplace/webhooks/endpoints/read-endpoints-service.ts'
import type { Visit } from '../../kit/frame.ts'
import {
  nextStep,
  readAttempt,
  redirectDone,
  redirectSecret,
  refuse,
} from '../../requests/kept-forms.ts'
import { visitorShell } from '../../requests/visitor.ts'
import { type FormProblem, sentence } from '../../shared/forms/form-problems.ts'
import { refusalOf } from '../../shared/forms/refusal.ts'
import { Fields, type FormFields } from '../../shared/forms/settings-form.ts'
import type { HtmlPage } from '../../shared/page/html-page.ts'
import {
  deleteEndpointPage,
  disableEndpointPage,
  rotateSecretPage,
} from './endpoint-confirmations.ts'
import { newSecretShown } from './endpoint-refusal.ts'
import { recoverPage, recoveryText } from './recover-page.ts'
import { utcFieldText, utcTimeOf } from './utc-time.ts'
import { webhookPath, webhooksPath } from './webhook-paths.ts'

const DAY_MS = 86_400_000

const PATH = '/Developer/Apps/:appId/Webhooks/:endpointId'
const getSchema = { hide: true, params: EndpointPath, querystring: Fields }
const postSchema = { hide: true, params: EndpointPath, body: Fields }

/** What is wrong with a recovery, and what stands in its way, is told beside the form. */
const RECOVERY_REFUSED = ['unprocessable', 'conflict', 'too_many_requests'] as const

type OnEndpoint = FastifyRequest<{ Params: z.output<typeof EndpointPath> }>

/** What is done with a webhook endpoint after a last word: a new secret, recovery, its end. */
export async function endpointChangePageRoutes(app: App) {
  const { deps } = app
  const subjectOf = (request: OnEndpoint) => {
    const { developerId, actor } = developerActor(request)
    return { subject: { developerId, ...request.params }, actor }
  }
  const read = async (request: OnEndpoint) =>
    (await readEndpoint(deps, subjectOf(request).subject)).endpoint

  const confirmations = {
    Secret: rotateSecretPage,
    Disable: disableEndpointPage,
    Delete: deleteEndpointPage,
  } satisfies Record<string, (input: Visit & { endpoint: Endpoint }) => HtmlPage>
  for (const [action, pageOf] of Object.entries(confirmations)) {
    app.get(`${PATH}/${action}`, { schema: getSchema }, async (request, reply) => {
      const endpoint = await read(request)
      const { problems = [] } = readAttempt(request, reply) ?? {}
      return sendPage(reply, pageOf({ ...visitorShell(request, reply), endpoint, problems }))
    })
  }

  const withFactor = { config: { recentFactor: true, actsOnce: true }, schema: postSchema }
  app.post(`${PATH}/Secret`, withFactor, async (request, reply) => {
    const { subject, actor } = subjectOf(request)
    const { endpoint } = await rotateSecret(deps, subject, actor)
    const title = 'The secret was rotated. The old one also signs for 24 hours.'
    const shown = newSecretShown(title, endpoint.secret)
    return redirectSecret(request, reply, webhookPath(endpoint), shown)
  })

  app.post(`${PATH}/Disable`, { schema: postSchema }, async (request, reply) => {
    const { subject, actor } = subjectOf(request)
    const { endpoint } = await disableEndpoint(deps, subject, 'developer', actor)
    return redirectDone(request, reply, webhookPath(endpoint), 'The endpoint was disabled.')
  })

  app.post(`${PATH}/Delete`, { schema: postSchema }, async (request, reply) => {
    const { subject } = subjectOf(request)
    try {
      await deleteEndpoint(deps, developerActor(request), subject)
    } catch (error) {
      // A second click finds it done, with an entry in the trail: asked for in this order.
      const isGone = error instanceof AppError && error.code === 'not_found'
      if (!isGone || !(await isDeleted(request))) throw error
    }
    return redirectDone(request, reply, webhooksPath(subject.appId), 'The endpoint was deleted.')
  })

  app.get(`${PATH}/Recover`, { schema: getSchema }, async (request, reply) => {
    const endpoint = await read(request)
    const { problems = [], typed } = readAttempt(request, reply) ?? {}
    const since = typed?.get('since') ?? missedSince(endpoint, deps.now())
    const shown = { endpoint, problems, since, ...extentOf(typed) }
    return sendPage(reply, recoverPage({ ...visitorShell(request, reply), ...shown }))
  })

  app.post(`${PATH}/Recover`, { schema: postSchema }, async (request, reply) => {
    const { subject, actor } = subjectOf(request)
    const endpoint = await read(request)
    const since = utcTimeOf(request.body.get('since') ?? '')
    if (since === undefined) {
      const text = 'Enter a date and a time, such as 2026-11-22 09:30.'
      return refuse(request, reply, { problems: [{ field: 'since', text }] })
    }
    try {
      const recovery = { since: new Date(since), ...extentOf(request.body) }
      const { deliveries, position } = await recoverEndpoint(deps, subject, recovery, actor)
      if (position !== undefined) {
        const asked = recoveryText(request.body.get('since') ?? '', recovery.all)
        const came = new Map([...request.body, ['after', String(position)], ['afterOf', asked]])
        return await nextStep(request, reply, { fields: came })
      }
      const text = recoveredText(deliveries, recovery.all)
      return await redirectDone(request, reply, webhookPath(endpoint), text)
    } catch (error) {
      const refusal = refusalOf(error, RECOVERY_REFUSED, sinceProblems)
      return refuse(request, reply, refusal)
    }
  })

  async function isDeleted(request: OnEndpoint): Promise<boolean> {
    const { developerId, appId, endpointId } = subjectOf(request).subject
    const subject = { subjectKind: 'webhook', subjectId: endpointId, action: 'webhook.deleted' }
    const newest = { after: undefined, limit: 1 }
    const { entries } = await listDeveloperAudit(deps, developerId, subject, newest)
    return entries.some(({ before }) => before?.appId === appId)
  }
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
function extentOf(fields: FormFields = new Map()): { all: boolean; after: number | undefined } {
  const all = fields.get('all') === 'yes'
  const after = fields.get('after') ?? ''
  const goesOn = fields.get('afterOf') === recoveryText(fields.get('since') ?? '', all)
  return { all, after: goesOn && /^\d{1,15}$/.test(after) ? Number(after) : undefined }
}

function recoveredText(count: number, all: boolean): string {
  if (count > 0) {
    return `${count.toLocaleString('en')} ${count === 1 ? 'delivery is' : 'deliveries are'} on the way.`
  }
  return all ? 'Nothing since then is left to send.' : 'The endpoint has missed nothing since then.'
}

function sinceProblems({
  message,
  options,
}: {
  message: string
  options: { errors?: readonly { detail: string }[] | undefined }
}): FormProblem[] {
  const [first] = options.errors ?? []
  return first === undefined
    ? [{ field: undefined, text: message }]
    : [{ field: 'since', text: sentence(`The time ${first.detail}`) }]
}
