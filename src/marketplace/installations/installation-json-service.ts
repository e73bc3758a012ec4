import { batchedLookUp } from '../../base/database/batched-look-up.ts'
import { hold } from '../../base/fair-share/deadline.ts'
import { LONG_CHARACTERS, nextTick } from '../../base/fair-share/next-tick.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import type { Installation } from './installation.ts'
import { type StoredSetting, settingValuesOf } from './settings/stored-settings.ts'
import type { SecretsShown } from './stored-installation-service.ts'

/** An installation in JSON, as it is on the wire. */
export type InstallationJson = Omit<Installation, 'installDate' | 'updatedAt'> & {
  installDate: string
  updatedAt: string
}
/** Scope, key and ciphertext in base64 of a password. */
type StoredPassword = [StoredSetting['scope'], string, string]

/** SQL of an installation `i` of the app `a` as its JSON: most of it is kept as text. */
export const INSTALLATION_JSON = `
  '{"id":"' || i.id || '","appId":"' || i.app_id || '","appName":' || to_json(a.name)::text || i.body`

/** SQL of the passwords of an installation `i`. */
export const PASSWORDS = `
  CASE WHEN i.has_passwords THEN (
    SELECT json_agg(json_build_array(v.scope, v.key, translate(encode(v.secret, 'base64'), E'\\n', '')))
    FROM setting_values v WHERE v.installation_id = i.id AND v.secret IS NOT NULL
  ) END`

/** SQL of how many bytes an installation `i` is made of. */
export const INSTALLATION_BYTES = `
  octet_length(i.body) + CASE WHEN i.has_passwords THEN (
    SELECT coalesce(sum(octet_length(v.secret)), 0) FROM setting_values v WHERE v.installation_id = i.id
  ) ELSE 0 END`

/**
 * Adds its passwords to the settings of an installation.
 *
 * @throws SecretBoxError when a password was encrypted with a key that is gone
 */
export function withPasswords(
  secrets: Deps['secrets'],
  record: InstallationJson,
  passwords: readonly StoredPassword[],
): InstallationJson {
  const settings = passwords.map(
    ([scope, key, secret]): StoredSetting => ({
      scope,
      key,
      value: null,
      secret: Buffer.from(secret, 'base64'),
    }),
  )
  const { userSettings, adminSettings } = settingValuesOf(secrets, record.id, settings)
  return {
    ...record,
    userSettings: inOrder({ ...record.userSettings, ...userSettings }),
    adminSettings: inOrder({ ...record.adminSettings, ...adminSettings }),
  }
}

function inOrder<Value>(settings: Record<string, Value>): Record<string, Value> {
  return Object.fromEntries(Object.entries(settings).sort(([a], [b]) => (a < b ? -1 : 1)))
}

type FoundInstallation = {
  developerId: string
  revision: number
  record: InstallationJson
  passwords: StoredPassword[] | null
}

/** An installation has up to some megabytes of settings. */
const BATCH_LIMIT = 20

/** A long one comes as its text: parsing all of a batch at once would hold the event loop. */
const findInstallationJson = batchedLookUp<FoundInstallation | string>(
  {
    name: 'installation-json',
    text: `
    SELECT '{"developerId":"' || i.developer_id || '","revision":' || i.revision
      || ',"record":' || ${INSTALLATION_JSON}
      || ',"passwords":' || coalesce((CASE k.shown WHEN 'show' THEN ${PASSWORDS} END)::text, 'null') || '}'
    FROM unnest((SELECT $1::uuid[]), (SELECT $2::text[])) WITH ORDINALITY AS k (id, shown, position)
    LEFT JOIN installations i ON i.id = k.id
    LEFT JOIN apps a ON a.id = i.app_id
    ORDER BY k.position`,
  },
  {
    batchLimit: BATCH_LIMIT,
    read([text]) {
      if (text == null) return undefined
      return text.length > LONG_CHARACTERS ? text : JSON.parse(text)
    },
  },
)

/**
 * One installation, uninstalled ones included, as its JSON. Reads that arrive together share one
 * statement.
 *
 * @param id a UUID
 * @param developerId whose app it must be of, if anybody's in particular
 * @throws AppError not_found, the same for unknown and for somebody else's
 */
export async function readInstallationJson(
  { pool, secrets }: Pick<Deps, 'pool' | 'secrets'>,
  id: string,
  developerId: string | undefined,
  shown: SecretsShown,
): Promise<{ record: InstallationJson; revision: number }> {
  const foundOrText = await findInstallationJson(pool, id, shown)
  const found = typeof foundOrText === 'string' ? await parseLong(foundOrText) : foundOrText
  const isTheirs = developerId === undefined || found?.developerId === developerId
  if (found === undefined || !isTheirs) throw new AppError('not_found')
  const { record, revision, passwords } = found
  return { record: passwords ? withPasswords(secrets, record, passwords) : record, revision }
}

async function parseLong(text: string): Promise<FoundInstallation> {
  hold(text.length)
  await nextTick()
  return JSON.parse(text)
}
