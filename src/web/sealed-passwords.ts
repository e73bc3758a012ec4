import { LIMITS } from '../apps/limits.ts'
import type { SettingsProfile } from '../apps/setting-definitions.ts'
import { type SecretBox, SecretBoxError } from '../auth/secret-box.ts'
import { type FormFields, removalField, settingField, userSettingsOf } from './settings-form.ts'

/** Whose form of what it is: what is sealed for one opens for no other. */
type FormOwner = { userId: string; appId: string }

const fieldOf = (key: string) => `sealed.${key}`
const contextOf = ({ userId, appId }: FormOwner, key: string) =>
  `install form:${userId}:${appId}:${key}`

/**
 * The passwords of a form, to be carried through its further pages as hidden fields: name -> value.
 * No page holds a password that can be read.
 *
 * @param fields with those that were sealed before, see `withSealedPasswords`
 */
export function sealedPasswords(
  secrets: SecretBox,
  owner: FormOwner,
  profile: SettingsProfile,
  fields: FormFields,
): { keys: Set<string>; hidden: Map<string, string> } {
  const given = passwordKeys(profile).flatMap((key) => {
    const password = Buffer.from(fields.get(settingField(key)) ?? '')
    return password.length === 0 || password.length > LIMITS.settingTextMaxBytes
      ? []
      : [[key, secrets.encrypt(password, contextOf(owner, key)).toString('base64url')] as const]
  })
  return {
    keys: new Set(given.map(([key]) => key)),
    hidden: new Map(given.map(([key, sealed]) => [fieldOf(key), sealed])),
  }
}

/** A form with the passwords of its earlier pages, but for those that were typed anew or taken away. */
export function withSealedPasswords(
  secrets: SecretBox,
  owner: FormOwner,
  profile: SettingsProfile,
  fields: FormFields,
): FormFields {
  const opened = passwordKeys(profile).flatMap((key) => {
    const sealed = fields.get(fieldOf(key))
    if (!sealed || fields.get(settingField(key)) || fields.has(removalField(key))) return []
    const password = open(secrets, sealed, contextOf(owner, key))
    return password === undefined ? [] : [[settingField(key), password] as const]
  })
  return new Map([...fields, ...opened])
}

function passwordKeys(profile: SettingsProfile): string[] {
  return userSettingsOf(profile).flatMap(([key, { type }]) => (type === 'password' ? [key] : []))
}

/** What was made up, or sealed for something else, is no password. */
function open(secrets: SecretBox, sealed: string, context: string): string | undefined {
  try {
    return secrets.decrypt(Buffer.from(sealed, 'base64url'), context).toString('utf8')
  } catch (error) {
    if (error instanceof SecretBoxError) return undefined
    throw error
  }
}
