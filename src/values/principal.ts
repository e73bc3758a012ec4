import type { PartyType } from './party-type.ts'
/** A developer whose program or browser signed in with a credential. */
export type DeveloperCredentialPrincipal = {
  kind: 'developer'
  developerId: string
  credentialId: string
  clientId: string
  person?: undefined
}

/** A developer for which a person with a personal login works in its console. */
export type DeveloperPersonPrincipal = {
  kind: 'developer'
  developerId: string
  person: {
    userId: string
    role: 'member' | 'owner'
    /** Of the user and of the membership, as of this request: what the person makes ends with them. */
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

/** A live installation of a developer as it stood at the check. */
export type InstallationState = {
  id: string
  appId: string
  partyId: number
  partyType: PartyType
  permissions: string[]
  tokenGeneration: number
  status: 'active' | 'suspended' | 'uninstalled'
  suspendedReason: string | null
  appSuspended: boolean
  partySuspended: boolean
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
