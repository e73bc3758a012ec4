import { generateKeyPairSync, type JsonWebKey, randomUUID } from 'node:crypto'
import { createBatch } from '../../base/concurrency/batch.ts'
import { isDatabaseUnavailable } from '../../base/database/failures.ts'
import { type Db, inTransaction } from '../../base/database/transaction.ts'
import type { SecretBox } from '../../base/secrets/secret-box.ts'
import { createTokenSigner, publicKeyPem, signingKeyContext, type TokenSigner } from './jws.ts'
import { createKeyCache } from './key-cache.ts'

type PublicKey = { kid: string; publicJwk: JsonWebKey; verifyUntil: Date | null }
type RingKey = PublicKey & {
  signFrom: Date
  sign: TokenSigner
  /** The public key as PEM. */
  publicKey: string
}

/** The keys that sign and verify tokens, shared by all replicas through the database. */
export type KeyRing = {
  /**
   * Signs with the newest key whose `signFrom` has come and that was not withdrawn.
   *
   * @param seenKids ids of keys that this request has just read from the database: when the signing
   *   key is among them, the database is not asked again
   */
  sign(claims: Record<string, unknown>, seenKids?: readonly string[]): Promise<string>
  /**
   * The public key of a `kid` as PEM, if this process has it in memory and it is in force. Does not
   * wait for the database. The principal check tells whether the key was withdrawn since.
   */
  knownPublicKey(kid: string): string | undefined
  /** The public key of an id. Asks the database when another replica may just have made the key. */
  publicKeyOf(kid: string): Promise<string | undefined>
  /**
   * The public keys in force (RFC 7517), as they are in the database now. While the database is
   * away, the keys in memory, so that clients can still verify offline.
   */
  jwks(): Promise<{ keys: JsonWebKey[] }>
}

type KeyRingDeps = { db: Db; secrets: SecretBox; now: () => Date }

/** Opens the key ring. Makes the first key when the database has none. */
export async function openKeyRing(deps: KeyRingDeps): Promise<KeyRing> {
  const { db, now } = deps
  await ensureSigningKey(deps)
  const cache = await createKeyCache(() => loadKeys(deps), now)
  /** One query for all calls in one tick of the event loop; it reads no private key. */
  const isStored = createBatch(async (kids: readonly string[]) => {
    const rows = await db.$queryRaw<{ kid: string }[]>`
      SELECT kid FROM signing_keys WHERE kid = ANY(${[...new Set(kids)]})`
    return kids.map((kid) => rows.some((row) => row.kid === kid))
  })
  const isInForce = ({ verifyUntil }: PublicKey) => verifyUntil === null || verifyUntil > now()
  const inForce = async () => (await cache.fresh()).filter(isInForce)
  const find = async (kid: string) => (await inForce()).find((key) => key.kid === kid)
  const lookUp = async (kid: string) => {
    const known = await find(kid)
    if (known) return known.publicKey
    // An unknown `kid`: either another replica has just made the key, or there is none.
    if (cache.keys().some((key) => key.kid === kid) || !(await isStored(kid))) return undefined
    await cache.reload()
    return (await find(kid))?.publicKey
  }
  const knownPublicKey = (kid: string) => {
    const known = cache.keys().find((key) => key.kid === kid && isInForce(key))
    if (known !== undefined) cache.refreshIfOld()
    return known?.publicKey
  }
  const signer = async () => signingKey(await inForce(), now())

  return {
    async sign(claims, seenKids = []) {
      const key = await signer()
      if (seenKids.includes(key.kid) || (await isStored(key.kid))) return key.sign(claims)
      await cache.reload()
      return (await signer()).sign(claims)
    },
    knownPublicKey,
    publicKeyOf: async (kid) => knownPublicKey(kid) ?? lookUp(kid),
    async jwks() {
      const published = await publicKeys(db).catch((error: unknown) => {
        if (isDatabaseUnavailable(error)) return cache.keys()
        throw error
      })
      return {
        keys: published
          .filter(isInForce)
          .map(({ kid, publicJwk }) => ({ ...publicJwk, kid, alg: 'ES256', use: 'sig' })),
      }
    },
  }
}

/** The newest key whose `signFrom` has come; the first key when the clock is behind all of them. */
function signingKey(keys: readonly RingKey[], now: Date): RingKey {
  const bySignFrom = keys.toSorted((a, b) => a.signFrom.getTime() - b.signFrom.getTime())
  const key = bySignFrom.findLast(({ signFrom }) => signFrom <= now) ?? bySignFrom[0]
  if (key === undefined) throw new Error('the key ring has no key that may sign')
  return key
}

async function publicKeys(db: Db): Promise<PublicKey[]> {
  const rows = await db.signingKey.findMany({
    select: { kid: true, publicJwk: true, verifyUntil: true },
    orderBy: { createdAt: 'asc' },
  })
  return rows.map((row) => ({ ...row, publicJwk: row.publicJwk as JsonWebKey }))
}

async function loadKeys({ db, secrets }: KeyRingDeps): Promise<RingKey[]> {
  const rows = await db.signingKey.findMany({ orderBy: { createdAt: 'asc' } })
  return rows.map((row) => {
    const publicJwk = row.publicJwk as JsonWebKey
    const pem = secrets.decrypt(row.privateKey, signingKeyContext(row.kid)).toString('utf8')
    return {
      kid: row.kid,
      publicJwk,
      signFrom: row.signFrom,
      verifyUntil: row.verifyUntil,
      sign: createTokenSigner(row.kid, pem),
      publicKey: publicKeyPem(publicJwk),
    }
  })
}

/** Makes the first key. Replicas that start together on an empty database agree on one. */
async function ensureSigningKey({ db, secrets, now }: KeyRingDeps): Promise<void> {
  if ((await db.signingKey.count()) > 0) return
  await inTransaction(db, async (tx) => {
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtext('app-marketplace signing keys'))`
    if ((await tx.signingKey.count()) > 0) return
    await tx.signingKey.create({ data: newSigningKey(secrets, now()) })
  })
}

/** A new key pair as a row to store. */
export function newSigningKey(secrets: SecretBox, signFrom: Date) {
  const kid = randomUUID()
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
  return {
    kid,
    publicJwk: publicKey.export({ format: 'jwk' }) as Record<string, string>,
    privateKey: new Uint8Array(secrets.encrypt(Buffer.from(pem), signingKeyContext(kid))),
    signFrom,
  }
}
