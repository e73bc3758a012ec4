import { randomUUID } from 'node:crypto'
import type { Prisma } from '../../base/database/generated/client.ts'
import { isSecretOf, secretHash } from '../../base/secrets/findable-secret.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { issueToken } from '../../identity/tokens/issue-service.ts'
import type { IssuedInstallationToken } from '../../identity/tokens/issued-token.ts'
import { verifyToken } from '../../identity/tokens/verify.ts'
import { tokenClaims } from '../installations/mint-token-service.ts'
import { provesChallenge } from './code-challenge.ts'
import { endCode } from './end-code-service.ts'
import { OAuthError } from './oauth-error.ts'
import { permissionsInScope } from './scope.ts'

type RedeemDeps = Pick<Deps, 'db' | 'keys' | 'config' | 'now' | 'principals' | 'measures'>
type CodeInput = {
  clientId: string
  code: string
  verifier: string
  redirectUri: string | undefined
}

const PARTS = { installation: true, credential: true } as const
type UsedCode = Prisma.AuthorizationCodeGetPayload<{ include: typeof PARTS }>

/**
 * Exchanges a code for the token that the redirect would have handed over. Whatever comes of it, the
 * code is used: a client that has a code but not all that belongs to it has stolen it. Of several at once, on
 * any replica, the database lets one through; the others end its token.
 *
 * @param address where the request comes from
 * @throws OAuthError invalid_grant, in which unknown, used and foreign codes are alike
 */
export async function redeemCode(
  deps: RedeemDeps,
  { clientId, code, verifier, redirectUri }: CodeInput,
  address: string,
): Promise<IssuedInstallationToken> {
  if (!(await useCode(deps, code, address))) throw refusedCode()
  const id = secretHash(code)
  const row = await deps.db.authorizationCode.findUnique({ where: { id }, include: PARTS })
  // The removal of a user deletes the codes.
  if (row === null) throw refusedCode()
  const isBound =
    row.expiresAt > deps.now() &&
    row.credential.removedAt === null &&
    clientId === row.credential.clientId &&
    isReturnUrl(redirectUri ?? row.returnUrl, row.returnUrl) &&
    provesChallenge(verifier, row.challenge)
  if (!isBound) throw refusedCode()
  return issueChecked(deps, row)
}

/**
 * Uses up a code, so that no later request gets a token for it. If it was used before, its token
 * ends.
 *
 * @param address where the request comes from
 * @returns whether this was its first use
 */
export async function useCode(deps: RedeemDeps, code: string, address: string): Promise<boolean> {
  if (!isSecretOf('code', code)) return false
  const id = secretHash(code)
  const [used] = await deps.db.authorizationCode.updateManyAndReturn({
    where: { id, usedAt: null },
    data: { usedAt: deps.now() },
    select: { id: true },
  })
  if (used === undefined) await endCode(deps, id, { kind: 'system', id: null, address })
  return used !== undefined
}

/**
 * The token, if it would be accepted at its first use. A second use of the code at the same time does
 * not count here: one of them gets the token, and it is dead.
 */
async function issueChecked(
  deps: RedeemDeps,
  { installation, ...code }: UsedCode,
): Promise<IssuedInstallationToken> {
  const subject = { ...installation, tokenGeneration: code.tokenGeneration }
  const maker = {
    user_id: code.userId,
    ugen: code.userGeneration,
    mgen: code.membershipGeneration,
  }
  const permissions = permissionsInScope(installation.permissions, code.scope)
  const claims = { ...tokenClaims(subject, permissions, maker), jti: code.jti }
  const issued = await issueToken(deps, claims, deps.config.redirectTokenTtlSeconds)
  const { publicKeyOf } = deps.keys
  const issuer = deps.config.publicUrl
  try {
    const token = await verifyToken(issued.token, { publicKeyOf, issuer, now: deps.now })
    await deps.principals.check({ ...token, claims: { ...token.claims, jti: randomUUID() } })
  } catch (error) {
    if (error instanceof AppError && error.status === 401) throw refusedCode()
    throw error
  }
  return { ...issued, installationId: installation.id, permissions }
}

/**
 * As it is in the definition, as browsers write it, or so without a query: openid-client knows no
 * more of it than the address that the browser came back to, whose query it leaves out.
 */
function isReturnUrl(redirectUri: string, returnUrl: string): boolean {
  const { href, origin, pathname } = new URL(returnUrl)
  return [returnUrl, href, origin + pathname].includes(redirectUri)
}

function refusedCode(): OAuthError {
  return new OAuthError(
    'invalid_grant',
    'The code is unknown, used, too old, or belongs to another request.',
  )
}
