import type { FastifyRequest } from 'fastify'
import { AppPath } from '../../../base/values/app-path.ts'
import { AppError } from '../../../errors.ts'
import type { App } from '../../../http/app-type.ts'
import { developerActor } from '../../../identity/guards/actor.ts'
import { developerOf } from '../../../identity/guards/audience.ts'
import { readOwnApp } from '../../../marketplace/apps/read-apps-service.ts'
import { countFailedAttemptsOfEach } from '../../../marketplace/webhooks/delivery-log/recent-attempts-service.ts'
import { EndpointPath } from '../../../marketplace/webhooks/endpoints/endpoint.ts'
import {
  changeEndpoint,
  createEndpoint,
} from '../../../marketplace/webhooks/endpoints/endpoints-service.ts'
import {
  listEndpoints,
  readEndpoint,
} from '../../../marketplace/webhooks/endpoints/read-endpoints-service.ts'
import { type FormSpec, refusedControls } from '../../kit/fields.ts'
import { formPage } from '../../requests/form-page.ts'
import { revisionOf } from '../../shared/forms/change-problems.ts'
import type { FormFields } from '../../shared/forms/settings-form.ts'
import { html } from '../../shared/page/html.ts'
import { ownAppPath } from '../console-frame.ts'
import { endpointControls } from './endpoint-fields.ts'
import { ENDPOINT_FIELD, storedEndpoint } from './endpoint-form.ts'
import { endpointInput, endpointPatch } from './endpoint-input.ts'
import { endpointsView, newSecretShown, savedMeanwhile } from './endpoints-view.ts'
import { webhookPath } from './webhook-paths.ts'

const PATH = '/Developer/Apps/:appId/Webhooks'
/** More than an app can have. */
const ENDPOINTS_MAX = 100

/** Where the form shows what the service finds wrong with an endpoint. */
const SERVICE_FIELDS: FormSpec = {
  [ENDPOINT_FIELD.url]: { label: 'The URL' },
  [ENDPOINT_FIELD.headerName(1)]: { label: 'The request headers', pointers: ['/headers'] },
}

/** What was typed into a form with values of headers is kept sealed when it is refused. */
const SECRET_FORM = { formKind: 'secret' } as const

const CHANGED_MEANWHILE =
  'The endpoint has changed since you opened this page. Compare what is saved now with your entries, then send the form again.'

/** The webhook endpoints of a developer's app with the form for one more, and the form that changes one. */
export async function endpointFormRoutes(app: App) {
  const { deps } = app
  const place = { console: 'developer', section: 'own-apps' } as const
  const refused = ['unprocessable', 'conflict', 'precondition_failed'] as const
  /** What a form says; its problems are told at its controls. */
  const inputOf = (typed: FormFields, stored?: Parameters<typeof endpointInput>[2]) => {
    const { input, problems } = endpointInput(typed, deps.config.webhookAllowedPrivateHosts, stored)
    if (problems.length > 0) throw refusedControls(problems)
    return input
  }

  formPage(app, {
    path: PATH,
    params: AppPath,
    place,
    fields: SERVICE_FIELDS,
    config: SECRET_FORM,
    refused,
    async page(request, _, _reply, { appId }) {
      const { developerId } = developerOf(request)
      const { app: own } = await readOwnApp(deps, developerId, appId)
      const all = { after: undefined, limit: ENDPOINTS_MAX }
      const { entries } = await listEndpoints(deps, { developerId, appId: own.id }, all)
      const figures = await countFailedAttemptsOfEach(
        deps,
        entries.map(({ id }) => id),
      )
      return {
        title: `Webhooks of ${own.name}`,
        heading: html`Webhooks`,
        back: { href: ownAppPath(own.id), label: own.name },
        lead: html`The marketplace sends each event of <bdi>${own.name}</bdi> to these endpoints.
<a href="/docs/receive-events">How to receive events</a>`,
        above: endpointsView(own.id, entries, figures),
        intro: html`<h2>New endpoint</h2>`,
        controls: (attempt) => endpointControls(attempt),
        button: 'Add endpoint',
      }
    },
    async submit(request, typed, { appId }) {
      const author = developerActor(request)
      const { app: own } = await readOwnApp(deps, author.developerId, appId)
      const input = inputOf(typed)
      const headers = Object.fromEntries(
        Object.entries(input.headers).filter((header): header is [string, string] => !!header[1]),
      )
      const { endpoint } = await createEndpoint(deps, author, own.id, { ...input, headers })
      const secret = newSecretShown('The endpoint was added.', endpoint.secret)
      return { path: webhookPath(endpoint), secret }
    },
  })

  const read = (request: FastifyRequest, path: { appId: string; endpointId: string }) =>
    readEndpoint(deps, { developerId: developerOf(request).developerId, ...path })

  formPage(app, {
    path: `${PATH}/:endpointId/Change`,
    params: EndpointPath,
    place,
    fields: SERVICE_FIELDS,
    config: SECRET_FORM,
    refused,
    async page(request, typed, _reply, params) {
      const { endpoint, revision } = await read(request, params)
      // A visitor who has seen what somebody else has changed may overwrite it.
      const isOutdated = typed.has('revision') && revisionOf(typed) !== revision
      return {
        title: 'Change the endpoint',
        about: endpoint.url,
        back: { href: webhookPath(endpoint), label: 'Endpoint' },
        lead: 'Waiting deliveries are sent as you set it here. A new URL starts with a clean record.',
        above: isOutdated && savedMeanwhile(endpoint),
        hidden: { revision: String(revision) },
        stored: storedEndpoint(endpoint),
        controls: (attempt) => endpointControls(attempt, endpoint.headerNames),
        button: 'Save',
      }
    },
    async submit(request, typed, params) {
      const { endpoint, revision } = await read(request, params)
      if (revisionOf(typed) !== revision) {
        throw new AppError('precondition_failed', { detail: CHANGED_MEANWHILE })
      }
      const patch = endpointPatch(inputOf(typed, endpoint), endpoint)
      const subject = { ...params, expectedRevisions: [revisionOf(typed)] }
      await changeEndpoint(deps, developerActor(request), subject, patch)
      return { path: webhookPath(endpoint), text: 'The endpoint was saved.' }
    },
  })
}
