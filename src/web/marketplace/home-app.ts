import type { SuspensionCause } from '../../installations/suspension-causes.ts'

/** So many apps of an account are on the start page; the page Installed has all. */
export const APPS_OF_ACCOUNT_SHOWN = 20

/** An app installed for one of the user's accounts. */
export type HomeApp = {
  id: string
  installationId: string
  name: string
  partyId: number
  partyName: string
  suspensions: readonly SuspensionCause[]
  /** False when it cannot be opened from here: suspended, or it runs in the background. */
  canOpen: boolean
  /** The app's own site, where it opens from there. */
  site: string | null
}
