import type { FastifyReply, FastifyRequest } from 'fastify'
import type { PurchaseOption } from '../../apps/pricing/purchase-options.ts'
import {
  profileOf,
  type SettingsConfiguration,
  type SettingsProfile,
} from '../../apps/settings/definitions.ts'
import { AppError } from '../../errors.ts'
import type { App } from '../../http/app-type.ts'
import { BODY_LIMIT_BYTES } from '../../http/bodies/json-body.ts'
import { sendPage } from '../../http/send-page.ts'
import {
  checkInstallForUser,
  installForUser,
} from '../../installations/account-installations-service.ts'
import { createInstallRequest } from '../../installations/requests/install-requests-service.ts'
import { AppPath } from '../../values/app-path.ts'
import { sendDone, showAgain, shownAgain, showRefusal } from '../page-requests/kept-forms.ts'
import { chosenAccountId, visitorActor, visitorOf, visitorShell } from '../page-requests/visitor.ts'
import {
  consentFormProblems,
  consentOfForm,
  type FormProblem,
  settingProblems,
} from '../shared/forms/form-problems.ts'
import { type Refusal, refusalOf } from '../shared/forms/refusal.ts'
import {
  Fields,
  type FormFields,
  settingsInput,
  storedSettingsOfValues,
} from '../shared/forms/settings-form.ts'
import { INSTALLATION_NOTICES } from '../shared/status/installation-notices.ts'
import { type Account, accountsToBegin, canBegin } from './account-on-listing.ts'
import { type Listing, readListing } from './directory-service.ts'
import { accountSeal, isAboutAccount } from './install-account.ts'
import {
  installChoicePage,
  installFormPage,
  installReviewPage,
  STEP_FIELD,
} from './install-page.ts'
import { noteOf, REQUEST_FIELD } from './request-note.ts'

/** Errors that the form is shown again with. */
const SHOWN_AGAIN = [
  'unprocessable',
  'acknowledgement_changed',
  'conflict',
  'already_exists',
] as const

/** The install of an app, step by step; every step works without scripts. */
export async function installRoutes(app: App) {
  const path = '/Apps/:appId/Install'
  app.get(
    path,
    { schema: { hide: true, params: AppPath, querystring: Fields } },
    async (request, reply) => {
      const listing = await readListing(app.deps, visitorOf(request).id, request.params.appId)
      const again = shownAgain(request, reply)
      if (again === undefined) {
        const choice = chosen(listing, request.query, chosenAccountId(request))
        return request.query.get(STEP_FIELD) === 'choose'
          ? sendChoice(request, reply, listing, choice)
          : sendStep(request, reply, listing, choice)
      }
      // The option was chosen again in the first step; all other entries stay.
      const isChosenAnew = request.query.has('purchaseOptionId')
      const typed = new Map([...again.typed, ...request.query])
      const choice = chosen(listing, typed)
      if (isChosenAnew) return sendStep(request, reply.code(200), listing, choice, [], typed)
      const { problems } = again
      const step = problems.length > 0 ? undefined : typed.get(STEP_FIELD)
      if (step === 'choose') return sendChoice(request, reply, listing, choice)
      if (step === 'review') return sendReview(request, reply, listing, choice, typed)
      return sendStep(request, reply, listing, choice, problems, typed)
    },
  )

  app.post(
    path,
    {
      bodyLimit: BODY_LIMIT_BYTES,
      config: { actsOnce: true },
      schema: { hide: true, params: AppPath, body: Fields },
    },
    async (request, reply) => {
      const fields = request.body
      const step = fields.get(STEP_FIELD)
      if (step === 'choose' || step === 'settings') return showAgain(request, reply)
      const listing = await readListing(app.deps, visitorOf(request).id, request.params.appId)
      const actor = visitorActor(request)
      const { account, option } = posted(app.deps, listing, actor.userId, fields)
      if (account?.installationId)
        return sendInstalled(request, reply, listing, account.installationId)
      if (account?.requestId) return sendAsked(request, reply, listing, account.requestId)
      if (account === undefined || option === undefined) {
        const text = isLost(app.deps, listing, actor.userId, fields)
          ? 'You no longer belong to the account that this form was for.'
          : 'Choose an account and a purchase option.'
        return showAgain(request, reply, [{ field: undefined, text }])
      }
      const { profile, input } = wanted(listing, account, option, fields)
      const noted = noteOf(fields)
      if ('problem' in noted) return showAgain(request, reply, [noted.problem])
      try {
        if (step === 'review') {
          await checkInstallForUser(app.deps, actor.userId, input)
          return showAgain(request, reply)
        }
        if (fields.has(REQUEST_FIELD)) {
          const asked = { ...input, note: noted.note }
          const { id } = await createInstallRequest(app.deps, actor, account.partyId, asked)
          return await sendAsked(request, reply, listing, id)
        }
        const { installation } = await installForUser(app.deps, actor, input)
        return sendInstalled(request, reply, listing, installation.id)
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        if (error.code === 'already_installed') {
          const id = error.options.members?.installationId
          if (typeof id === 'string') return sendInstalled(request, reply, listing, id)
        }
        // The words that were read may be others by now: shown and checked as they are now.
        const now = await readListing(app.deps, actor.userId, listing.app.id)
        return showRefusal(request, reply, installRefusal(error, now, profile, fields))
      }
    },
  )

  function sendStep(
    request: FastifyRequest,
    reply: FastifyReply,
    listing: Listing,
    choice: Choice,
    problems: readonly FormProblem[] = [],
    typed?: FormFields,
  ) {
    const { account, option } = choice
    if (account === undefined || option === undefined || !canBegin(account)) {
      return sendChoice(request, reply, listing, choice, problems)
    }
    const input = stepInput(request, reply, listing, account)
    return sendPage(reply, installFormPage({ ...input, option, problems, typed }))
  }

  /** What the steps take that are about an account; their forms carry which one it is, sealed. */
  function stepInput(
    request: FastifyRequest,
    reply: FastifyReply,
    listing: Listing,
    account: Account,
  ) {
    const userId = visitorOf(request).id
    const install = { userId, appId: listing.app.id, partyId: account.partyId }
    const seal = accountSeal(app.deps, install)
    return { ...visitorShell(request, reply), ...listing, account, accountSeal: seal }
  }

  /** Checked again whenever it is shown: what was right may have changed meanwhile. */
  async function sendReview(
    request: FastifyRequest,
    reply: FastifyReply,
    listing: Listing,
    choice: Choice,
    fields: FormFields,
  ) {
    const { account, option } = choice
    if (account === undefined || option === undefined || !canBegin(account)) {
      return sendChoice(request, reply, listing, choice)
    }
    const { profile, input } = wanted(listing, account, option, fields)
    try {
      const values = await checkInstallForUser(app.deps, visitorOf(request).id, input)
      const stored = storedSettingsOfValues(profile, values)
      const shown = stepInput(request, reply, listing, account)
      return sendPage(reply, installReviewPage({ ...shown, option, problems: [], stored, fields }))
    } catch (error) {
      const { status, problems } = installRefusal(error, listing, profile, fields)
      return sendStep(request, reply.code(status), listing, choice, problems, fields)
    }
  }

  function sendChoice(
    request: FastifyRequest,
    reply: FastifyReply,
    listing: Listing,
    choice: Choice,
    problems: readonly FormProblem[] = [],
  ) {
    const input = { ...visitorShell(request, reply), ...listing, problems }
    return sendPage(reply, installChoicePage({ ...input, ...choice, keptId: request.kept?.id }))
  }
}

function sendInstalled(
  request: FastifyRequest,
  reply: FastifyReply,
  { app }: Listing,
  installationId: string,
) {
  const text = INSTALLATION_NOTICES.installed(app.name)
  return sendDone(request, reply, `/Installed/${installationId}`, text)
}

function sendAsked(
  request: FastifyRequest,
  reply: FastifyReply,
  { app }: Listing,
  requestId: string,
) {
  const text = `You asked for ${app.name}. An admin of the account will decide.`
  return sendDone(request, reply, `/Account/Requests/${requestId}`, text)
}

/** What a form asks for. */
function wanted(
  { app }: Listing,
  { partyId }: Account,
  { id: purchaseOptionId }: PurchaseOption,
  fields: FormFields,
) {
  const profile = profileOf(app.settings as SettingsConfiguration, purchaseOptionId)
  const input = {
    appId: app.id,
    partyId,
    purchaseOptionId,
    userSettings: settingsInput(profile, fields),
    version: fields.get('version') ?? '',
    ...consentOfForm(app, fields),
  }
  return { profile, input }
}

type Choice = ReturnType<typeof chosen>

/** The account and the option of a form; no account but the one that its page was about. */
function posted(deps: App['deps'], listing: Listing, userId: string, fields: FormFields): Choice {
  const { account, option } = chosen(listing, fields)
  const isSealed =
    account !== undefined &&
    isAboutAccount(deps, { userId, appId: listing.app.id, partyId: account.partyId }, fields)
  return { account: isSealed ? account : undefined, option }
}

/** Whether a form is about an account that the user belongs to no more. */
function isLost(deps: App['deps'], listing: Listing, userId: string, fields: FormFields): boolean {
  const partyId = Number(fields.get('partyId'))
  return (
    listing.accounts.every((account) => account.partyId !== partyId) &&
    isAboutAccount(deps, { userId, appId: listing.app.id, partyId }, fields)
  )
}

/**
 * The account and the option that an address or a form names; the only one goes without saying.
 *
 * @param chosenId the account that the visitor has chosen for all pages, where none is named
 */
function chosen({ accounts, options }: Listing, fields: FormFields, chosenId?: number) {
  const able = accountsToBegin(accounts)
  const named = fields.get('partyId')
  const account: Account | undefined =
    named !== undefined
      ? accounts.find(({ partyId }) => String(partyId) === named)
      : chosenId !== undefined
        ? accounts.find(({ partyId }) => partyId === chosenId)
        : able.length === 1
          ? able[0]
          : undefined
  const optionId = fields.get('purchaseOptionId')
  const option =
    optionId === undefined && options.length === 1
      ? options[0]
      : options.find(({ id }) => id === optionId)
  return { account, option }
}

/**
 * What a refused install tells about its form.
 *
 * @throws the error itself, when it is not about the form
 */
function installRefusal(
  error: unknown,
  { app }: Listing,
  profile: SettingsProfile,
  fields: FormFields,
): Refusal {
  return refusalOf(error, SHOWN_AGAIN, ({ message, options: { errors = [] } }) => {
    const ofChoice = errors.filter(({ pointer }) =>
      /^\/(partyId|appId|purchaseOptionId)/.test(pointer),
    )
    const problems = [
      ...settingProblems(profile, errors, '/userSettings'),
      ...consentFormProblems(app, fields),
      ...ofChoice.map(({ detail }) => ({ field: undefined, text: detail })),
    ]
    return problems.length > 0 ? problems : [{ field: undefined, text: message }]
  })
}
