/** Who does something, and from where. */
export type Actor = {
  kind: 'developer' | 'user' | 'operator' | 'installation' | 'system'
  id: string | null
  /** Network address of the request. */
  address: string | null
}

/** The command line acts as the system itself. */
export const SYSTEM: Actor = { kind: 'system', id: null, address: null }
