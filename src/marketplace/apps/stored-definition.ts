import { byDisplayOrder } from '../../base/values/text.ts'
import type { AppDefinition } from './definition.ts'
import { currencyDecimals } from './pricing/currencies.ts'
import { formatUnits, toUnits } from './pricing/decimals.ts'
import type { PurchaseOption } from './pricing/purchase-options.ts'

/** A purchase option as the database keeps it: amounts in the currency's minor unit. */
export type StoredOption = {
  id: string
  name: string
  description: string
  pricingModel: PurchaseOption['pricingModel']
  currency: string
  monthlyRateMinor: bigint | null
  bucketSize: number | null
  ratePerBucketMinor: bigint | null
  baseFeeMinor: bigint | null
  order: number
  /** Place in the definition, from 0. */
  position: number
}

/**
 * Where each member of a definition is kept: in the row of the app, in that of the version, in rows of
 * its own, or in the key of both. A new member without a place here does not compile.
 */
const KEPT_IN = {
  id: 'key',
  version: 'key',
  name: 'app',
  description: 'app',
  partyTypes: 'app',
  authReturnUrl: 'app',
  tokenDelivery: 'app',
  redirectErrors: 'app',
  websiteUrl: 'app',
  supportUrl: 'app',
  releaseNotes: 'version',
  permissions: 'version',
  settings: 'version',
  acknowledgements: 'version',
  purchaseOptions: 'rows',
} as const satisfies Record<keyof AppDefinition, 'app' | 'version' | 'rows' | 'key'>

type KeptIn<Place> = {
  [Field in keyof AppDefinition as (typeof KEPT_IN)[Field] extends Place
    ? Field
    : never]: AppDefinition[Field]
}

/** The part of a definition that belongs to the app, whatever its version. */
export function appColumns(definition: AppDefinition): KeptIn<'app'> {
  return columnsIn('app', definition)
}

/** The part of a definition that is kept per version. */
export function versionColumns(definition: AppDefinition): KeptIn<'version'> {
  return columnsIn('version', definition)
}

function columnsIn<Place extends string>(place: Place, definition: AppDefinition): KeptIn<Place> {
  const kept = Object.entries(definition).filter(
    ([field]) => KEPT_IN[field as keyof AppDefinition] === place,
  )
  return Object.fromEntries(kept) as KeptIn<Place>
}

/** A purchase option and its place in the definition -> its row. */
export function storedOptionOf(option: PurchaseOption, position: number): StoredOption {
  const minor = (amount: number) => toUnits(amount, currencyDecimals(option.currency) ?? 0)
  const { id, name, description = '', pricingModel, currency, order } = option
  const common = { id, name, description, pricingModel, currency, order, position }
  if (option.pricingModel === 'TieredBuckets') {
    return {
      ...common,
      monthlyRateMinor: null,
      bucketSize: option.bucketSize,
      ratePerBucketMinor: minor(option.ratePerBucket),
      baseFeeMinor: minor(option.baseFee),
    }
  }
  return {
    ...common,
    monthlyRateMinor: minor(option.monthlyRate),
    bucketSize: null,
    ratePerBucketMinor: null,
    baseFeeMinor: null,
  }
}

/**
 * A row -> its purchase option. Constraints in the database make sure that the amounts are there.
 */
export function purchaseOptionOf(row: StoredOption): PurchaseOption {
  const scale = currencyDecimals(row.currency) ?? 0
  const amount = (minor: bigint | null) => Number(formatUnits(minor ?? 0n, scale))
  const { id, name, description, currency, order } = row
  const common = { id, name, description, currency, order }
  if (row.pricingModel === 'TieredBuckets') {
    return {
      ...common,
      pricingModel: row.pricingModel,
      bucketSize: row.bucketSize ?? 1,
      ratePerBucket: amount(row.ratePerBucketMinor),
      baseFee: amount(row.baseFeeMinor),
    }
  }
  return {
    ...common,
    pricingModel: row.pricingModel,
    monthlyRate: amount(row.monthlyRateMinor),
  }
}

/** The rows of a version's purchase options -> the options, as they are displayed. */
export function purchaseOptionsOf(rows: readonly StoredOption[]): PurchaseOption[] {
  return rows
    .toSorted((a, b) => byDisplayOrder(a, b) || a.position - b.position || (a.id < b.id ? -1 : 1))
    .map(purchaseOptionOf)
}

/** The columns of an app and of one of its versions that a definition is put together from. */
export type StoredDefinition = {
  app: ReturnType<typeof appColumns> & { id: string }
  version: {
    version: string
    releaseNotes: string
    permissions: unknown
    settings: unknown
    acknowledgements: unknown
    purchaseOptions: readonly StoredOption[]
  }
}

/** Rows -> the definition. It was checked before it was stored. */
export function definitionOf({ app, version }: StoredDefinition): AppDefinition {
  const { id, name, description, partyTypes, authReturnUrl, websiteUrl, supportUrl } = app
  const { tokenDelivery, redirectErrors } = app
  return {
    id,
    name,
    description,
    partyTypes,
    version: version.version,
    releaseNotes: version.releaseNotes,
    permissions: version.permissions as AppDefinition['permissions'],
    purchaseOptions: purchaseOptionsOf(version.purchaseOptions),
    settings: version.settings as AppDefinition['settings'],
    acknowledgements: (version.acknowledgements as AppDefinition['acknowledgements']).toSorted(
      byDisplayOrder,
    ),
    authReturnUrl,
    tokenDelivery,
    redirectErrors,
    websiteUrl,
    supportUrl,
  }
}
