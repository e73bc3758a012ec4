/** On what the answers about products depend. */
export const PRODUCT_VARY = 'Origin, Accept, Accept-Encoding, Authorization'

/** The answer belongs to one principal, and is asked after before each use. */
export const PRODUCT_HEADERS = { 'cache-control': 'private, no-cache', vary: PRODUCT_VARY }
