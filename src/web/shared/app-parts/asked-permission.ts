/** A permission with what the app says it is for; null when that is not known. */
export type AskedPermission = { id: string; purpose: string | null }
