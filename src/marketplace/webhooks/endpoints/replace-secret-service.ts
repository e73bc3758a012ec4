import type { Deps } from '../../../deps.ts'
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
  // Waits for a change of the endpoint, for example a rotation, and looks at what it has left.
  await db.$queryRaw`
    SELECT 1 FROM webhook_endpoints
    WHERE secret_sha256 = ${secretSha256} OR previous_secret_sha256 = ${secretSha256}
    FOR NO KEY UPDATE`
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
  await db.webhookEndpoint.update({
    where: { id },
    data: {
      ...(isCurrent
        ? sealSecret(secrets, id, newSecret())
        : { previousSecret: null, previousSecretUntil: null, previousSecretSha256: null }),
      revision: { increment: 1 },
    },
    select: { id: true },
  })
  return { developerId, appId, endpointId: id }
}
