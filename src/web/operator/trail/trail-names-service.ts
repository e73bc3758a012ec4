import type { Page, PageRequest } from '../../../base/values/page-of-list.ts'
import { isUuid } from '../../../base/values/shapes.ts'
import type { Deps } from '../../../deps.ts'
import {
  developersOfClients,
  namesOfCredentials,
  namesOfDevelopers,
  namesOfParties,
  namesOfUsers,
} from '../../../identity/accounts/account-names-service.ts'
import type { OperatorAuditRecord } from '../../../identity/audit/audit-record.ts'
import {
  listAudit,
  type OperatorAuditFilters,
} from '../../../identity/audit/audit-trail-service.ts'
import { emailsOfInvitations } from '../../../identity/people/invitations-service.ts'
import { namesOfApps } from '../../../marketplace/apps/operator-apps-service.ts'
import { namesOfInstallations } from '../../../marketplace/installations/operator/operator-installations-service.ts'
import { originsOfEndpoints } from '../../../marketplace/webhooks/endpoints/endpoint-summaries-service.ts'
import { readDefinitionNamesOf } from '../../shared/app-parts/definition-names-service.ts'
import { type Names, otherIdsOf } from './audit-trail.ts'

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
  const named = entries.flatMap((entry) => [
    [entry.actor.kind, entry.actor.id ?? ''],
    ...namedIn(entry),
  ])
  const idsOf = (...kinds: string[]) => [
    ...new Set(named.flatMap(([kind = '', id = '']) => (kinds.includes(kind) ? [id] : []))),
  ]
  const installationIds = idsOf('installation').filter(isUuid)
  const [users, parties, developers, clients, apps] = await Promise.all([
    namesOfUsers(deps, idsOf('user', 'operator').filter(isUuid)),
    namesOfParties(deps, idsOf('party').map(Number).filter(Number.isSafeInteger)),
    namesOfDevelopers(deps, idsOf('developer').filter(isUuid)),
    developersOfClients(deps, idsOf('developer')),
    namesOfApps(deps, idsOf('app')),
  ])
  const [installations, credentials, endpoints, invitations, definitions] = await Promise.all([
    namesOfInstallations(deps, installationIds),
    namesOfCredentials(deps, idsOf('credential').filter(isUuid)),
    originsOfEndpoints(deps, idsOf('webhook').filter(isUuid)),
    emailsOfInvitations(deps, idsOf('invitation').filter(isUuid)),
    readDefinitionNamesOf(deps, installationIds),
  ])
  const accounts = { users, parties, developers, clients, credentials, invitations }
  return { ...accounts, apps, installations, endpoints, definitions }
}

/** What the sentence about the subject of an entry names: kinds and ids. */
function namedIn(entry: OperatorAuditRecord): [kind: string, id: string][] {
  const { kind, id } = entry.subject
  const [first = '', second = ''] = id.split('/')
  const { appId, requesterId } = otherIdsOf(entry)
  switch (kind) {
    case 'membership':
      return [
        ['user', first],
        ['party', second],
      ]
    case 'developer_member':
      return [
        ['user', first],
        ['developer', second],
      ]
    case 'connection':
      return [
        ['party', first],
        ['party', second],
      ]
    case 'product_import':
      return [['party', String(entry.partyId)]]
    case 'event_consumer':
      return [['developer', entry.developerId ?? '']]
    default:
      return [
        [kind, id],
        ['app', appId ?? ''],
        ['user', requesterId ?? ''],
      ]
  }
}
