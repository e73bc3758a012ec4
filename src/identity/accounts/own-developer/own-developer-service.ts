import {
  type DeveloperCredentialPrincipal,
  REQUEST_SHARES,
} from '../../../base/values/principal.ts'
import type { Deps } from '../../../deps.ts'
import { CREDENTIALS_MAX } from '../credentials-service.ts'
import type { OwnDeveloper } from './own-developer.ts'

/** Who a developer token acts for, and what it may do how often. */
export async function readOwnDeveloper(
  { db, config }: Pick<Deps, 'db' | 'config'>,
  { developerId, credentialId, clientId }: DeveloperCredentialPrincipal,
): Promise<OwnDeveloper> {
  const { id, name, createdAt, sandboxParty } = await db.developer.findUniqueOrThrow({
    where: { id: developerId },
    include: { sandboxParty: { select: { id: true, name: true } } },
  })
  const { rateLimitPerMinute: rate } = config
  return {
    id,
    name,
    clientId,
    credentialId,
    sandbox: { partyId: sandboxParty.id, partyName: sandboxParty.name },
    limits: {
      requestsPerMinute: {
        developer: rate === 0 ? null : rate * REQUEST_SHARES.developer,
        installation: rate === 0 ? null : rate * REQUEST_SHARES.installation,
      },
      installationTokenSeconds: {
        usual: config.installationTokenTtlSeconds,
        redirect: config.redirectTokenTtlSeconds,
        max: config.maxTokenTtlSeconds,
      },
      credentials: CREDENTIALS_MAX,
    },
    createdAt,
  }
}
