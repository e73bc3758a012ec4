import {
  namesOfCredentials,
  namesOfDevelopers,
  namesOfParties,
  namesOfUsers,
} from '../../../accounts/account-names-service.ts'
import { namesOfApps } from '../../../apps/operator-apps-service.ts'
import type { OperatorAuditRecord } from '../../../audit/audit-record.ts'
import { listAudit, type OperatorAuditFilters } from '../../../audit/audit-trail-service.ts'
import type { Deps } from '../../../deps.ts'
import { namesOfInstallations } from '../../../installations/operator/operator-installations-service.ts'
import { emailsOfInvitations } from '../../../people/invitations-service.ts'
import type { Page, PageRequest } from '../../../values/page-of-list.ts'
import { isUuid } from '../../../values/uuid.ts'
import { readDefinitionNamesOf } from '../../shared/app-parts/definition-names-service.ts'
import type { Names } from './audit-trail.ts'

/** One page of the audit trail, with what those in it are called. */
export async function readTrail(
  deps: Pick<Deps, 'db'>,
  filters: OperatorAuditFilters,
  page: PageRequest,
): Promise<Page<OperatorAuditRecord> & { names: Names }> {
  const trail = await listAudit(deps, filters, page)
  return { ...trail, names: await namesIn(deps, trail.entries) }
}

async function namesIn(
  deps: Pick<Deps, 'db'>,
  entries: readonly OperatorAuditRecord[],
): Promise<Names> {
  const named = entries.flatMap(({ actor, subject, after }) => {
    const [first = '', second = ''] = subject.id.split('/')
    if (subject.kind === 'membership') return [kindAndId(actor), ['user', first], ['party', second]]
    if (subject.kind === 'install_request' && typeof after?.appId === 'string') {
      return [kindAndId(actor), ['app', after.appId]]
    }
    if (subject.kind === 'developer_member') {
      return [kindAndId(actor), ['user', first], ['developer', second]]
    }
    if (subject.kind === 'connection')
      return [kindAndId(actor), ['party', first], ['party', second]]
    return [kindAndId(actor), kindAndId(subject)]
  })
  const idsOf = (...kinds: string[]) => [
    ...new Set(named.flatMap(([kind = '', id = '']) => (kinds.includes(kind) ? [id] : []))),
  ]
  const installationIds = idsOf('installation').filter(isUuid)
  const [users, parties, developers, apps, installations, credentials, invitations, definitions] =
    await Promise.all([
      namesOfUsers(deps, idsOf('user', 'operator').filter(isUuid)),
      namesOfParties(deps, idsOf('party').map(Number).filter(Number.isSafeInteger)),
      namesOfDevelopers(deps, idsOf('developer').filter(isUuid)),
      namesOfApps(deps, idsOf('app')),
      namesOfInstallations(deps, installationIds),
      namesOfCredentials(deps, idsOf('credential').filter(isUuid)),
      emailsOfInvitations(deps, idsOf('invitation').filter(isUuid)),
      readDefinitionNamesOf(deps, installationIds),
    ])
  const accounts = { users, parties, developers, credentials, invitations }
  return { ...accounts, apps, installations, definitions }
}

function kindAndId({ kind, id }: { kind: string; id: string | null }): string[] {
  return [kind, id ?? '']
}
