import type { Pool } from 'pg'
import type { Logger } from 'pino'
import type { ReadReplica } from './base/database/read-replica.ts'
import type { Db } from './base/database/transaction.ts'
import type { JobQueue } from './base/jobs/queue-service.ts'
import type { Measures } from './base/measures/measures.ts'
import type { SecretBox } from './base/secrets/secret-box.ts'
import type { CursorKeys } from './base/values/cursors.ts'
import type { Config } from './config.ts'
import type { AuditCounts } from './identity/audit/audit-counts-service.ts'
import type { PasswordHasher } from './identity/auth/passwords.ts'
import type { IdentityProvider } from './identity/single-sign-on/provider-service.ts'
import type { KeyRing } from './identity/tokens/keys-service.ts'
import type { PrincipalCheck } from './identity/tokens/principals-service.ts'
import type { PictureConverter } from './marketplace/apps/media/picture-converter.ts'
import type { EventWaits } from './marketplace/events/event-waits-service.ts'
import type { UsageCounts } from './marketplace/usage/usage-counts-service.ts'
import type { Lookup } from './marketplace/webhooks/sending/lookup.ts'

/** What services work with. In a transaction they get `{ ...deps, db: tx }`. */
export type Deps = {
  /** Everyday reads and writes. */
  db: Db
  /** The connections of `db`, for hot queries. Work in the background has a pool of its own. */
  pool: Pool
  /** For pages of products and exports; undefined without DATABASE_READ_URL. */
  replica: ReadReplica | undefined
  config: Config
  secrets: SecretBox
  /** Root of derived keys, such as the one that signs forms. */
  secretKey: string
  /** Sign the cursors of lists: also those that the former SECRET_KEY made are taken. */
  cursorKeys: CursorKeys
  passwords: PasswordHasher
  /** Reads the pictures that developers send. */
  pictures: PictureConverter
  /** For single sign-on; undefined without OIDC_ISSUER. */
  identityProvider: IdentityProvider | undefined
  keys: KeyRing
  principals: PrincipalCheck
  jobs: JobQueue
  /** Resolves the name of a webhook receiver when its address is saved. */
  receiverLookup: Lookup
  /** Puts the sample products into the sandbox of a new developer. */
  fillSandbox: (db: Db, partyId: number) => Promise<unknown>
  /** Entries of the audit trail for what happens often. */
  auditCounts: AuditCounts
  /** What installations do with their permissions. */
  usageCounts: UsageCounts
  /** Requests that wait for events. */
  eventWaits: EventWaits
  /** What the process counts about itself. */
  measures: Measures
  now: () => Date
  log: Logger
}
