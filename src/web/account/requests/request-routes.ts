import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { AppError, ERROR_CODES, ignoring } from '../../../errors.ts'
import type { App } from '../../../http/app-type.ts'
import { sendPage } from '../../../http/send-page.ts'
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
  listDecidedRequests,
  listWaitingRequests,
  readRequestShown,
} from '../../../marketplace/installations/requests/requests-shown-service.ts'
import { readListing } from '../../marketplace/directory-service.ts'
import { readAttempt, redirectDone, refuse } from '../../requests/kept-forms.ts'
import { loadShown } from '../../requests/list-pages.ts'
import { takeNotice } from '../../requests/notices.ts'
import { chosenAccountId, visitorActor, visitorOf, visitorShell } from '../../requests/visitor.ts'
import {
  type ConsentQuestions,
  consentFormProblems,
  consentOfForm,
  settingProblems,
  UNTOUCHED,
} from '../../shared/forms/form-problems.ts'
import { refusalOf } from '../../shared/forms/refusal.ts'
import { Fields, type FormFields, multilineText } from '../../shared/forms/settings-form.ts'
import { INSTALLATION_NOTICES } from '../../shared/status/installation-notices.ts'
import { REQUESTS_PATH } from '../../shared/status/requests-notice.ts'
import { DECISION_FIELD, requestPage } from './request-page.ts'
import { requestsPage } from './requests-page.ts'

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
      const shell = visitorShell(request, reply)
      const message = takeNotice(request, reply)?.text
      return sendPage(reply, requestsPage({ ...shell, waiting: entries, decided, cursor, message }))
    },
  )

  app.get(PATH, { schema: { hide: true, params: RequestPath } }, async (request, reply) => {
    const userId = visitorOf(request).id
    const shown = await readRequestShown(deps, userId, request.params.requestId)
    const attempt = readAttempt(request, reply) ?? UNTOUCHED
    return sendPage(
      reply,
      requestPage({
        ...visitorShell(request, reply),
        request: shown,
        questions: await readQuestions(userId, shown),
        attempt,
        message: takeNotice(request, reply)?.text,
      }),
    )
  })

  app.post(
    PATH,
    { config: { actsOnce: true }, schema: { hide: true, params: RequestPath, body: Fields } },
    async (request, reply) => {
      const fields = request.body
      const author = visitorActor(request)
      const shown = await readRequestShown(deps, author.userId, request.params.requestId)
      if (shown.status !== 'pending') {
        const text = `The request is ${shown.status} already.`
        return refuse(request, reply, {
          problems: [{ field: undefined, text }],
          status: ERROR_CODES.conflict.status,
        })
      }
      const decision = fields.get(DECISION_FIELD)
      if (decision === 'accept') return accept(request, reply, shown, fields)
      if (decision === 'decline') return decline(request, reply, shown, fields)
      if (decision !== 'withdraw') {
        throw new AppError('invalid_request', { detail: 'Choose what to do with the request.' })
      }
      try {
        await withdrawInstallRequest(deps, author, requestOf(shown))
      } catch (error) {
        return refuse(request, reply, refusalOf(error, TOLD))
      }
      return redirectDone(request, reply, REQUESTS_PATH, 'Your request was withdrawn.')
    },
  )

  async function accept(
    request: FastifyRequest,
    reply: FastifyReply,
    shown: RequestShown,
    fields: FormFields,
  ) {
    const author = visitorActor(request)
    const questions = (await readQuestions(author.userId, shown)) ?? ASKS_NOTHING
    try {
      const consent = consentOfForm(questions, fields)
      const done = await acceptInstallRequest(deps, author, requestOf(shown), consent)
      const text = INSTALLATION_NOTICES.installed(shown.appName)
      return await redirectDone(request, reply, `/Installed/${done.installationId}`, text)
    } catch (error) {
      const refusal = refusalOf(error, TOLD, ({ code, message, options: { errors = [] } }) => {
        const isOfForm = code === 'unprocessable' || code === 'acknowledgement_changed'
        const problems = isOfForm
          ? [
              // The page shows settings without controls.
              ...settingProblems(shown.profile, errors, '/userSettings').map(({ text }) => ({
                field: undefined,
                text,
              })),
              ...consentFormProblems(questions, fields),
            ]
          : []
        return problems.length > 0 ? problems : [{ field: undefined, text: message }]
      })
      return refuse(request, reply, refusal)
    }
  }

  async function decline(
    request: FastifyRequest,
    reply: FastifyReply,
    shown: RequestShown,
    fields: FormFields,
  ) {
    const reason = multilineText(fields, 'reason')
    const refusal = InstallRequestRefusal.safeParse({ reason })
    if (!refusal.success) {
      const text =
        reason.trim() === ''
          ? 'Enter a reason.'
          : 'Enter a reason of at most 500 characters, without control characters.'
      return refuse(request, reply, { problems: [{ field: 'reason', text }] })
    }
    try {
      await declineInstallRequest(deps, visitorActor(request), requestOf(shown), refusal.data)
    } catch (error) {
      return refuse(request, reply, refusalOf(error, TOLD))
    }
    return redirectDone(
      request,
      reply,
      REQUESTS_PATH,
      `The request for ${shown.appName} was declined.`,
    )
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
