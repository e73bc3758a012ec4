import { createHmac, timingSafeEqual } from 'node:crypto'
import { deriveKey } from '../../base/secrets/secret-box.ts'
import type { Deps } from '../../deps.ts'
import type { FormFields } from '../shared/forms/settings-form.ts'

/** Name of the hidden field that proves for which account a page showed an install. */
export const ACCOUNT_SEAL_FIELD = 'accountSeal'

/** Who installs which app, and for which account. */
type Install = { userId: string; appId: string; partyId: number }

/** The value of that field: the same for every page about the same install. */
export function accountSeal(
  { secretKey }: Pick<Deps, 'secretKey'>,
  { userId, appId, partyId }: Install,
): string {
  return createHmac('sha256', deriveKey(secretKey, 'install account'))
    .update(JSON.stringify([userId, appId, partyId]))
    .digest('base64url')
}

/** Whether a form came from a page about the account that it names. */
export function isAboutAccount(
  deps: Pick<Deps, 'secretKey'>,
  install: Install,
  fields: FormFields,
): boolean {
  const given = Buffer.from(fields.get(ACCOUNT_SEAL_FIELD) ?? '')
  const wanted = Buffer.from(accountSeal(deps, install))
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}
