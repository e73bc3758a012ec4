import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppPath } from '../../base/values/app-path.ts'
import type { Deps } from '../../deps.ts'
import { AppError, ignoring } from '../../errors.ts'
import type { App } from '../../http/app-type.ts'
import { BODY_LIMIT_BYTES } from '../../http/bodies/json-body.ts'
import { sendPage } from '../../http/send-page.ts'
import { definedSettings } from '../../marketplace/apps/app-record.ts'
import { profileOf } from '../../marketplace/apps/settings/definitions.ts'
import {
  checkInstallForUser,
  installForUser,
} from '../../marketplace/installations/account-installations-service.ts'
import { createInstallRequest } from '../../marketplace/installations/requests/install-requests-service.ts'
import { nextStep, readAttempt } from '../requests/answers.ts'
import { type Done, takeForm } from '../requests/form-work.ts'
import { chosenAccountId, visitorActor, visitorOf, visitorShell } from '../requests/visitor.ts'
import { readTermsText } from '../shared/app-parts/terms-text-service.ts'
import type { FormProblem } from '../shared/forms/form-problems.ts'
import { Fields, type FormFields, storedSettingsOfValues } from '../shared/forms/settings-form.ts'
import { INSTALLATION_NOTICES } from '../shared/status/installation-notices.ts'
import { type Account, canBegin, type InstallListing } from './account-on-listing.ts'
import { readInstallListing } from './directory-service.ts'
import { earlierSettings } from './earlier-settings-service.ts'
import { accountSeal } from './install-account.ts'
import {
  CHOICE_PROBLEMS,
  chosenForInstall,
  hasLostAccount,
  type InstallChoice,
  installOfForm,
  installRefusal,
  postedChoice,
} from './install-choice.ts'
import {
  FROM_FIELD,
  installChoicePage,
  installFormPage,
  installReviewPage,
  STEP_FIELD,
} from './install-page.ts'
import { NOTE_FIELD, noteOf, REQUEST_FIELD } from './request-note.ts'

type ShownStep = {
  problems?: readonly FormProblem[]
  typed?: FormFields | undefined
  /** Whether the settings are those of an installation that was uninstalled. */
  isEarlier?: boolean
}

/** The install of an app, step by step; every step works without scripts. */
export async function installRoutes(app: App) {
  const path = '/Apps/:appId/Install'
  app.get(
    path,
    { schema: { hide: true, params: AppPath, querystring: Fields } },
    async (request, reply) => {
      const listing = await readInstallable(app.deps, visitorOf(request).id, request.params.appId)
      const again = readAttempt(request, reply)
      if (again === undefined) {
        const choice = chosenForInstall(listing, request.query, chosenAccountId(request))
        return request.query.get(STEP_FIELD) === 'choose'
          ? sendChoice(request, reply, listing, choice)
          : sendFirstStep(request, reply, listing, choice)
      }
      // The option was chosen again in the first step; all other entries stay.
      const isChosenAnew = request.query.has('purchaseOptionId')
      const typed = new Map([...again.typed, ...request.query])
      const choice = chosenForInstall(listing, typed)
      if (isChosenAnew) return sendStep(request, reply.code(200), listing, choice, { typed })
      const { problems, status } = again
      const step = problems.length > 0 ? undefined : typed.get(STEP_FIELD)
      if (step === 'choose') return sendChoice(request, reply, listing, choice)
      // Of the review are problems with the note, and a last step that waited for a sign-in.
      const isOfReview =
        (problems.length > 0 && problems.every(({ field }) => field === NOTE_FIELD)) ||
        (status === 200 && typed.get(STEP_FIELD) === 'install')
      if (step === 'review' || isOfReview) {
        return sendReview(request, reply, listing, choice, { fields: typed, problems })
      }
      return sendStep(request, reply, listing, choice, { problems, typed })
    },
  )

  takeForm(app, {
    path,
    params: AppPath,
    bodyLimit: BODY_LIMIT_BYTES,
    config: { formKind: 'wizard' },
    refused: [],
    async submit(request, fields, { appId }, reply) {
      const step = fields.get(STEP_FIELD)
      if (step === 'choose' || step === 'settings') {
        await nextStep(request, reply)
        return undefined
      }
      const listing = await readInstallable(app.deps, visitorOf(request).id, appId)
      const actor = visitorActor(request)
      const { userId } = actor
      const choice = postedChoice(app.deps, listing, userId, fields)
      const { account, option, isOptionLost } = choice
      if (account?.installationId) return installed(listing, account.installationId)
      if (account?.requestId) return asked(listing, account.requestId)
      if (account === undefined || option === undefined) {
        const text = hasLostAccount(app.deps, listing, userId, fields)
          ? CHOICE_PROBLEMS.lostAccount
          : CHOICE_PROBLEMS[isOptionLost ? 'lostOption' : 'nothing']
        return { problems: [{ field: undefined, text }], status: 422 }
      }
      const { profile, input } = installOfForm(listing, account, option, fields)
      const noted = noteOf(fields)
      if ('problem' in noted) return { problems: [noted.problem], status: 422 }
      try {
        if (step === 'review') {
          await checkInstallForUser(app.deps, userId, input)
          await nextStep(request, reply)
          return undefined
        }
        if (fields.has(REQUEST_FIELD)) {
          const wanted = { ...input, note: noted.note }
          const { id } = await createInstallRequest(app.deps, actor, account.partyId, wanted)
          return asked(listing, id)
        }
        return installed(listing, await installForUser(app.deps, actor, input))
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        if (error.code === 'already_installed') {
          const id = error.options.members?.installationId
          if (typeof id === 'string') return installed(listing, id)
        }
        // The words that were read may be others by now: shown and checked as they are now.
        const now = await readInstallable(app.deps, userId, listing.app.id)
        return installRefusal(error, now, profile, fields)
      }
    },
  })

  /** The form as it is opened: with the settings of an installation that was uninstalled, if asked. */
  async function sendFirstStep(
    request: FastifyRequest<{ Querystring: FormFields }>,
    reply: FastifyReply,
    listing: InstallListing,
    choice: InstallChoice,
  ) {
    const { account, option } = choice
    const installationId = request.query.get(FROM_FIELD)
    if (installationId === undefined || account === undefined || option === undefined) {
      return sendStep(request, reply, listing, choice)
    }
    const earlier = {
      userId: visitorOf(request).id,
      appId: listing.app.id,
      partyId: account.partyId,
      installationId,
    }
    const profile = profileOf(definedSettings(listing.app), option.id)
    const typed = await earlierSettings(app.deps, earlier, profile)
    return sendStep(request, reply, listing, choice, { typed, isEarlier: typed !== undefined })
  }

  async function sendStep(
    request: FastifyRequest<{ Querystring: FormFields }>,
    reply: FastifyReply,
    listing: InstallListing,
    choice: InstallChoice,
    { problems = [], typed, isEarlier = false }: ShownStep = {},
  ) {
    const { account, option } = choice
    if (account === undefined || option === undefined || !canBegin(account)) {
      return sendChoice(request, reply, listing, choice, problems)
    }
    const input = stepInput(request, reply, listing, account)
    const termsText = await readTermsText(app.deps, listing.app.id, listing.app.termsDocument)
    const form = { ...input, option, problems, typed, isEarlier, termsText }
    return sendPage(reply, installFormPage(form))
  }

  /** What the steps take that are about an account; their forms carry which one it is, sealed. */
  function stepInput(
    request: FastifyRequest,
    reply: FastifyReply,
    listing: InstallListing,
    account: Account,
  ) {
    const userId = visitorOf(request).id
    const install = { userId, appId: listing.app.id, partyId: account.partyId }
    const seal = accountSeal(app.deps, install)
    return { ...visitorShell(request, reply), ...listing, account, accountSeal: seal }
  }

  /** Checked again whenever it is shown: what was right may have changed meanwhile. */
  async function sendReview(
    request: FastifyRequest<{ Querystring: FormFields }>,
    reply: FastifyReply,
    listing: InstallListing,
    choice: InstallChoice,
    { fields, problems }: { fields: FormFields; problems: readonly FormProblem[] },
  ) {
    const { account, option } = choice
    if (account === undefined || option === undefined || !canBegin(account)) {
      return sendChoice(request, reply, listing, choice)
    }
    const { profile, input } = installOfForm(listing, account, option, fields)
    try {
      const values = await checkInstallForUser(app.deps, visitorOf(request).id, input)
      const stored = storedSettingsOfValues(profile, values)
      const shown = stepInput(request, reply, listing, account)
      return sendPage(reply, installReviewPage({ ...shown, option, problems, stored, fields }))
    } catch (error) {
      const refusal = installRefusal(error, listing, profile, fields)
      const shown = { problems: refusal.problems, typed: fields }
      return sendStep(request, reply.code(refusal.status), listing, choice, shown)
    }
  }

  function sendChoice(
    request: FastifyRequest<{ Querystring: FormFields }>,
    reply: FastifyReply,
    listing: InstallListing,
    choice: InstallChoice,
    problems: readonly FormProblem[] = [],
  ) {
    const { isOptionLost, ...chosen } = choice
    const lost = [{ field: undefined, text: CHOICE_PROBLEMS.lostOption }]
    const told = isOptionLost && problems.length === 0 ? lost : problems
    const input = { ...visitorShell(request, reply), ...listing, ...chosen, problems: told }
    return sendPage(
      reply,
      installChoicePage({
        ...input,
        keptId: request.page.attempt?.id,
        from: request.query.get(FROM_FIELD),
      }),
    )
  }
}

/** @throws AppError not_found, in words for somebody who was about to install the app */
async function readInstallable(
  deps: Pick<Deps, 'db'>,
  userId: string,
  appId: string,
): Promise<InstallListing> {
  const listing = await ignoring('not_found', readInstallListing(deps, userId, appId))
  if (listing !== undefined) return listing
  throw new AppError('not_found', {
    detail: 'Nobody can install it now. Accounts that have installed it keep it.',
    page: {
      title: 'This app is no longer in the catalogue',
      ways: [{ href: '/Apps', label: 'Browse the apps' }],
      isFault: false,
    },
  })
}

function installed({ app }: InstallListing, installationId: string): Done {
  return { path: `/Installed/${installationId}`, text: INSTALLATION_NOTICES.installed(app.name) }
}

function asked({ app }: InstallListing, requestId: string): Done {
  const text = `You asked for ${app.name}. An admin of the account will decide.`
  return { path: `/Account/Requests/${requestId}`, text }
}
