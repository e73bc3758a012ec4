/** How many times the configured limit each kind of consumer may use. */
export const REQUEST_SHARES = { installation: 1, developer: 5, user: 5, address: 10 } as const
