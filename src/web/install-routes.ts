import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppPath } from '../apps/app-record.ts'
import { profileOf, type SettingsConfiguration } from '../apps/setting-definitions.ts'
import { AppError, type ErrorCode } from '../errors.ts'
import type { App } from '../http/app-type.ts'
import { BODY_LIMIT_BYTES } from '../http/json-body.ts'
import { sendPage } from '../http/pages.ts'
import { chosenAccountId, visitorActor, visitorOf, visitorShell } from '../http/visitor.ts'
import { checkInstallForUser, installForUser } from '../installations/account-service.ts'
import {
  consentFormProblems,
  consentOfForm,
  type FormProblem,
  settingProblems,
} from './form-problems.ts'
import {
  canInstall,
  installChoicePage,
  installFormPage,
  installReviewPage,
  STEP_FIELD,
} from './install-page.ts'
import type { Account } from './listing.ts'
import { sealedPasswords, withSealedPasswords } from './sealed-passwords.ts'
import { Fields, type FormFields, settingsInput, storedSettingsOfValues } from './settings-form.ts'
import { type Listing, readListing } from './storefront-service.ts'

/** Errors that the form is shown again with. */
const SHOWN_AGAIN: ReadonlySet<ErrorCode> = new Set([
  'unprocessable',
  'acknowledgement_changed',
  'conflict',
])

/** The install of an app, step by step; every step works without scripts. */
export async function installRoutes(app: App, { assetVersion }: { assetVersion: string }) {
  const path = '/Apps/:appId/Install'
  const shellOf = (request: FastifyRequest, reply: FastifyReply) => ({
    ...visitorShell(request, reply),
    assetVersion,
  })

  app.get(
    path,
    { schema: { hide: true, params: AppPath, querystring: Fields } },
    async (request, reply) => {
      const listing = await readListing(app.deps, visitorOf(request).id, request.params.appId)
      const choice = chosen(listing, request.query, chosenAccountId(request))
      return request.query.get(STEP_FIELD) === 'choose'
        ? sendChoice(request, reply, listing, choice)
        : sendStep(request, reply, listing, choice)
    },
  )

  app.post(
    path,
    { bodyLimit: BODY_LIMIT_BYTES, schema: { hide: true, params: AppPath, body: Fields } },
    async (request, reply) => {
      const listing = await readListing(app.deps, visitorOf(request).id, request.params.appId)
      const choice = chosen(listing, request.body)
      const { account, option } = choice
      if (account?.installationId) return sendOn(reply, account.installationId, 'already')
      if (account === undefined || option === undefined) {
        reply.code(422)
        const problem = { field: undefined, text: 'Choose an account and a purchase option.' }
        return sendStep(request, reply, listing, choice, [problem])
      }
      const profile = profileOf(listing.app.settings as SettingsConfiguration, option.id)
      const owner = { userId: visitorOf(request).id, appId: listing.app.id }
      const fields = withSealedPasswords(app.deps.secrets, owner, profile, request.body)
      const step = fields.get(STEP_FIELD)
      if (step === 'settings') return sendStep(request, reply, listing, choice, [], fields)
      const wanted = {
        appId: listing.app.id,
        partyId: account.partyId,
        purchaseOptionId: option.id,
        userSettings: settingsInput(profile, fields),
        version: fields.get('version') ?? '',
        ...consentOfForm(listing.app, fields),
      }
      try {
        if (step === 'review') {
          const values = await checkInstallForUser(app.deps, owner.userId, wanted)
          const stored = storedSettingsOfValues(profile, values)
          const sealed = sealedPasswords(app.deps.secrets, owner, profile, fields)
          const input = { ...shellOf(request, reply), ...listing, account, option, problems: [] }
          const review = installReviewPage({ ...input, stored, fields, sealed })
          return sendPage(reply, review, { hasSecret: true })
        }
        const { installation } = await installForUser(app.deps, visitorActor(request), wanted)
        return sendOn(reply, installation.id, 'installed')
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        if (error.code === 'already_installed') {
          const id = error.options.members?.installationId
          if (typeof id === 'string') return sendOn(reply, id, 'already')
        }
        if (!SHOWN_AGAIN.has(error.code)) throw error
        reply.code(error.status)
        // The words that were read may be others by now: shown and checked as they are now.
        const now = await readListing(app.deps, owner.userId, listing.app.id)
        const problems = [
          ...settingProblems(profile, error.options.errors ?? [], '/userSettings'),
          ...consentFormProblems(now.app, fields),
          ...otherProblems(error),
        ]
        const shown = problems.length > 0 ? problems : [{ field: undefined, text: error.message }]
        return sendStep(request, reply, now, chosen(now, fields), shown, fields)
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
    if (account === undefined || option === undefined || !canInstall(account)) {
      return sendChoice(request, reply, listing, choice, problems)
    }
    const profile = profileOf(listing.app.settings as SettingsConfiguration, option.id)
    const owner = { userId: visitorOf(request).id, appId: listing.app.id }
    const sealed = sealedPasswords(app.deps.secrets, owner, profile, typed ?? new Map())
    const input = { ...shellOf(request, reply), ...listing, problems, sealed }
    const form = installFormPage({ ...input, account, option, typed })
    return sendPage(reply, form, { hasSecret: sealed.keys.size > 0 })
  }

  function sendChoice(
    request: FastifyRequest,
    reply: FastifyReply,
    listing: Listing,
    choice: Choice,
    problems: readonly FormProblem[] = [],
  ) {
    const input = { ...shellOf(request, reply), ...listing, problems }
    return sendPage(reply, installChoicePage({ ...input, ...choice }))
  }
}

function sendOn(reply: FastifyReply, installationId: string, done: 'installed' | 'already') {
  return reply.redirect(`/Installed/${installationId}?done=${done}`, 303)
}

type Choice = ReturnType<typeof chosen>

/**
 * The account and the option that an address or a form names; the only one goes without saying.
 *
 * @param chosenId the account that the visitor has chosen for all pages, where none is named
 */
function chosen({ accounts, options }: Listing, fields: FormFields, chosenId?: number) {
  const able = accounts.filter(canInstall)
  const named = fields.get('partyId')
  const account: Account | undefined =
    named !== undefined
      ? accounts.find(({ partyId }) => String(partyId) === named)
      : chosenId !== undefined
        ? able.find(({ partyId }) => partyId === chosenId)
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

/** Problems of neither a setting nor something to be accepted. */
function otherProblems({ options }: AppError): FormProblem[] {
  return (options.errors ?? [])
    .filter(({ pointer }) => /^\/(partyId|appId|purchaseOptionId)/.test(pointer))
    .map(({ detail }) => ({ field: undefined, text: detail }))
}
