import { z } from 'zod'
import { jsonPointer } from '../../errors.ts'

/**
 * Every kind of change between two definitions of one app. Breaking is what takes away, or asks
 * more of, somebody who installed the earlier one; such a change needs a version never used before.
 */
export const CHANGE_KINDS = {
  version_changed: { breaking: false, meaning: 'The version string is another.' },
  listing_changed: { breaking: false, meaning: 'Name, description or an address of the listing.' },
  auth_return_url_changed: { breaking: false, meaning: 'The redirect comes back elsewhere.' },
  redirect_changed: { breaking: false, meaning: 'The redirect hands over or tells otherwise.' },

  party_type_added: { breaking: false, meaning: 'Offered to a further party type.' },
  party_type_removed: { breaking: true, meaning: 'No longer offered to a party type.' },

  permission_added: { breaking: true, meaning: 'Asks for a further permission.' },
  permission_removed: { breaking: true, meaning: 'No longer has a permission.' },
  permission_purpose_changed: { breaking: false, meaning: 'The purpose is worded otherwise.' },

  option_added: { breaking: false, meaning: 'A new purchase option.' },
  option_removed: { breaking: true, meaning: 'A purchase option is gone, with its settings.' },
  option_model_changed: { breaking: true, meaning: 'Another pricing model.' },
  option_currency_changed: { breaking: true, meaning: 'Another currency.' },
  option_price_changed: { breaking: true, meaning: 'Another price, up or down.' },
  option_presentation_changed: { breaking: false, meaning: 'Name, description or order.' },

  setting_added: { breaking: false, meaning: 'A new setting that need not be given.' },
  mandatory_setting_added: { breaking: true, meaning: 'A new setting that must be given.' },
  setting_removed: { breaking: true, meaning: 'A setting is gone.' },
  setting_retyped: { breaking: true, meaning: 'A setting has another type.' },
  setting_scope_changed: { breaking: true, meaning: 'Somebody else sets it now.' },
  setting_made_mandatory: { breaking: true, meaning: 'It must be given now.' },
  setting_made_optional: { breaking: false, meaning: 'It need not be given any more.' },
  setting_narrowed: { breaking: true, meaning: 'Values once allowed are refused now.' },
  setting_widened: { breaking: false, meaning: 'Further values are allowed.' },
  setting_presentation_changed: {
    breaking: false,
    meaning: 'Name, description, placeholder or order.',
  },

  select_option_added: { breaking: false, meaning: 'A new choice of a select.' },
  select_option_removed: { breaking: true, meaning: 'A choice of a select is gone.' },
  select_option_retyped: {
    breaking: true,
    meaning: 'A choice turned from text to number or back.',
  },
  select_option_renamed: { breaking: false, meaning: 'A choice is displayed otherwise.' },
  select_options_reordered: { breaking: false, meaning: 'The choices stand in another order.' },

  acknowledgement_added: { breaking: true, meaning: 'Something further to acknowledge.' },
  acknowledgement_changed: { breaking: true, meaning: 'Title or text, and so the hash, changed.' },
  acknowledgement_removed: { breaking: false, meaning: 'Something less to acknowledge.' },
  acknowledgement_reordered: { breaking: false, meaning: 'Displayed at another place.' },

  terms_document_added: { breaking: true, meaning: 'There are terms to accept now.' },
  terms_document_changed: { breaking: true, meaning: 'The terms document is another.' },
  terms_document_removed: { breaking: true, meaning: 'There are no terms to accept any more.' },
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
    breaking: z.boolean().describe('Whether it needs a version never used before.'),
    detail: z.string().describe('The change in words.'),
  })
  .describe('One change between two definitions of an app.')
  .meta({ id: 'DefinitionChange' })
export type Change = z.infer<typeof Change>

/**
 * A change at a path; whether it breaks follows from its kind.
 *
 * @param detail only where there is more to say than what the kind means
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
