/**
 * Every limit of an app definition, of its setting values and of quotes. Schemas, error texts and
 * the OpenAPI document take the numbers from here and nowhere else. Lengths count Unicode code
 * points, as zod and JSON Schema do, unless the name says bytes.
 */
export const LIMITS = {
  appIdMinLength: 2,
  appIdMaxLength: 64,
  appNameMaxLength: 100,
  appDescriptionMaxLength: 4000,
  versionMaxLength: 64,
  releaseNotesMaxBytes: 10_000,
  urlMaxLength: 2048,

  /** Ids of purchase options and acknowledgements, keys of settings. */
  idMaxLength: 64,
  nameMaxLength: 100,
  descriptionMaxLength: 1000,
  placeholderMaxLength: 200,
  /** `order` only sorts. */
  orderMax: 1_000_000,

  purchaseOptionsMax: 20,
  permissionPurposeMaxLength: 500,
  acknowledgementsMax: 20,
  acknowledgementTitleMaxLength: 200,
  acknowledgementTextMaxLength: 4000,

  /** 100 values of 8 KiB each still fit into one body of 1 MiB. */
  settingsPerProfileMax: 100,
  selectOptionsMax: 50,
  /** The choices of all select settings of an app together: more take too long to check. */
  choicesMax: 5000,
  selectTextMaxLength: 200,
  /** Bounds of `min`, `max`, `step` and of numeric select values. */
  settingNumberMax: 1_000_000_000_000_000,
  settingNumberDecimals: 9,
  settingTextMaxBytes: 8192,

  /** In major units; large enough for currencies whose smallest notes have five digits. */
  moneyMax: 1_000_000_000,
  bucketSizeMax: 1_000_000_000,
  /** Every accepted purchase option can be quoted exactly for this many records. */
  quoteRecordsMax: 1_000_000_000,
} as const
