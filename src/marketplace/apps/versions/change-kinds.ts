import { z } from 'zod'
import { jsonPointer } from '../../../errors.ts'

/**
 * Every kind of change between two definitions of one app. A change is breaking when it takes
 * something away from installations of the earlier version, or asks more of them; a change of
 * prices or terms is always breaking, because accounts have agreed to the former ones.
 *
 * `compareDefinitions` finds the changes. A breaking one needs another version string:
 * - `src/marketplace/apps/publish-service.ts`: one never used, or that of a former version whose installations
 *   the new definition does not break
 * - `src/marketplace/apps/terms/terms-service.ts`: other terms, once the version was installed, need one never
 *   used
 */
export const CHANGE_KINDS = {
  version_changed: { breaking: false, meaning: 'The version string changed.' },
  listing_changed: {
    breaking: false,
    meaning: 'Name, description or an address of the listing changed.',
  },
  release_notes_changed: { breaking: false, meaning: 'The release notes of the version changed.' },
  auth_return_url_changed: { breaking: false, meaning: 'The redirect leads to another address.' },
  redirect_changed: {
    breaking: false,
    meaning: 'How the redirect hands over the token, or tells of errors, changed.',
  },

  party_type_added: { breaking: false, meaning: 'The app is offered to another party type.' },
  party_type_removed: { breaking: true, meaning: 'The app is no longer offered to a party type.' },

  permission_added: { breaking: true, meaning: 'The app asks for another permission.' },
  permission_removed: { breaking: true, meaning: 'The app no longer has a permission.' },
  permission_purpose_changed: { breaking: false, meaning: 'The purpose has other words.' },

  option_added: { breaking: false, meaning: 'A new purchase option.' },
  option_removed: { breaking: true, meaning: 'A purchase option and its settings were removed.' },
  option_model_changed: { breaking: true, meaning: 'Another pricing model.' },
  option_currency_changed: { breaking: true, meaning: 'Another currency.' },
  option_price_changed: { breaking: true, meaning: 'The price changed.' },
  option_presentation_changed: { breaking: false, meaning: 'Name, description or order changed.' },

  setting_added: { breaking: false, meaning: 'A new optional setting.' },
  mandatory_setting_added: { breaking: true, meaning: 'A new mandatory setting.' },
  setting_removed: { breaking: true, meaning: 'A setting was removed.' },
  setting_retyped: { breaking: true, meaning: 'A setting has another type.' },
  setting_scope_changed: {
    breaking: true,
    meaning: 'The setting moved between the account and the developer.',
  },
  setting_made_mandatory: { breaking: true, meaning: 'The setting is now mandatory.' },
  setting_made_optional: { breaking: false, meaning: 'The setting is now optional.' },
  setting_narrowed: { breaking: true, meaning: 'Some values are no longer allowed.' },
  setting_widened: { breaking: false, meaning: 'More values are allowed.' },
  setting_presentation_changed: {
    breaking: false,
    meaning: 'Name, description, placeholder or order changed.',
  },

  select_option_added: { breaking: false, meaning: 'A new choice of a select.' },
  select_option_removed: { breaking: true, meaning: 'A choice of a select was removed.' },
  select_option_retyped: {
    breaking: true,
    meaning: 'A choice changed from text to number or back.',
  },
  select_option_renamed: { breaking: false, meaning: 'A choice has another display name.' },
  select_options_reordered: { breaking: false, meaning: 'The choices have another order.' },

  acknowledgement_added: { breaking: true, meaning: 'A new acknowledgement.' },
  acknowledgement_changed: {
    breaking: true,
    meaning: 'The wording of an acknowledgement changed, and so its hash.',
  },
  // Breaking while an account has the version installed: see `installed-words-service.ts`.
  acknowledgement_removed: { breaking: false, meaning: 'An acknowledgement was removed.' },
  acknowledgement_reordered: {
    breaking: false,
    meaning: 'An acknowledgement is displayed at another place.',
  },

  terms_document_added: { breaking: true, meaning: 'New terms and conditions.' },
  terms_document_changed: { breaking: true, meaning: 'The terms and conditions changed.' },
  terms_document_removed: { breaking: true, meaning: 'The terms and conditions were removed.' },
} as const satisfies Record<string, { breaking: boolean; meaning: string }>

export type ChangeKind = keyof typeof CHANGE_KINDS

/** One change between two definitions, as dry runs and refusals answer it. */
export const Change = z
  .object({
    kind: z
      .enum(Object.keys(CHANGE_KINDS) as ChangeKind[])
      .describe('What happened.')
      .meta({ examples: ['option_price_changed'] }),
    pointer: z
      .string()
      .describe(
        'Where: a JSON pointer into the definition, except that members of lists are named by their id or value instead of their index.',
      )
      .meta({ examples: ['/purchaseOptions/premium/ratePerBucket'] }),
    breaking: z.boolean().describe('Whether it needs another version string.'),
    detail: z.string().describe('The change in words.'),
  })
  .describe('One change between two definitions of an app.')
  .meta({ id: 'DefinitionChange' })
export type Change = z.infer<typeof Change>

/**
 * A change at a path; whether it breaks follows from its kind.
 *
 * @param detail when there is more to say than the meaning of the kind
 */
export function change(kind: ChangeKind, path: readonly string[], detail?: string): Change {
  const { breaking, meaning } = CHANGE_KINDS[kind]
  return { kind, pointer: jsonPointer(path), breaking, detail: detail ?? meaning }
}

/** Pairs the entries of two unordered lists by their key: both, only before, or only after. */
export function paired<Entry>(
  before: readonly Entry[],
  after: readonly Entry[],
  keyOf: (entry: Entry) => string,
): { key: string; before: Entry | undefined; after: Entry | undefined }[] {
  const old = new Map(before.map((entry) => [keyOf(entry), entry]))
  const now = new Map(after.map((entry) => [keyOf(entry), entry]))
  return [...new Set([...old.keys(), ...now.keys()])].map((key) => ({
    key,
    before: old.get(key),
    after: now.get(key),
  }))
}
