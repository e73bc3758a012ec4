/** The id of an unknown user or credential: what was typed as email or client id is not kept. */
export const UNKNOWN = 'unknown'
