import { setTimeout as sleep } from 'node:timers/promises'
import { SecretBoxError } from '../../base/secrets/secret-box.ts'
import type { Actor } from '../../base/values/actor.ts'
import type { Deps } from '../../deps.ts'
import { rekeyTable } from './rekey-pass-service.ts'
import { SEALED_TABLES } from './sealed-tables.ts'

/** Each pass skips the rows that another transaction is changing; more passes find them. */
const PASSES_MAX = 50
const PAUSE_MS = 200
const NAMED_MAX = 10

/** How many rows of each kind were re-encrypted. */
export type Rekeyed = Record<keyof typeof SEALED_TABLES, number>

/**
 * Re-encrypts every stored secret that is not encrypted with the current SECRET_KEY. A run that was
 * stopped is continued by the next one. Servers that know both keys may run meanwhile: a value that
 * changes at the same time is never overwritten.
 *
 * @throws SecretBoxError naming what neither key opens, after everything else is done
 */
export async function rekeySecrets(
  deps: Pick<Deps, 'db' | 'secrets'>,
  actor: Actor,
): Promise<Rekeyed> {
  const rekeyed = { settings: 0, signingKeys: 0, webhooks: 0, secondFactors: 0, installRequests: 0 }
  for (let pass = 1; ; pass++) {
    const unreadable: string[] = []
    let left = 0
    for (const [name, table] of Object.entries(SEALED_TABLES)) {
      const done = await rekeyTable(deps, actor, table)
      rekeyed[name as keyof Rekeyed] += done.done
      left += done.left
      unreadable.push(...done.unreadable)
    }
    if (left === 0) {
      if (unreadable.length > 0) throw unreadableError(unreadable)
      return rekeyed
    }
    if (pass === PASSES_MAX) {
      throw new Error(`${left} secrets are being changed all the time. Run the command again.`)
    }
    await sleep(PAUSE_MS)
  }
}

function unreadableError(names: readonly string[]): SecretBoxError {
  const shown = names.slice(0, NAMED_MAX).join(', ')
  return new SecretBoxError(
    `${names.length} secrets were encrypted with neither SECRET_KEY nor SECRET_KEY_PREVIOUS, ` +
      `or were changed: ${shown}. All others are done.`,
  )
}
