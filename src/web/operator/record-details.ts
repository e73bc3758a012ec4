import type { Page } from '../../base/values/page-of-list.ts'
import type { DeveloperMember } from '../../identity/accounts/members/developer-member.ts'
import type { PartyRole } from '../../identity/accounts/members/roles.ts'
import type {
  DeveloperRecord,
  PartyRecord,
  UserRecord,
} from '../../identity/accounts/operator-records.ts'
import type { AppDefinition } from '../../marketplace/apps/definition.ts'
import type { AppListing } from '../../marketplace/apps/listing/app-listing.ts'
import type { AppScreenshot } from '../../marketplace/apps/media/picture-record.ts'
import type { OperatorApp } from '../../marketplace/apps/operator-app.ts'
import type { OperatorInstallation } from '../../marketplace/installations/operator/operator-installation.ts'
import type { SuspensionCause } from '../../marketplace/installations/suspension-causes.ts'
import type { EndpointSummary } from '../../marketplace/webhooks/endpoints/endpoint-summary.ts'

/** An installation with what keeps it from working. */
export type InstallationEntry = OperatorInstallation & {
  iconId: string | null
  suspensions: SuspensionCause[]
}

/** An installation as its own page shows it. A deleted app has no page any more. */
export type InstallationDetail = InstallationEntry & { isAppDeleted: boolean; optionName: string }

/** A party with its first users, installations, and parties that it is connected with. */
export type PartyDetail = {
  party: PartyRecord
  users: Page<UserRecord>
  /** Id of each of these users -> the role in the party. */
  roles: ReadonlyMap<string, PartyRole>
  installations: Page<InstallationEntry>
  partners: Page<PartyRecord>
}

/** A user with the first parties that it is a member of. */
export type UserDetail = {
  user: UserRecord
  parties: Page<PartyRecord>
  /** Id of each of these parties -> the role of the user there. */
  roles: ReadonlyMap<number, PartyRole>
  /** Whether a code is asked for when the user signs in. */
  hasFactor: boolean
  /** Whether users sign in with passwords here. */
  hasPassword: boolean
}

/** A developer with its first apps and all its people. */
export type DeveloperDetail = {
  developer: DeveloperRecord
  apps: Page<OperatorApp>
  people: readonly DeveloperMember[]
}

/** One who is given access, or to whom. */
export type Side = PartyRecord | UserRecord

/** What is asked before access is given: who gets it to what, and what that opens. */
export type Offer = {
  title: string
  sides: readonly Side[]
  effect: string
  button: string
  /** Whether a role is chosen, too. */
  asksForRole?: boolean
}

/** An app with its latest definition, its first installations and its webhook endpoints. */
export type AppDetail = {
  app: OperatorApp
  definition: AppDefinition
  words: AppListing
  screenshots: AppScreenshot[]
  installations: Page<InstallationEntry>
  webhooks: readonly EndpointSummary[]
}
