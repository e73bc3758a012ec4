/** Who does something, and from where. */
export type Actor = {
  kind: 'developer' | 'user' | 'operator' | 'installation' | 'system'
  id: string | null
  /** The developer that a user acts for, in its console. */
  developerId?: string
  /** Network address of the request. */
  address: string | null
}

/** The command line acts as the system itself. */
export const SYSTEM: Actor = { kind: 'system', id: null, address: null }
