/** Who a request acts as. */
export type DeveloperPrincipal = {
  kind: 'developer'
  developerId: string
  credentialId: string
  clientId: string
  /** The key that signed the token, which the check has seen in the database; none of a page. */
  kid?: string
  /** The installation that was asked for along with the check; null when it is not accessible. */
  installation?: InstallationState | null
}

/** A live installation of a developer as it stood at the check. */
export type InstallationState = {
  id: string
  appId: string
  partyId: number
  partyType: 'Buyer' | 'Seller' | 'None'
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
  partyType: 'Buyer' | 'Seller' | 'None'
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
}
export type Principal = DeveloperPrincipal | InstallationPrincipal | UserPrincipal
