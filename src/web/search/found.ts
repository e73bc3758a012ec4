import type {
  DeveloperRecord,
  PartyRecord,
  UserRecord,
} from '../../identity/accounts/operator-records.ts'
import type { OperatorApp } from '../../marketplace/apps/operator-app.ts'
import type { Installation } from '../../marketplace/installations/installation.ts'
import type { SuspensionCause } from '../../marketplace/installations/suspension-causes.ts'
import type { Hit } from '../docs/search-index.ts'
import type { AppCard } from '../marketplace/app-card.ts'
import type { InstallationEntry } from '../operator/record-details.ts'

/** So many things of a kind are shown. */
export const FOUND_MAX = 5

/** The first things of a kind, and whether there are more. */
export type FoundSome<Entry> = { entries: readonly Entry[]; hasMore: boolean }

/** The first of what was found; one more than the maximum says that there are more. */
export function firstOf<Entry>(all: readonly Entry[], hasMore = false): FoundSome<Entry> {
  return { entries: all.slice(0, FOUND_MAX), hasMore: hasMore || all.length > FOUND_MAX }
}

/** A live installation of somebody's own, and what keeps it from working. */
export type InstallationFound = Pick<
  Installation,
  'id' | 'appId' | 'appName' | 'partyName' | 'installedVersion' | 'status'
> & { iconId: string | null; suspensions: SuspensionCause[] }

/** What operators find, and support: everything. */
export type OperatorFinds = {
  parties: FoundSome<PartyRecord>
  users: FoundSome<UserRecord>
  developers: FoundSome<DeveloperRecord>
  apps: FoundSome<OperatorApp>
  /** With the account or the app whose installations they are, where the text names one. */
  installations: FoundSome<InstallationEntry> & {
    of: { partyId?: number; appId?: string; name: string } | undefined
  }
}

/** What a person of a developer finds of it. */
export type DeveloperFinds = {
  apps: FoundSome<
    Pick<OperatorApp, 'id' | 'name' | 'version' | 'visibility' | 'suspended'> & {
      iconId: string | null
    }
  >
  installations: FoundSome<InstallationFound>
}

/** What a search finds, by who may see it. */
export type Finds = {
  operator: OperatorFinds | undefined
  developer: DeveloperFinds | undefined
  /** What the accounts of the visitor have installed. */
  installed: FoundSome<InstallationFound>
  /** Of the directory. */
  apps: FoundSome<AppCard>
  guides: FoundSome<Hit>
}
