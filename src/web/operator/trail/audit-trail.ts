import type { OperatorAuditRecord } from '../../../audit/audit-record.ts'
import type { DefinitionNames } from '../../shared/app-parts/definition-names.ts'

/** What something is called, and whether it was removed or deleted. */
export type Named = { name: string; isGone: boolean }

/** What things are called: id -> name. */
export type Names = {
  users: ReadonlyMap<string, Named>
  parties: ReadonlyMap<number, { name: string }>
  developers: ReadonlyMap<string, string>
  apps: ReadonlyMap<string, Named>
  installations: ReadonlyMap<string, string>
  credentials: ReadonlyMap<string, string>
  /** Whom an invitation is for, by email. */
  invitations: ReadonlyMap<string, string>
  /** What the options and settings of an installation are called: installation id -> names. */
  definitions: ReadonlyMap<string, DefinitionNames>
}

/** Entries of the audit trail with the names of those in it. */
export type Trail = { entries: readonly OperatorAuditRecord[]; names: Names }
