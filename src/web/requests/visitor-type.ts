import type { DeveloperPersonPrincipal } from '../../base/values/principal.ts'

/** Who is signed in with the browser's session. */
export type Visitor = {
  id: string
  name: string
  /** The email address. */
  signInName: string
  operator: boolean
  support?: boolean
  /** When a user gave a code of the second factor last in this session. */
  factorAt?: Date | null
  /** How many notifications a user has not read. */
  unread?: number
  /** How many later versions wait for the user as an admin of the accounts. */
  upgrades?: number
  /** Whether the developer console is open to the user. */
  worksForDevelopers?: boolean
  /** As whom pages of the developer console act; none while a person has to choose a developer. */
  principal?: DeveloperPersonPrincipal | undefined
  /** The developer that the console is about, by name. */
  developerName?: string | undefined
  /** For a user of several accounts: the one that pages are about unless they name another one. */
  accounts?: { chosen: { id: number; name: string } | undefined } | undefined
}

/** The visitor of a session cookie, if it is one. */
export type ReadVisitor = (cookie: string | undefined) => Promise<Visitor | undefined>

declare module 'fastify' {
  interface FastifyInstance {
    /** The visitor of a session cookie, in the scopes that ask for one. */
    readVisitor: ReadVisitor
  }
}

type SessionUser = Omit<Visitor, 'signInName'> & { email: string }

/** The user of a session as the visitor of a page. */
export function visitorOfUser({ email, ...user }: SessionUser): Visitor {
  return { ...user, signInName: email }
}
