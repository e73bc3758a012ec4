import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { ensureOwner } from '../../src/operation/embedded-postgres/as-root.ts'
import { locateCluster } from '../../src/operation/embedded-postgres/cluster.ts'
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../src/operation/embedded-postgres/embedded-postgres.ts'
import {
  type PostgresProcess,
  spawnPostgres,
} from '../../src/operation/embedded-postgres/process.ts'
import { chooseRunner } from '../../src/operation/embedded-postgres/runner.ts'
import { query } from './backups.ts'
import { waitUntil } from './server-process.ts'

/** A primary, and a copy of it that follows. */
export type Replication = {
  primary: EmbeddedPostgres
  /** The address of the copy, for the role that the server works as. */
  replicaUrl: string
  /** How long the copy waits before it applies what it has got. */
  delay(ms: number): Promise<void>
  /** Resolves when the copy has applied all that the primary has. */
  caughtUp(): Promise<void>
  /** How many pages of products the copy was asked for. */
  pagesAsked(): number
  /** Every process of the copy stands still, or goes on. */
  freeze(signal: 'SIGSTOP' | 'SIGCONT'): void
  stopReplica(): Promise<void>
  startReplica(): Promise<void>
  close(): Promise<void>
}

/** Copies the cluster between the beginning and the end of a backup, as pg_basebackup does. */
async function copyCluster(primary: EmbeddedPostgres, from: string, to: string): Promise<void> {
  const client = new pg.Client({ connectionString: primary.superuserConnectionString })
  await client.connect()
  await client.query("SELECT pg_backup_start('replica', true)")
  cpSync(from, to, {
    recursive: true,
    filter: (path) => !/postmaster\.(pid|opts)$/.test(path),
  })
  const { rows } = await client.query('SELECT labelfile FROM pg_backup_stop(false)')
  await client.end()
  writeFileSync(join(to, 'backup_label'), rows[0].labelfile)
  writeFileSync(join(to, 'standby.signal'), '')
}

const partsOf = (url: string) => new URL(url.replace('@/', '@localhost/'))

export async function startReplication(): Promise<Replication> {
  const parent = await mkdtemp(join(tmpdir(), 'replication-'))
  const primaryDir = join(parent, 'primary')
  const replicaDir = join(parent, 'replica')
  const settings = { fsync: 'off', wal_keep_size: '256MB' }
  const primary = await startEmbeddedPostgres({ dataDir: primaryDir, settings })
  await mkdir(replicaDir, { mode: 0o700 })
  const runner = await chooseRunner(replicaDir)
  const cluster = join(replicaDir, 'postgres')
  await copyCluster(primary, locateCluster(primaryDir), cluster)
  ensureOwner(cluster, runner.owner)

  const source = partsOf(primary.superuserConnectionString)
  const sockets = source.searchParams.get('host') ?? ''
  const port = '5433'
  const at = (url: string) => url.replace('port=5432', `port=${port}`)
  const superuserUrl = at(primary.superuserConnectionString)
  const logFile = join(replicaDir, 'postgres.log')
  let replica: PostgresProcess
  const startReplica = async () => {
    replica = await spawnPostgres({
      runner,
      cluster,
      logFile,
      settings: {
        fsync: 'off',
        listen_addresses: '',
        port,
        unix_socket_directories: sockets,
        log_destination: 'stderr',
        log_statement: 'all',
        primary_conninfo: `host=${sockets} port=5432 user=postgres password=${source.password}`,
        hot_standby_feedback: 'on',
      },
    })
    await waitUntil(() => query(superuserUrl, 'SELECT 1').then(Boolean, () => false))
  }
  await startReplica()
  const positionOf = async (url: string, name: string) =>
    (await query<{ at: string }>(url, `SELECT (${name}() - '0/0'::pg_lsn)::text AS at`))[0]?.at
  return {
    primary,
    replicaUrl: at(primary.connectionString),
    async delay(ms) {
      await query(superuserUrl, `ALTER SYSTEM SET recovery_min_apply_delay = '${ms}ms'`)
      await query(superuserUrl, 'SELECT pg_reload_conf()')
      const shown = async () =>
        (
          await query<{ ms: string }>(
            superuserUrl,
            `SELECT setting AS ms FROM pg_settings WHERE name = 'recovery_min_apply_delay'`,
          )
        )[0]?.ms
      await waitUntil(async () => (await shown()) === String(ms))
    },
    async caughtUp() {
      const wanted = await positionOf(primary.superuserConnectionString, 'pg_current_wal_lsn')
      await waitUntil(async () => {
        const reached = await positionOf(superuserUrl, 'pg_last_wal_replay_lsn')
        return BigInt(reached ?? 0) >= BigInt(wanted ?? 0)
      })
    },
    pagesAsked: () => readFileSync(logFile, 'utf8').split('FROM parties viewer').length - 1,
    freeze(signal) {
      process.kill(replica.pid, signal)
      for (const pid of childrenOf(replica.pid)) signalIfThere(pid, signal)
    },
    stopReplica: () => replica.stop(),
    startReplica,
    async close() {
      await replica.stop()
      await primary.stop()
      await rm(parent, { recursive: true, force: true })
    },
  }
}

/** The processes that this process has started. */
function childrenOf(pid: number): number[] {
  const file = `/proc/${pid}/task/${pid}/children`
  return readFileSync(file, 'utf8').trim().split(' ').filter(Boolean).map(Number)
}

/** Processes of Postgres come and go. */
function signalIfThere(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
