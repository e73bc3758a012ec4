import type { OperatorAuditRecord } from '../../../identity/audit/audit-record.ts'
import type { DefinitionNames } from '../../shared/app-parts/definition-names.ts'

/** What something is called, and whether it was removed or deleted. */
export type Named = { name: string; isGone: boolean }

/** What things are called: id -> name. */
export type Names = {
  users: ReadonlyMap<string, Named>
  parties: ReadonlyMap<number, { name: string }>
  developers: ReadonlyMap<string, string>
  /** Whose programs sign in with a client id. */
  clients: ReadonlyMap<string, string>
  apps: ReadonlyMap<string, Named>
  installations: ReadonlyMap<string, string>
  credentials: ReadonlyMap<string, string>
  /** The origins of webhook endpoints. */
  endpoints: ReadonlyMap<string, string>
  /** Whom an invitation is for, by email. */
  invitations: ReadonlyMap<string, string>
  /** What the options and settings of an installation are called: installation id -> names. */
  definitions: ReadonlyMap<string, DefinitionNames>
}

/** Entries of the audit trail with the names of those in it. */
export type Trail = { entries: readonly OperatorAuditRecord[]; names: Names }

/** The app, and the member who asked for it, of an entry about something else. */
export function otherIdsOf({ subject, before, after }: OperatorAuditRecord): {
  appId: string | undefined
  requesterId: string | undefined
} {
  const isOther = subject.kind === 'install_request' || subject.kind === 'webhook'
  const text = (value: unknown) => (isOther && typeof value === 'string' ? value : undefined)
  return { appId: text(after?.appId ?? before?.appId), requesterId: text(after?.userId) }
}
