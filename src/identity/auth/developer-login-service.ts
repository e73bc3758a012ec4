import { timingSafeEqual } from 'node:crypto'
import { isSecretOf, secretHash } from '../../base/secrets/findable-secret.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { issueToken } from '../tokens/issue-service.ts'
import type { IssuedToken } from '../tokens/issued-token.ts'
import { auditDeveloperSignIn } from './audit-sign-ins-service.ts'
import { checkGenerated, checkPassword } from './password-check-service.ts'
import { isPasswordTooLong } from './password-text.ts'

const LAST_USE_STEP_MS = 60_000

/** A credential that somebody has signed in with. */
export type SignedInCredential = { id: string; developerId: string; clientId: string }

/**
 * Checks clientId and password. An unknown clientId, a wrong password, a removed credential and a
 * suspended developer take the same time. A generated password that is right is not hashed: many
 * requests with it at once wait for no turn.
 *
 * @param address where the attempt comes from
 * @returns the credential, or undefined when they do not match
 * @throws AppError too_many_requests, unavailable when too many sign-ins happen at once
 */
export async function checkDeveloperPassword(
  deps: Pick<Deps, 'db' | 'pool' | 'passwords' | 'measures' | 'now' | 'auditCounts'>,
  { clientId, password }: { clientId: string; password: string },
  address: string,
): Promise<SignedInCredential | undefined> {
  if (isPasswordTooLong(password)) return undefined
  const attempt = { kind: 'developer' as const, id: clientId, address }
  let known: SignedInCredential | undefined
  const find = async () => {
    const credential = await findCredential(deps, clientId)
    known = credential
    return credential
  }
  const found =
    (isSecretOf('credential', password)
      ? await checkGenerated(deps, attempt, find, isGenerated(password))
      : undefined) ?? (await checkPassword(deps, attempt, find, password))
  auditDeveloperSignIn(deps, known, { succeeded: found !== undefined, address })
  if (found !== undefined) await noteUse(deps, found.id)
  return found
}

/** Whether a password is the generated one of a credential; a chosen one has no such hash. */
function isGenerated(password: string) {
  const hash = secretHash(password)
  return ({ secretSha256 }: { secretSha256: Uint8Array | null }) =>
    secretSha256 !== null && timingSafeEqual(secretSha256, hash)
}

/** To the minute, so that a credential that is always in use costs few writes. */
async function noteUse({ db, now }: Pick<Deps, 'db' | 'now'>, id: string): Promise<void> {
  const lastUsedAt = now()
  const before = new Date(lastUsedAt.getTime() - LAST_USE_STEP_MS)
  const isOld = [{ lastUsedAt: null }, { lastUsedAt: { lt: before } }]
  await db.developerCredential.updateMany({ where: { id, OR: isOld }, data: { lastUsedAt } })
}

/**
 * Exchanges developer credentials for a developer token.
 *
 * An unknown clientId, a wrong password, a removed credential and a suspended developer get the
 * same answer in the same time.
 *
 * @param address where the attempt comes from
 * @throws AppError invalid_credentials, too_many_requests, unavailable
 */
export async function signInDeveloper(
  deps: Deps,
  input: { clientId: string; password: string },
  address: string,
): Promise<IssuedToken> {
  const credential = await checkDeveloperPassword(deps, input, address)
  if (credential === undefined) {
    throw new AppError('invalid_credentials', { detail: 'The clientId or the password is wrong.' })
  }
  return issueDeveloperToken(deps, credential)
}

/** A developer token for a credential whose password was right. */
export function issueDeveloperToken(
  deps: Pick<Deps, 'keys' | 'config' | 'now' | 'measures'>,
  { id: cid, developerId: sub, clientId: client_id }: SignedInCredential,
): Promise<IssuedToken> {
  const claims = { aud: 'developer' as const, sub, cid, client_id }
  return issueToken(deps, claims, deps.config.developerTokenTtlSeconds)
}

/** A credential that was not removed, of a developer that is not suspended. */
async function findCredential({ db }: Pick<Deps, 'db'>, clientId: string) {
  const credential = await db.developerCredential.findUnique({
    where: { clientId },
    include: { developer: true },
  })
  if (credential === null || credential.removedAt !== null) return undefined
  if (credential.developer.suspendedAt !== null) return undefined
  const { id, developerId, passwordHash: hash, secretSha256 } = credential
  const rehash = (passwordHash: string) =>
    db.developerCredential.updateMany({ where: { id, passwordHash: hash }, data: { passwordHash } })
  return { id, developerId, clientId, hash, secretSha256, rehash }
}
