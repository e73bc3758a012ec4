import type { Actor } from '../../base/values/actor.ts'
import type { DeveloperPrincipal } from '../../base/values/principal.ts'
import type { Deps } from '../../deps.ts'
import { recordAudit } from '../../identity/audit/record-audit-service.ts'
import type { IssuedInstallationToken } from '../../identity/tokens/issued-token.ts'
import { type InstallationTokenRequest, issueInstallationToken } from './mint-token-service.ts'
import { findInstallation } from './stored-installation-service.ts'

/**
 * Makes an installation token that a person looks at, by the rules of `issueInstallationToken`, and
 * writes it into the history of the installation.
 *
 * @throws AppError not_found; insufficient_scope, installation_suspended, unprocessable
 */
export async function issueTestToken(
  deps: Pick<Deps, 'db' | 'keys' | 'config' | 'now' | 'measures' | 'auditCounts'>,
  { developer, actor }: { developer: DeveloperPrincipal; actor: Actor },
  input: Required<InstallationTokenRequest>,
): Promise<IssuedInstallationToken> {
  const { developerId } = developer
  const { row } = await findInstallation(deps.db, input.installationId, { developerId })
  const live = row.status === 'uninstalled' ? null : { ...row, suspendable: row }
  const principal = { ...developer, kid: undefined, installation: live }
  const issued = await issueInstallationToken(deps, principal, input)
  const { permissions, expiresAt } = issued
  await recordAudit(deps.db, {
    actor,
    action: 'installation.test_token_made',
    subject: { kind: 'installation', id: row.id },
    developerId,
    partyId: row.partyId,
    after: { permissions, expiresAt },
  })
  return issued
}
