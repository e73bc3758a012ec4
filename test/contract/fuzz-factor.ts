import { randomBytes } from 'node:crypto'
import { createUser } from '../../src/identity/accounts/users-service.ts'
import { newRecoveryCodes } from '../../src/identity/auth/second-factor/factor-code.ts'
import { factorSecretContext, newTotpSecret } from '../../src/identity/auth/second-factor/totp.ts'
import { issueToken } from '../../src/identity/tokens/issue-service.ts'
import type { TestMarketplace } from '../setup/app.ts'
import { codeOf } from '../setup/second-factor.ts'

const PASSWORD = 'a password of the fuzzer'
const TTL_SECONDS = 3600
const PEOPLE = ['plain', 'waiting', 'enrolled', 'forgetful'] as const
type Who = (typeof PEOPLE)[number]

/** Requests that are to succeed on second factors, each by somebody in the right state for it. */
export const FACTOR_AIMS = {
  createSecondFactor: { token: 'plain.tokens', body: 'plain.bodies' },
  confirmSecondFactor: { token: 'waiting.tokens', body: 'waiting.bodies' },
  createRecoveryCodes: { token: 'enrolled.tokens', body: 'enrolled.bodies' },
  deleteSecondFactor: { token: 'enrolled.tokens', body: 'enrolled.bodies' },
  deleteUserSecondFactor: { path: { id: 'forgetful.ids' } },
}

/** People without a factor, with one that waits for its first code, and with one that is on. */
export async function factorPools(
  market: TestMarketplace,
  operatorId: string,
): Promise<Map<string, unknown[]>> {
  const { deps } = market
  const pools = new Map<string, unknown[]>([['plain.bodies', [{ password: PASSWORD }]]])
  for (const who of PEOPLE) {
    const user = await person(market, who)
    const claims = { aud: 'account', sub: user.id, client_id: 'account' } as const
    const issued = await issueToken(deps, { ...claims, gen: user.tokenGeneration }, TTL_SECONDS)
    pools.set(`${who}.tokens`, [issued.token])
    pools.set(`${who}.ids`, [user.id])
    const bodies = await inState(market, user.id, who)
    if (bodies.length > 0) pools.set(`${who}.bodies`, bodies)
  }
  const time = deps.now()
  const end = new Date(time.getTime() + TTL_SECONDS * 1000)
  const session = await deps.db.session.create({
    data: {
      ...{ id: new Uint8Array(randomBytes(32)), userId: operatorId },
      ...{ createdAt: time, lastSeenAt: time, expiresAt: end },
    },
  })
  return pools.set('sessions.id', [session.publicId])
}

async function person({ deps }: TestMarketplace, who: Who) {
  const where = { email: `${who}@factor.example` }
  if ((await deps.db.user.count({ where })) === 0) {
    await createUser(deps, { ...where, name: who, password: PASSWORD, partyIds: [] })
  }
  const passwordHash = await deps.passwords.hash(PASSWORD, { kind: 'system', id: null })
  const data = { passwordHash, suspendedAt: null, suspendedReason: null }
  return deps.db.user.update({ where, data })
}

/** Brings a person into the state again; returns bodies with codes that are right now. */
async function inState(market: TestMarketplace, userId: string, who: Who): Promise<object[]> {
  const { db, secrets, now } = market.deps
  await db.secondFactor.deleteMany({ where: { userId } })
  if (who === 'plain') return []
  const secret = newTotpSecret()
  const time = now()
  await db.secondFactor.create({
    data: {
      ...{ userId, guessesSince: time, createdAt: time },
      confirmedAt: who === 'waiting' ? null : time,
      secret: new Uint8Array(secrets.encrypt(Buffer.from(secret), factorSecretContext(userId))),
    },
  })
  if (who === 'waiting') return [{ otp: codeOf(market, secret) }]
  const codes = newRecoveryCodes()
  await db.recoveryCode.createMany({
    data: codes.map(({ sha256 }) => ({ userId, codeSha256: sha256 })),
  })
  return codes.map(({ shown }) => ({ otp: shown }))
}
