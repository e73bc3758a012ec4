/** Who does something, and from where. */
export type Actor = {
  kind: 'developer' | 'user' | 'operator' | 'installation' | 'system'
  id: string | null
  /** The developer that a user acts for, in its console. */
  developerId?: string
  /** Network address of the request. */
  address: string | null
}

/** The marketplace, in what the server does by itself. */
export const SYSTEM: Actor = { kind: 'system', id: null, address: null }

/** The operator's command line: the system, by this id. */
export const COMMAND_LINE_ID = 'cli'
export const COMMAND_LINE: Actor = { ...SYSTEM, id: COMMAND_LINE_ID }
