import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { recordAudit } from '../audit/record-audit-service.ts'
import type { SignedInUser } from '../auth/user-login-service.ts'
import type { Deps } from '../deps.ts'
import { AppError } from '../errors.ts'
import { SecretBoxError } from '../secrets/secret-box.ts'
import { SYSTEM } from '../values/actor.ts'
import { normalEmail } from '../values/email.ts'
import { useOnce } from './used-sign-ins-service.ts'

const LINK_SECONDS = 600
const CONTEXT = 'sign-in link'
const LinkContent = z.object({
  id: z.string(),
  userId: z.uuid(),
  tokenGeneration: z.int(),
  expiresAt: z.coerce.date(),
})

/**
 * A link that signs an operator in once, within ten minutes: the way in when passwords are off and
 * the provider of single sign-on is away. It ends with the operator's password.
 *
 * @throws AppError not_found when nobody has the email, conflict when it is no operator's
 */
export async function createSignInLink(
  { db, config, secrets, now }: Pick<Deps, 'db' | 'config' | 'secrets' | 'now'>,
  email: string,
): Promise<{ link: string; expiresAt: string }> {
  const user = await db.user.findUnique({ where: { email: normalEmail(email) } })
  if (user === null) throw new AppError('not_found', { detail: 'No user has this email.' })
  if (!user.operator || user.suspendedAt !== null) {
    throw new AppError('conflict', { detail: 'Links are made for operators only.' })
  }
  const { id: userId, tokenGeneration } = user
  const expiresAt = new Date(now().getTime() + LINK_SECONDS * 1000)
  const content = JSON.stringify({ id: randomUUID(), userId, tokenGeneration, expiresAt })
  const token = secrets.encrypt(Buffer.from(content), CONTEXT).toString('base64url')
  await recordAudit(db, {
    actor: SYSTEM,
    action: 'user.sign_in_link_made',
    subject: { kind: 'user', id: userId },
  })
  return {
    link: `${config.publicUrl}/signin/link?token=${token}`,
    expiresAt: expiresAt.toISOString(),
  }
}

/**
 * The operator whom a link signs in, once. Opening a session refuses who may not sign in any more.
 *
 * @returns undefined when the link is not ours, too old, or was used
 */
export async function followSignInLink(
  deps: Pick<Deps, 'db' | 'secrets' | 'now'>,
  token: string,
): Promise<Pick<SignedInUser, 'id' | 'tokenGeneration'> | undefined> {
  const content = contentOf(deps, token)
  if (content === undefined || content.expiresAt <= deps.now()) return undefined
  const { id, userId, tokenGeneration, expiresAt } = content
  const user = await deps.db.user.findUnique({ where: { id: userId }, select: { operator: true } })
  if (user?.operator !== true || !(await useOnce(deps, `link:${id}`, expiresAt))) return undefined
  return { id: userId, tokenGeneration }
}

function contentOf({ secrets }: Pick<Deps, 'secrets'>, token: string) {
  try {
    const text = secrets.decrypt(Buffer.from(token, 'base64url'), CONTEXT).toString('utf8')
    return LinkContent.parse(JSON.parse(text))
  } catch (error) {
    if (error instanceof SecretBoxError) return undefined
    throw error
  }
}
