import type { Deps } from '../../deps.ts'
import { definedSettings } from '../../marketplace/apps/app-record.ts'
import type { PurchaseOption } from '../../marketplace/apps/pricing/purchase-options.ts'
import { profileOf, type SettingsProfile } from '../../marketplace/apps/settings/definitions.ts'
import {
  consentFormProblems,
  consentOfForm,
  settingProblems,
} from '../shared/forms/form-problems.ts'
import { type Refusal, refusalOf } from '../shared/forms/refusal.ts'
import { type FormFields, settingsInput } from '../shared/forms/settings-form.ts'
import { type Account, accountsToBegin, type InstallListing } from './account-on-listing.ts'
import { isAboutAccount } from './install-account.ts'

/** Errors that the form is shown again with. */
const SHOWN_AGAIN = [
  'unprocessable',
  'acknowledgement_changed',
  'conflict',
  'already_exists',
] as const

/** What a form asks for. */
export function installOfForm(
  { app }: InstallListing,
  { partyId }: Account,
  { id: purchaseOptionId }: PurchaseOption,
  fields: FormFields,
) {
  const profile = profileOf(definedSettings(app), purchaseOptionId)
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

export type InstallChoice = ReturnType<typeof chosenForInstall>

/** The account and the option of a form; no account but the one that its page was about. */
export function postedChoice(
  deps: Pick<Deps, 'secretKey'>,
  listing: InstallListing,
  userId: string,
  fields: FormFields,
): InstallChoice {
  const { account, ...chosen } = chosenForInstall(listing, fields)
  const isSealed =
    account !== undefined &&
    isAboutAccount(deps, { userId, appId: listing.app.id, partyId: account.partyId }, fields)
  return { account: isSealed ? account : undefined, ...chosen }
}

/** What a choice lacks before the install can go on. */
export const CHOICE_PROBLEMS = {
  lostAccount: 'You no longer belong to the account that this form was for.',
  lostOption: 'The purchase option that you chose is no longer offered. Choose another one.',
  nothing: 'Choose an account and a purchase option.',
}

/** Whether a form is about an account that the user belongs to no more. */
export function hasLostAccount(
  deps: Pick<Deps, 'secretKey'>,
  listing: InstallListing,
  userId: string,
  fields: FormFields,
): boolean {
  const partyId = Number(fields.get('partyId'))
  return (
    listing.accounts.every((account) => account.partyId !== partyId) &&
    isAboutAccount(deps, { userId, appId: listing.app.id, partyId }, fields)
  )
}

/**
 * The account and the option that an address or a form names; the only one goes without saying.
 * An option is lost that is named and no longer offered.
 *
 * @param chosenId the account that the visitor has chosen for all pages, where none is named
 */
export function chosenForInstall(
  { accounts, options }: InstallListing,
  fields: FormFields,
  chosenId?: number,
) {
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
  return { account, option, isOptionLost: optionId !== undefined && option === undefined }
}

/**
 * What a refused install tells about its form.
 *
 * @throws the error itself, when it is not about the form
 */
export function installRefusal(
  error: unknown,
  { app }: InstallListing,
  profile: SettingsProfile,
  fields: FormFields,
): Refusal {
  return refusalOf(error, SHOWN_AGAIN, ({ message, options: { errors = [] } }) => {
    const ofChoice = errors.filter(({ pointer }) =>
      /^\/(partyId|appId|purchaseOptionId)/.test(pointer),
    )
    const isOtherVersion = errors.some(({ pointer }) => pointer === '/version')
    const problems = [
      // Comes first: another version may have another price, too.
      ...(isOtherVersion ? [{ field: undefined, text: message }] : []),
      ...settingProblems(profile, errors, '/userSettings'),
      ...consentFormProblems(app, fields),
      ...ofChoice.map(({ detail }) => ({ field: undefined, text: detail })),
    ]
    return problems.length > 0 ? problems : [{ field: undefined, text: message }]
  })
}
