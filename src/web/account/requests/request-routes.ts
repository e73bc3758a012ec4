import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { AppError, ignoring } from '../../../errors.ts'
import type { App } from '../../../http/app-type.ts'
import { sendPage } from '../../../http/send-page.ts'
import { readOwnUser } from '../../../identity/accounts/own-user-service.ts'
import {
  acceptInstallRequest,
  declineInstallRequest,
  withdrawInstallRequest,
} from '../../../marketplace/installations/requests/decide-request-service.ts'
import {
  InstallRequestPath,
  InstallRequestRefusal,
} from '../../../marketplace/installations/requests/install-request.ts'
import type { RequestShown } from '../../../marketplace/installations/requests/request-shown.ts'
import {
  countRequestsToDecide,
  listDecidedRequests,
  listRequests,
  listWaitingRequests,
  readRequestShown,
} from '../../../marketplace/installations/requests/requests-shown-service.ts'
import { framePage } from '../../kit/frame.ts'
import { readListing } from '../../marketplace/directory-service.ts'
import { formPage } from '../../requests/form-page.ts'
import type { Done } from '../../requests/form-work.ts'
import { loadShown } from '../../requests/list-pages.ts'
import { listFileRoute } from '../../requests/lists.ts'
import { takeNotice } from '../../requests/notices.ts'
import { chosenAccountId, visitorActor, visitorOf, visitorShell } from '../../requests/visitor.ts'
import { readTermsText } from '../../shared/app-parts/terms-text-service.ts'
import {
  type ConsentQuestions,
  consentFormProblems,
  consentOfForm,
  settingProblems,
  UNTOUCHED,
} from '../../shared/forms/form-problems.ts'
import { type Refusal, refusalOf } from '../../shared/forms/refusal.ts'
import { Fields, type FormFields, multilineText } from '../../shared/forms/settings-form.ts'
import { html } from '../../shared/page/html.ts'
import { INSTALLATION_NOTICES } from '../../shared/status/installation-notices.ts'
import { REQUESTS_PATH } from '../../shared/status/requests-notice.ts'
import { accountParts, backToPart } from '../account-parts.ts'
import { DECISION_FIELD, lacksReason, requestForms } from './request-page.ts'
import { requestCards } from './request-view.ts'
import { REQUEST_COLUMNS, requestsFile, requestsView } from './requests-page.ts'

const PAGE_SIZE = 40
const PATH = `${REQUESTS_PATH}/:requestId`
const RequestPath = z.object({ requestId: InstallRequestPath.shape.requestId })
/** Refusals that are told above the request. */
const TOLD = ['conflict', 'already_installed', 'unprocessable', 'acknowledgement_changed'] as const
const ASKS_NOTHING: ConsentQuestions = { acknowledgements: [], termsDocument: null }

/** The install requests of the visitor's accounts: admins decide them, members see their own. */
export async function requestRoutes(app: App) {
  const { deps } = app

  app.get(
    REQUESTS_PATH,
    { schema: { hide: true, querystring: Fields } },
    async (request, reply) => {
      const userId = visitorOf(request).id
      const partyId = chosenAccountId(request)
      const { entries, isContinued, cursor } = await loadShown(
        request,
        ['requests page', userId, partyId ?? null],
        PAGE_SIZE,
        (page) => listWaitingRequests(deps, userId, partyId, page),
      )
      const decided = isContinued ? [] : await listDecidedRequests(deps, userId, partyId)
      const count = await countRequestsToDecide(deps, userId, partyId)
      const visit = { ...visitorShell(request, reply), message: takeNotice(request, reply)?.text }
      return sendPage(
        reply,
        framePage({ console: 'account' }, visit, {
          title: 'Install requests',
          beside: entries.length + decided.length > 0 && requestsFile,
          lead: 'Apps that members asked for.',
          aside: accountParts('Requests', count),
          content: requestsView({ waiting: entries, decided, cursor }),
        }),
      )
    },
  )

  listFileRoute(app, `${REQUESTS_PATH}/Export`, { noun: 'request' }, async (request) => {
    const userId = visitorOf(request).id
    const { parties } = await readOwnUser(deps, userId)
    const chosenId = chosenAccountId(request)
    const shown = parties.filter(({ id }) => chosenId === undefined || id === chosenId)
    const accountIds = shown.map(({ id }) => id)
    return {
      columns: REQUEST_COLUMNS,
      load: (page) => listRequests(deps, userId, accountIds, page),
      accountIds,
      adminOf: shown.filter(({ role }) => role === 'admin').map(({ id }) => id),
    }
  })

  formPage(app, {
    path: PATH,
    params: RequestPath,
    place: { console: 'account' },
    refused: TOLD,
    async page(request, _typed, _reply, { requestId }, again) {
      const userId = visitorOf(request).id
      const shown = await readRequestShown(deps, userId, requestId)
      const questions = await readQuestions(userId, shown)
      const terms = questions?.termsDocument ?? null
      const termsText = await readTermsText(deps, shown.appId, terms)
      const attempt = again ?? UNTOUCHED
      return {
        title: `Request for ${shown.appName}`,
        heading: html`Request for <bdi>${shown.appName}</bdi>`,
        back: backToPart('Requests'),
        takesFocus: lacksReason(attempt),
        above: requestCards(shown),
        below: (csrfToken) =>
          requestForms({ request: shown, questions, termsText, attempt, csrfToken }),
      }
    },
    async submit(request, typed, { requestId }) {
      const author = visitorActor(request)
      const shown = await readRequestShown(deps, author.userId, requestId)
      if (shown.status !== 'pending') {
        throw new AppError('conflict', { detail: `The request is ${shown.status} already.` })
      }
      const decision = typed.get(DECISION_FIELD)
      if (decision === 'accept') return accept(request, shown, typed)
      if (decision === 'decline') return decline(request, shown, typed)
      if (decision !== 'withdraw') {
        throw new AppError('invalid_request', { detail: 'Choose what to do with the request.' })
      }
      await withdrawInstallRequest(deps, author, requestOf(shown))
      return { path: REQUESTS_PATH, text: 'Your request was withdrawn.' }
    },
  })

  async function accept(
    request: FastifyRequest,
    shown: RequestShown,
    typed: FormFields,
  ): Promise<Done | Refusal> {
    const author = visitorActor(request)
    const questions = (await readQuestions(author.userId, shown)) ?? ASKS_NOTHING
    const consent = consentOfForm(questions, typed)
    try {
      const done = await acceptInstallRequest(deps, author, requestOf(shown), consent)
      const text = INSTALLATION_NOTICES.installed(shown.appName)
      return { path: `/Installed/${done.installationId}`, text }
    } catch (error) {
      return refusalOf(error, TOLD, ({ code, message, options: { errors = [] } }) => {
        const isOfForm = code === 'unprocessable' || code === 'acknowledgement_changed'
        const problems = isOfForm
          ? [
              // The page shows settings without controls.
              ...settingProblems(shown.profile, errors, '/userSettings').map(({ text }) => ({
                field: undefined,
                text,
              })),
              ...consentFormProblems(questions, typed),
            ]
          : []
        return problems.length > 0 ? problems : [{ field: undefined, text: message }]
      })
    }
  }

  async function decline(
    request: FastifyRequest,
    shown: RequestShown,
    typed: FormFields,
  ): Promise<Done | Refusal> {
    const reason = multilineText(typed, 'reason')
    const refusal = InstallRequestRefusal.safeParse({ reason })
    if (!refusal.success) {
      const text =
        reason.trim() === ''
          ? 'Enter a reason.'
          : 'Enter a reason of at most 500 characters, without control characters.'
      return { problems: [{ field: 'reason', text }], status: 422 }
    }
    await declineInstallRequest(deps, visitorActor(request), requestOf(shown), refusal.data)
    return { path: REQUESTS_PATH, text: `The request for ${shown.appName} was declined.` }
  }

  /** What an admin has to accept; undefined when the app has another version, or is gone. */
  async function readQuestions(
    userId: string,
    { appId, version, status, isAdmin }: RequestShown,
  ): Promise<ConsentQuestions | undefined> {
    if (status !== 'pending' || !isAdmin) return undefined
    const listing = await ignoring('not_found', readListing(deps, userId, appId))
    return listing?.app.version === version ? listing.app : undefined
  }
}

function requestOf({ id, partyId }: RequestShown): { partyId: number; requestId: string } {
  return { requestId: id, partyId }
}
