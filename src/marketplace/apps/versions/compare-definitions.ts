import type { Acknowledgement, AppDefinition } from '../definition.ts'
import type { PermissionRequest } from '../permissions.ts'
import type { PurchaseOption } from '../pricing/purchase-options.ts'
import { profileOf } from '../settings/definitions.ts'
import { type Change, type ChangeKind, change, paired } from './change-kinds.ts'
import { fromTo } from './change-words.ts'
import { compareProfiles } from './compare-settings.ts'

/** Hex sha256 of the terms documents that go with the two definitions; null = no document. */
export type TermsHashes = { before: string | null; after: string | null }

/** What changed in one member of a definition. */
type Comparison = (before: AppDefinition, after: AppDefinition) => Change[]

/** A member with one value: any other value is one change. */
function value(field: keyof AppDefinition, kind: ChangeKind): Comparison {
  return (before, after) => compareFields(before, after, [[field, kind]])
}

/** How each member of a definition is compared; a new member without a place here does not compile. */
const COMPARISONS = {
  // Never changes: `requireSameId`.
  id: () => [],
  version: value('version', 'version_changed'),
  releaseNotes: (before, after) =>
    // Each version has its own: what is new in it is no change of another one.
    before.version === after.version
      ? compareFields(before, after, [['releaseNotes', 'release_notes_changed']])
      : [],
  name: value('name', 'listing_changed'),
  description: value('description', 'listing_changed'),
  websiteUrl: value('websiteUrl', 'listing_changed'),
  supportUrl: value('supportUrl', 'listing_changed'),
  authReturnUrl: value('authReturnUrl', 'auth_return_url_changed'),
  tokenDelivery: value('tokenDelivery', 'redirect_changed'),
  redirectErrors: value('redirectErrors', 'redirect_changed'),
  partyTypes: comparePartyTypes,
  permissions: (before, after) => comparePermissions(before.permissions, after.permissions),
  purchaseOptions: compareOptions,
  // With its purchase option.
  settings: () => [],
  acknowledgements: (before, after) =>
    compareAcknowledgements(before.acknowledgements, after.acknowledgements),
} satisfies Record<keyof AppDefinition, Comparison>

/**
 * What changed from one definition of an app to another, and what of it breaks installations made
 * with the earlier one. Canonical: sorted by pointer and kind; the order of keys and of lists makes
 * no difference, except that of the choices of a select. Equal definitions give an empty list.
 */
export function compareDefinitions(
  before: AppDefinition,
  after: AppDefinition,
  terms: TermsHashes = { before: null, after: null },
): Change[] {
  const comparisons: Comparison[] = [...Object.values(COMPARISONS), () => compareTerms(terms)]
  return comparisons
    .flatMap((compare) => compare(before, after))
    .sort((a, b) => compareText(a.pointer, b.pointer) || compareText(a.kind, b.kind))
}

/** Whether one of the changes needs a new version. */
export function isBreaking(changes: readonly Change[]): boolean {
  return changes.some((entry) => entry.breaking)
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** One change for each listed field whose values differ. */
function compareFields(
  before: object,
  after: object,
  fields: readonly (readonly [string, ChangeKind])[],
  path: readonly string[] = [],
): Change[] {
  return fields.flatMap(([field, kind]) => {
    const [from, to]: unknown[] = [Reflect.get(before, field), Reflect.get(after, field)]
    if (from === to) return []
    return [change(kind, [...path, field], fromTo(from, to))]
  })
}

function comparePartyTypes(before: AppDefinition, after: AppDefinition): Change[] {
  return paired<string>(before.partyTypes, after.partyTypes, (type) => type).flatMap((pair) => {
    const path = ['partyTypes', pair.key]
    if (pair.before === undefined) {
      return [change('party_type_added', path, `now offered to ${pair.key} accounts`)]
    }
    if (pair.after === undefined) {
      return [change('party_type_removed', path, `no longer offered to ${pair.key} accounts`)]
    }
    return []
  })
}

function comparePermissions(
  before: readonly PermissionRequest[],
  after: readonly PermissionRequest[],
): Change[] {
  return paired(before, after, (permission) => permission.id).flatMap((pair) => {
    const path = ['permissions', pair.key]
    if (pair.before === undefined) {
      return [change('permission_added', path, `now asks for ${pair.key}`)]
    }
    if (pair.after === undefined) {
      return [change('permission_removed', path, `no longer asks for ${pair.key}`)]
    }
    const fields = [['purpose', 'permission_purpose_changed']] as const
    return compareFields(pair.before, pair.after, fields, path)
  })
}

function compareOptions(before: AppDefinition, after: AppDefinition): Change[] {
  const pairs = paired(before.purchaseOptions, after.purchaseOptions, (option) => option.id)
  return pairs.flatMap((pair) => {
    const path = ['purchaseOptions', pair.key]
    // A profile appears and disappears with its option: no installation has values for a new option
    // yet.
    if (pair.before === undefined) return [change('option_added', path)]
    if (pair.after === undefined) return [change('option_removed', path)]
    return [
      ...comparePrices(pair.before, pair.after, path),
      ...compareProfiles(
        profileOf(before.settings, pair.key),
        profileOf(after.settings, pair.key),
        ['settings', pair.key],
      ),
    ]
  })
}

function comparePrices(
  before: PurchaseOption,
  after: PurchaseOption,
  path: readonly string[],
): Change[] {
  const prices = ['monthlyRate', 'bucketSize', 'ratePerBucket', 'baseFee']
  const sameModel = before.pricingModel === after.pricingModel
  return compareFields(
    before,
    after,
    [
      ['name', 'option_presentation_changed'],
      ['description', 'option_presentation_changed'],
      ['order', 'option_presentation_changed'],
      ['pricingModel', 'option_model_changed'],
      ['currency', 'option_currency_changed'],
      // Amounts of two pricing models cannot be compared; the change of the model is enough.
      ...(sameModel ? prices.map((field) => [field, 'option_price_changed'] as const) : []),
    ],
    path,
  )
}

function compareAcknowledgements(
  before: readonly Acknowledgement[],
  after: readonly Acknowledgement[],
): Change[] {
  return paired(before, after, (acknowledgement) => acknowledgement.id).flatMap((pair) => {
    const path = ['acknowledgements', pair.key]
    if (pair.before === undefined) {
      return [change('acknowledgement_added', path)]
    }
    if (pair.after === undefined) {
      return [change('acknowledgement_removed', path)]
    }
    return compareFields(
      pair.before,
      pair.after,
      [
        ['title', 'acknowledgement_changed'],
        ['text', 'acknowledgement_changed'],
        ['order', 'acknowledgement_reordered'],
      ],
      path,
    )
  })
}

function compareTerms({ before, after }: TermsHashes): Change[] {
  if (before === after) return []
  const path = ['termsDocument']
  if (before === null) {
    return [change('terms_document_added', path)]
  }
  if (after === null) {
    return [change('terms_document_removed', path)]
  }
  return [change('terms_document_changed', path)]
}
