import { setTimeout as sleep } from 'node:timers/promises'
import { recordAudit } from '../audit/record-audit-service.ts'
import { type Db, inTransaction } from '../database/transaction.ts'
import type { Deps } from '../deps.ts'
import { secretContext } from '../installations/settings/stored-settings.ts'
import { SecretBoxError } from '../secrets/secret-box.ts'
import { signingKeyContext } from '../tokens/keys-service.ts'
import type { Actor } from '../values/actor.ts'
import { rekeyFactors } from './rekey-factors-service.ts'
import { rekeyRequests } from './rekey-requests-service.ts'
import { rekeyWebhooks } from './rekey-webhooks-service.ts'

const BATCH_ROWS = 200
/** Rows that somebody else is changing are left for the next pass. */
const PASSES_MAX = 50
const PAUSE_MS = 200
const NAMED_MAX = 10

type RekeyDeps = Pick<Deps, 'db' | 'secrets'>
type Place = { installationId: string; scope: string; key: string }
type SecretRow = Place & { secret: Uint8Array }

/** How many secrets were encrypted anew. */
export type Rekeyed = {
  settings: number
  signingKeys: number
  webhooks: number
  secondFactors: number
  installRequests: number
}

/**
 * Encrypts every stored secret that another key than the current SECRET_KEY protects with the
 * current one: password settings, signing keys, secrets and headers of webhook endpoints, second
 * factors, passwords of install requests. In batches, each in a transaction of its own with its audit entry; stopped half-way, the
 * next run goes on. Servers may run meanwhile as long as they know both keys: a value changed at the
 * same moment is never overwritten.
 *
 * @throws SecretBoxError naming what neither key opens, after everything else is done
 */
export async function rekeySecrets(deps: RekeyDeps, actor: Actor): Promise<Rekeyed> {
  const signingKeys = await rekeySigningKeys(deps, actor)
  const rekeyed = { settings: 0, signingKeys, webhooks: 0, secondFactors: 0, installRequests: 0 }
  for (let pass = 1; ; pass++) {
    const settings = await rekeySettings(deps, actor)
    const webhooks = await rekeyWebhooks(deps, actor)
    rekeyed.settings += settings.done
    rekeyed.webhooks += webhooks.done
    const factors = await rekeyFactors(deps, actor)
    rekeyed.secondFactors += factors.done
    const requests = await rekeyRequests(deps, actor)
    rekeyed.installRequests += requests.done
    const left = settings.left + webhooks.left + factors.left + requests.left
    if (left === 0) {
      const unreadable = [
        ...settings.unreadable.map(nameOf),
        ...webhooks.unreadable,
        ...factors.unreadable,
        ...requests.unreadable,
      ]
      if (unreadable.length > 0) throw unreadableError(unreadable)
      return rekeyed
    }
    if (pass === PASSES_MAX) {
      throw new Error(`${left} secrets are being changed all the time. Run the command again.`)
    }
    await sleep(PAUSE_MS)
  }
}

async function rekeySigningKeys({ db, secrets }: RekeyDeps, actor: Actor): Promise<number> {
  return inTransaction(db, async (tx) => {
    await tx.$queryRaw`SELECT 1 FROM signing_keys ORDER BY kid FOR UPDATE`
    const rows = await tx.signingKey.findMany()
    const stale = rows.filter(({ privateKey }) => !secrets.isCurrent(privateKey))
    for (const { kid, privateKey } of stale) {
      const plaintext = secrets.decrypt(privateKey, signingKeyContext(kid))
      const renewed = new Uint8Array(secrets.encrypt(plaintext, signingKeyContext(kid)))
      await tx.signingKey.update({ where: { kid }, data: { privateKey: renewed } })
    }
    await recordBatch(tx, actor, 'signing-keys', stale.length)
    return stale.length
  })
}

type Pass = { done: number; left: number; unreadable: Place[] }

/** Goes once through all password settings, in the order of their key. */
async function rekeySettings({ db, secrets }: RekeyDeps, actor: Actor): Promise<Pass> {
  const pass: Pass = { done: 0, left: 0, unreadable: [] }
  let page = await pageOfSecrets(db, undefined)
  while (page.length > 0) {
    const stale = page.filter(({ secret }) => !secrets.isCurrent(secret))
    if (stale.length > 0) {
      const { done, left, unreadable } = await rekeyBatch({ db, secrets }, actor, stale)
      pass.done += done
      pass.left += left
      pass.unreadable.push(...unreadable)
    }
    page = await pageOfSecrets(db, page.at(-1))
  }
  return pass
}

function pageOfSecrets(db: Db, after: Place | undefined): Promise<SecretRow[]> {
  const { installationId, scope, key } = after ?? {
    installationId: '00000000-0000-0000-0000-000000000000',
    scope: 'user',
    key: '',
  }
  // The table's own scope in the order: its text sorts otherwise than the enumeration.
  return db.$queryRaw<SecretRow[]>`
    SELECT v.installation_id AS "installationId", v.scope::text, v.key, v.secret
    FROM setting_values v
    WHERE v.secret IS NOT NULL
      AND (v.installation_id, v.scope, v.key)
        > (${installationId}::uuid, ${scope}::"SettingScope", ${key})
    ORDER BY v.installation_id, v.scope, v.key
    LIMIT ${BATCH_ROWS}`
}

/**
 * Takes each row without waiting for anybody, so that nobody waits for us in a circle, and looks
 * again: what was changed since it was read is encrypted as it is now.
 */
async function rekeyBatch(
  { db, secrets }: RekeyDeps,
  actor: Actor,
  stale: readonly SecretRow[],
): Promise<Pass> {
  return inTransaction(db, async (tx) => {
    const pass: Pass = { done: 0, left: 0, unreadable: [] }
    for (const { installationId, scope, key } of stale) {
      const place = { installationId, scope, key }
      const taken = await takeSecret(tx, place)
      if (taken === 'busy') pass.left += 1
      else if (taken !== undefined && !secrets.isCurrent(taken)) {
        const context = secretContext(installationId, scope, key)
        const plaintext = opened(() => secrets.decrypt(taken, context))
        if (plaintext === undefined) pass.unreadable.push(place)
        else {
          await writeSecret(tx, place, secrets.encrypt(plaintext, context))
          pass.done += 1
        }
      }
    }
    await recordBatch(tx, actor, 'settings', pass.done)
    return pass
  })
}

/** @returns the ciphertext, undefined when it is gone, `busy` when somebody else changes it */
async function takeSecret(
  tx: Db,
  { installationId, scope, key }: Place,
): Promise<Uint8Array | 'busy' | undefined> {
  const [taken] = await tx.$queryRaw<{ secret: Uint8Array | null }[]>`
    SELECT secret FROM setting_values
    WHERE installation_id = ${installationId}::uuid AND scope = ${scope}::"SettingScope"
      AND key = ${key}
    FOR UPDATE SKIP LOCKED`
  if (taken !== undefined) return taken.secret ?? undefined
  const [seen] = await tx.$queryRaw<object[]>`
    SELECT 1 FROM setting_values
    WHERE installation_id = ${installationId}::uuid AND scope = ${scope}::"SettingScope"
      AND key = ${key} AND secret IS NOT NULL`
  return seen === undefined ? undefined : 'busy'
}

/** Leaves `updated_at` alone: the value is the same as before. */
function writeSecret(tx: Db, { installationId, scope, key }: Place, secret: Buffer) {
  return tx.$executeRaw`
    UPDATE setting_values SET secret = ${new Uint8Array(secret)}
    WHERE installation_id = ${installationId}::uuid AND scope = ${scope}::"SettingScope"
      AND key = ${key}`
}

async function recordBatch(tx: Db, actor: Actor, id: string, count: number): Promise<void> {
  if (count === 0) return
  await recordAudit(tx, {
    actor,
    action: 'secrets.rekeyed',
    subject: { kind: 'secrets', id },
    after: { count },
  })
}

function opened<T>(open: () => T): T | undefined {
  try {
    return open()
  } catch (error) {
    if (error instanceof SecretBoxError) return undefined
    throw error
  }
}

function nameOf({ installationId, scope, key }: Place): string {
  return `${scope} setting ${key} of ${installationId}`
}

function unreadableError(names: readonly string[]): SecretBoxError {
  const shown = names.slice(0, NAMED_MAX).join(', ')
  return new SecretBoxError(
    `${names.length} secrets were encrypted with neither SECRET_KEY nor SECRET_KEY_PREVIOUS, or were changed: ${shown}. All others are done.`,
  )
}
