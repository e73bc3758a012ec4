/** The request headers that the answers about products depend on. */
export const PRODUCT_VARY = 'Origin, Accept, Accept-Encoding, Authorization'

/** The answer belongs to one principal, and clients must revalidate it before each use. */
export const PRODUCT_HEADERS = { 'cache-control': 'private, no-cache', vary: PRODUCT_VARY }
