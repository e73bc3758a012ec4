import { EMAIL_MAX_LENGTH, normalEmail } from '../../base/values/email.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { issueToken } from '../tokens/issue-service.ts'
import { ACCOUNT_TOKEN_TTL_SECONDS, type IssuedToken } from '../tokens/issued-token.ts'
import { auditFailedSignIn, auditSignIn } from './audit-sign-ins-service.ts'
import { checkPassword } from './password-check-service.ts'
import { isPasswordTooLong } from './password-text.ts'
import type { HashCaller } from './passwords.ts'
import { givenFactor } from './second-factor/sign-in-factor-service.ts'

export type SignedInUser = { id: string; name: string; email: string; tokenGeneration: number }

/**
 * Checks email and password; an unknown address takes as long as a wrong password.
 *
 * @param address where the attempt comes from
 * @param caller who is signed in already and gives the own password again
 * @returns the user, or undefined when they do not match or the user is suspended
 * @throws AppError too_many_requests, unavailable when too many sign-ins happen at once
 */
export async function checkUserPassword(
  deps: Pick<Deps, 'db' | 'pool' | 'passwords' | 'measures' | 'auditCounts'>,
  input: { email: string; password: string },
  address: string,
  caller?: HashCaller,
): Promise<SignedInUser | undefined> {
  if (isPasswordTooLong(input.password)) return undefined
  const email = normalEmail(input.email)
  const attempt = { kind: 'user' as const, id: email, address }
  const find = () => findUser(deps, email)
  let knownId: string | undefined
  const findKnown = async () => {
    const found = await find()
    knownId = found?.id
    return found
  }
  const user = await checkPassword(deps, attempt, findKnown, input.password, caller)
  if (user === undefined) {
    auditFailedSignIn(deps, knownId, address)
    return undefined
  }
  const { id, name, tokenGeneration } = user
  return { id, name, email: user.email, tokenGeneration }
}

/** A user who is not suspended. */
async function findUser({ db }: Pick<Deps, 'db'>, email: string) {
  const user = isStorable(email) ? await db.user.findUnique({ where: { email } }) : null
  if (user === null || user.suspendedAt !== null) return undefined
  const { id, passwordHash: hash } = user
  const rehash = (passwordHash: string) =>
    db.user.updateMany({ where: { id, passwordHash: hash }, data: { passwordHash } })
  return { ...user, hash, rehash }
}

/** Postgres stores no NUL. */
function isStorable(email: string): boolean {
  return email.length <= EMAIL_MAX_LENGTH && !email.includes('\0') && email.isWellFormed()
}

/**
 * Exchanges email and password of a user for an account token.
 *
 * @param input `otp`: a code of the user's second factor
 * @param address where the attempt comes from
 * @throws AppError invalid_credentials, second_factor_required, too_many_requests, unavailable
 */
export async function signInUser(
  deps: Deps,
  input: { email: string; password: string; otp?: string | undefined },
  address: string,
): Promise<IssuedToken> {
  const user = await checkUserPassword(deps, input, address)
  if (user === undefined) {
    throw new AppError('invalid_credentials', { detail: 'The email or the password is wrong.' })
  }
  const hasGivenCode = await givenFactor(deps, user.id, input.otp, address)
  const { id: sub, tokenGeneration: gen } = user
  auditSignIn(deps, sub, address)
  const amr = hasGivenCode ? { amr: ['pwd' as const, 'otp' as const] } : {}
  return issueToken(
    deps,
    { aud: 'account', sub, client_id: 'account', gen, ...amr },
    ACCOUNT_TOKEN_TTL_SECONDS,
  )
}
