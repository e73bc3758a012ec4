/** Who does something, and from where. */
export type Actor = {
  kind: 'developer' | 'user' | 'operator' | 'installation' | 'system'
  id: string | null
  /** The developer that a user acts for, in its console. */
  developerId?: string
  /** Network address of the request. */
  address: string | null
}

/** A user who changes something of their own accounts. */
export type UserAuthor = { userId: string; actor: Actor }

/** A developer that changes something of its own, and who does it for it. */
export type DeveloperAuthor = { developerId: string; actor: Actor }

/** The marketplace, in what the server does by itself. */
export const SYSTEM: Actor = { kind: 'system', id: null, address: null }

/** The operator's command line: the system, by this id. */
export const COMMAND_LINE_ID = 'cli'
export const COMMAND_LINE: Actor = { ...SYSTEM, id: COMMAND_LINE_ID }
