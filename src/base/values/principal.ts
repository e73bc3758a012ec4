import type { PartyType } from './party-type.ts'

/** How many times the configured limit each kind of consumer may use. */
export const REQUEST_SHARES = { installation: 1, developer: 5, user: 5, address: 10 } as const

/** A developer whose program signed in with a credential. */
export type DeveloperCredentialPrincipal = {
  kind: 'developer'
  developerId: string
  credentialId: string
  clientId: string
  person?: undefined
}

/** A developer for which a person works in its console. */
export type DeveloperPersonPrincipal = {
  kind: 'developer'
  developerId: string
  person: {
    userId: string
    role: 'member' | 'owner'
    /** Those of the user and the membership at this request: what the person makes ends with them. */
    generations: { ugen: number; mgen: number }
  }
}

/** Who a request of a developer acts as. */
export type DeveloperPrincipal = DeveloperCredentialPrincipal | DeveloperPersonPrincipal

/** A developer, and the installation that the request names, as both stood at the check. */
export type DeveloperWithInstallation = DeveloperCredentialPrincipal & NamedInstallation

/** An installation that somebody names, as it stood at the check. */
export type NamedInstallation = {
  /** The key that signed the developer's token: the check has seen it in the database. */
  kid: string | undefined
  /** Null when the developer has no such installation. */
  installation: InstallationState | null
}

/** Since when something is suspended, and why; null while it is not. */
export type SuspensionState = {
  /** Text where Postgres made JSON of the row. */
  suspendedAt: Date | string | null
  suspendedReason: string | null
}

/** An app, and its developer. */
export type SuspendableApp = SuspensionState & { developer: SuspensionState }

/** An installation with everything whose suspension keeps it from working. */
export type SuspendableInstallation = {
  status: 'active' | 'suspended' | 'uninstalled'
  suspendedBy: string | null
  suspendedReason: string | null
  app: SuspendableApp
  party: SuspensionState
}

/** A live installation of a developer as it stood at the check. */
export type InstallationState = {
  /** Null where the check found nothing suspended. */
  suspendable: SuspendableInstallation | null
  id: string
  appId: string
  partyId: number
  partyType: PartyType
  permissions: string[]
  tokenGeneration: number
}

export type InstallationPrincipal = {
  kind: 'installation'
  installationId: string
  appId: string
  partyId: number
  partyType: PartyType
  permissions: readonly string[]
  userId: string | undefined
  /** State of the catalogue that the party sees, as of this request; see `catalogueKey`. */
  catalogue: string
}
type UserPrincipal = {
  kind: 'user'
  userId: string
  /** Whether the user may use the operator API, as of this request. */
  operator: boolean
  /** Whether the user may look at what operators see. */
  support: boolean
}
export type Principal = DeveloperPrincipal | InstallationPrincipal | UserPrincipal
