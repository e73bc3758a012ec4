import { lstatSync, rmSync } from 'node:fs'
import { mkdtemp, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { OperatorError } from '../../errors.ts'
import { ownOwner } from '../../operation/embedded-postgres/as-ordinary-user.ts'
import {
  endAbandoned,
  startEmbeddedPostgres,
} from '../../operation/embedded-postgres/embedded-postgres.ts'

const SCRATCH = 'app-marketplace-scratch-'

/** There is no place to try something; the message is for the operator. */
class ScratchDatabaseError extends OperatorError {}

/**
 * Runs work on an empty database in an embedded Postgres of its own, which is taken away afterwards.
 * What happens there reaches no other database.
 *
 * @throws ScratchDatabaseError when there is no place for it
 */
export async function withScratchDatabase<T>(work: (url: string) => Promise<T>): Promise<T> {
  const parent = await makeParent()
  const dataDir = join(parent, 'data')
  const remove = () => removeScratch(parent)
  try {
    const postgres = await startEmbeddedPostgres({ dataDir, settings: { fsync: 'off' } })
    // For a process that ends by a signal: Postgres has been told to end by then.
    process.on('exit', remove)
    try {
      return await work(postgres.connectionString)
    } finally {
      await postgres.stop()
    }
  } finally {
    process.off('exit', remove)
    remove()
  }
}

async function makeParent(): Promise<string> {
  try {
    await removeAbandoned()
    return await mkdtemp(join(tmpdir(), SCRATCH))
  } catch (error) {
    const { code = String(error) } = error as NodeJS.ErrnoException
    throw new ScratchDatabaseError(
      `Cannot make a directory for the scratch database in ${tmpdir()}: ${code}. ` +
        'Set TMPDIR to a directory that this command may write.',
      { cause: error },
    )
  }
}

/** Removes what killed processes have left, with the Postgres in it. What is in use stays. */
async function removeAbandoned(): Promise<void> {
  const names = (await readdir(tmpdir())).filter((name) => name.startsWith(SCRATCH))
  for (const parent of names.map((name) => join(tmpdir(), name))) {
    const dataDir = join(parent, 'data')
    try {
      // Somebody else's directory could name any other one as the place of its data.
      const isOurs = lstatSync(parent).uid === ownOwner().uid
      if (isOurs && (await endAbandoned(dataDir))) removeScratch(parent)
    } catch {
      // A process uses it or is removing it, or it cannot be removed: this only tidies up.
    }
  }
}

function removeScratch(parent: string): void {
  rmSync(parent, { recursive: true, force: true, maxRetries: 5 })
}
