import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { connect, during, type FaultyDatabase, withFaultyDatabase } from './faulty-database.ts'
import type { Finding, Trial } from './trial.ts'

const DISK_MIB = 400
const FAULT_MS = 10_000

/** Postgres restarts, cuts connections, takes no writes and has no room on its disk. */
export const trial: Trial = {
  title: 'postgres',
  async run() {
    return [
      ...(await withFaultyDatabase(async (target) => [
        await restarted(target, 'fast', 'SIGINT'),
        await restarted(target, 'immediate', 'SIGQUIT'),
        await cut(target),
        await readOnly(target),
      ])),
      ...(await onSmallDisk((directory) =>
        withFaultyDatabase(async (target) => [await diskFull(target, directory)], directory),
      )),
    ]
  },
}

/** The server of Postgres starts again at once by itself. */
function restarted(target: FaultyDatabase, mode: string, signal: NodeJS.Signals): Promise<Finding> {
  return during(target, `Postgres restarted (${mode})`, FAULT_MS, async () => {
    process.kill(target.postgres.pid, signal)
    return async () => {}
  })
}

/** Five times a second, all connections of the server. */
function cut(target: FaultyDatabase): Promise<Finding> {
  return during(target, 'connections cut five times a second for 10 s', FAULT_MS, async () => {
    const superuser = await connect(target.postgres, 'postgres')
    const timer = setInterval(() => {
      superuser
        .query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'marketplace'`,
        )
        .catch(() => {})
    }, 200)
    return async () => {
      clearInterval(timer)
      await superuser.end()
    }
  })
}

/** As a primary that has become a standby: what reads goes on, what writes is told to come back. */
function readOnly(target: FaultyDatabase): Promise<Finding> {
  return during(target, 'Postgres takes no writes for 10 s', FAULT_MS, async () => {
    const superuser = await connect(target.postgres)
    const allow = async (isReadOnly: boolean) => {
      await superuser.query(
        `ALTER ROLE marketplace SET default_transaction_read_only = ${isReadOnly}`,
      )
      await reconnected(superuser)
    }
    await allow(true)
    return async () => {
      await allow(false)
      await superuser.end()
    }
  })
}

/** Settings of a role hold for new connections. */
async function reconnected(superuser: pg.Client): Promise<void> {
  await superuser.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'marketplace'`,
  )
}

/** A file beside the data takes all the room there is. */
function diskFull(target: FaultyDatabase, directory: string): Promise<Finding> {
  const file = join(directory, 'filler')
  return during(target, 'the disk of Postgres is full for 10 s', FAULT_MS, async () => {
    try {
      execFileSync('dd', ['if=/dev/zero', `of=${file}`, 'bs=64k'], { stdio: 'ignore' })
    } catch {
      // It ends when there is no room left, as it should.
    }
    return () => rm(file)
  })
}

/** A file system of its own in memory, which only root may make. */
async function onSmallDisk(work: (directory: string) => Promise<Finding[]>): Promise<Finding[]> {
  const directory = await mkdtemp(join(tmpdir(), 'small-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MIB}m,mode=755`, 'tmpfs', directory])
  } catch (error) {
    await rm(directory, { recursive: true })
    throw new Error(`a small disk can be made by root only: ${String(error)}`)
  }
  try {
    return await work(directory)
  } finally {
    execFileSync('umount', ['-l', directory])
    await rm(directory, { recursive: true })
  }
}
