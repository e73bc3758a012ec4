/** The id of whoever nobody knows: what was typed as email or client id is kept nowhere. */
export const UNKNOWN = 'unknown'
