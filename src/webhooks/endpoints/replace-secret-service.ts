import type { Deps } from '../../deps.ts'
import { newSecret } from '../attempts/signature.ts'
import { sealSecret } from './endpoint-secrets.ts'

/**
 * Ends a secret of an endpoint, in the caller's transaction. If it is the current secret, it is
 * replaced by one that nobody knows: receivers refuse what is sent until the developer rotates it.
 *
 * @param secretSha256 SHA-256 of the secret
 * @returns whose endpoint it is, if there is one
 */
export async function replaceSecret(
  { db, secrets, now }: Pick<Deps, 'db' | 'secrets' | 'now'>,
  secretSha256: Uint8Array<ArrayBuffer>,
): Promise<{ developerId: string; appId: string; endpointId: string } | undefined> {
  const endpoint = await db.webhookEndpoint.findFirst({
    where: {
      OR: [
        { secretSha256 },
        { previousSecretSha256: secretSha256, previousSecretUntil: { gt: now() } },
      ],
    },
  })
  if (endpoint === null) return undefined
  const { id, developerId, appId } = endpoint
  const isCurrent = Buffer.from(secretSha256).equals(endpoint.secretSha256 ?? Buffer.alloc(0))
  const { count } = await db.webhookEndpoint.updateMany({
    where: { id, revision: endpoint.revision },
    data: {
      ...(isCurrent
        ? sealSecret(secrets, id, newSecret())
        : { previousSecret: null, previousSecretUntil: null, previousSecretSha256: null }),
      revision: { increment: 1 },
    },
  })
  return count === 0 ? undefined : { developerId, appId, endpointId: id }
}
