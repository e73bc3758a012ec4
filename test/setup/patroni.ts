import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { chmod, chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { freePort } from './free-port.ts'
import { waitUntil } from './server-process.ts'

/** How long the key of the primary lives in etcd without being renewed: Patroni's least. */
const TTL_SECONDS = 20
const LOOP_SECONDS = 2
const POSTGRES_VERSIONS = '/usr/lib/postgresql'
const NEEDED = ['/usr/bin/patroni', '/usr/bin/etcd', '/usr/sbin/haproxy', POSTGRES_VERSIONS]

/** Nodes of Postgres under Patroni, in synchronous mode, behind HAProxy. */
export type PatroniCluster = {
  /** Of whichever node is the primary. */
  connectionString: string
  /** The name of the node that is the primary now, undefined while there is none. */
  primary(): Promise<string | undefined>
  /** Resolves when another node than this one is the primary. */
  primaryAfter(former: string): Promise<string>
  /** Resolves when the primary has a synchronous standby. */
  inSync(): Promise<void>
  /** Ends Patroni and Postgres of a node at once. */
  kill(node: string): void
  /** Ends Postgres of a node at once. Its Patroni lives, and hands over without waiting. */
  killPostgres(node: string): void
  /** Makes another node the primary, as an operator does before maintenance. */
  switchOver(from: string): Promise<void>
  close(): Promise<void>
}

/** The packages of Debian that are missing. */
export function missingForPatroni(): string[] {
  return NEEDED.filter((path) => !existsSync(path))
}

type PatroniNode = { name: string; port: number; rest: number; process: ChildProcess; data: string }

/**
 * Starts etcd, the nodes and HAProxy. When one of them cannot start, those that run are ended.
 *
 * Runs as the user postgres when started by root, for Postgres refuses root.
 */
export async function startPatroni(nodeCount: number): Promise<PatroniCluster> {
  const directory = await mkdtemp(join(tmpdir(), 'patroni-'))
  const children: ChildProcess[] = []
  const close = async () => {
    // HAProxy, the nodes and etcd, in this order.
    for (const child of children.reverse()) await endOf(child)
    await rm(directory, { recursive: true, force: true })
  }
  try {
    return { ...(await startedCluster(nodeCount, directory, children)), close }
  } catch (error) {
    await close()
    throw error
  }
}

/** @param children what it starts is added here */
async function startedCluster(
  nodeCount: number,
  directory: string,
  children: ChildProcess[],
): Promise<Omit<PatroniCluster, 'close'>> {
  const owner = postgresUser()
  const own = async (path: string) => {
    if (owner !== undefined) await chown(path, owner.uid, owner.gid)
  }
  await chmod(directory, 0o755)
  await own(directory)
  const run = async (command: string, args: string[]) => {
    const child = spawn(command, args, { stdio: 'ignore', cwd: directory, ...owner })
    await once(child, 'spawn')
    children.push(child)
    return child
  }
  const [client, peer, entry] = [await freePort(), await freePort(), await freePort()]
  const etcd = `http://127.0.0.1:${client}`
  const peers = `http://127.0.0.1:${peer}`
  await run('etcd', [
    ...['--name', 'e', '--data-dir', join(directory, 'etcd')],
    ...['--listen-client-urls', etcd, '--advertise-client-urls', etcd],
    ...['--listen-peer-urls', peers, '--initial-advertise-peer-urls', peers],
    ...['--initial-cluster', `e=${peers}`],
  ])
  await waitUntil(() => answers(`${etcd}/health`))
  const nodes: PatroniNode[] = []
  for (let index = 0; index < nodeCount; index++) {
    const [port, rest] = [await freePort(), await freePort()]
    const name = `node${index}`
    const data = join(directory, name)
    await mkdir(data, { mode: 0o700 })
    await own(data)
    const file = join(directory, `${name}.yml`)
    const configuration = configurationOf({ name, port, rest, data, etcdPort: client })
    await writeFile(file, JSON.stringify(configuration))
    await own(file)
    nodes.push({ name, port, rest, data, process: await run('patroni', [file]) })
    // The first becomes the primary, so that the others copy it.
    await waitUntil(() => answers(`http://127.0.0.1:${rest}/health`))
  }
  const primary = async () => {
    for (const { name, rest } of nodes) {
      if (await answers(`http://127.0.0.1:${rest}/primary`)) return name
    }
    return undefined
  }
  await waitUntil(async () => (await primary()) !== undefined)
  await prepareDatabase(nodes[0]?.port ?? 0)
  const file = join(directory, 'haproxy.cfg')
  await writeFile(file, proxyOf(entry, nodes))
  await own(file)
  await run('haproxy', ['-db', '-f', file])
  const nodeOf = (name: string) => nodes.find((one) => one.name === name) ?? nodes[0]
  const anyLive = () =>
    nodes.find(({ process: { exitCode, signalCode } }) => exitCode === null && signalCode === null)
  const killPostgres = (name: string) => {
    const file = join(nodeOf(name)?.data ?? '', 'data', 'postmaster.pid')
    const pid = Number(readFileSync(file, 'utf8').split('\n', 1)[0])
    for (const one of [pid, ...childrenOf(pid)]) killed(one)
  }
  return {
    connectionString: `postgresql://marketplace@127.0.0.1:${entry}/marketplace?sslmode=disable`,
    primary,
    async primaryAfter(former) {
      let now: string | undefined
      while (now === undefined || now === former) {
        await sleep(50)
        now = await primary()
      }
      return now
    },
    async inSync() {
      await waitUntil(async () => {
        const answer = await fetch(`http://127.0.0.1:${anyLive()?.rest}/cluster`)
        const { members } = (await answer.json()) as { members: { role: string }[] }
        return members.some(({ role }) => role === 'sync_standby')
      })
    },
    kill(name) {
      nodeOf(name)?.process.kill('SIGKILL')
      killPostgres(name)
    },
    killPostgres,
    async switchOver(from) {
      const answer = await fetch(`http://127.0.0.1:${nodeOf(from)?.rest}/switchover`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ leader: from }),
      })
      if (!answer.ok) throw new Error(`switch-over: ${answer.status} ${await answer.text()}`)
    },
  }
}

type Settings = { name: string; port: number; rest: number; data: string; etcdPort: number }

/** YAML takes JSON. */
function configurationOf({ name, port, rest, data, etcdPort }: Settings) {
  const [version = ''] = readdirSync(POSTGRES_VERSIONS).sort((a, b) => Number(b) - Number(a))
  return {
    scope: 'marketplace',
    name,
    restapi: { listen: `127.0.0.1:${rest}`, connect_address: `127.0.0.1:${rest}` },
    etcd3: { host: `127.0.0.1:${etcdPort}` },
    bootstrap: {
      dcs: {
        ttl: TTL_SECONDS,
        loop_wait: LOOP_SECONDS,
        retry_timeout: 5,
        synchronous_mode: true,
        // A Postgres that dies is not waited for.
        primary_start_timeout: 0,
        postgresql: { use_pg_rewind: true },
      },
      initdb: [{ encoding: 'UTF8' }, 'data-checksums'],
    },
    postgresql: {
      listen: `127.0.0.1:${port}`,
      connect_address: `127.0.0.1:${port}`,
      data_dir: join(data, 'data'),
      bin_dir: join(POSTGRES_VERSIONS, version, 'bin'),
      pgpass: join(data, 'pgpass'),
      parameters: { unix_socket_directories: data, max_connections: 100 },
      pg_hba: [
        'host replication all 127.0.0.1/32 trust',
        'host all all 127.0.0.1/32 trust',
        'local all all trust',
      ],
      authentication: {
        superuser: { username: 'postgres', password: 'not used' },
        replication: { username: 'replicator', password: 'not used' },
      },
    },
  }
}

/** Patroni answers 200 at `/primary` on the primary alone; connections to a former one are cut. */
function proxyOf(port: number, nodes: readonly PatroniNode[]): string {
  return `defaults
    mode tcp
    timeout connect 2s
    timeout client 1h
    timeout server 1h
    timeout check 2s
listen primary
    bind 127.0.0.1:${port}
    option httpchk GET /primary
    default-server inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
${nodes.map((node) => `    server ${node.name} 127.0.0.1:${node.port} check port ${node.rest}\n`).join('')}`
}

async function prepareDatabase(port: number): Promise<void> {
  const connectionString = `postgresql://postgres@127.0.0.1:${port}/postgres?sslmode=disable`
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    await client.query('CREATE ROLE marketplace LOGIN')
    await client.query('CREATE DATABASE marketplace OWNER marketplace')
  } finally {
    await client.end()
  }
}

async function answers(url: string): Promise<boolean> {
  return fetch(url, { signal: AbortSignal.timeout(1_000) }).then(
    ({ ok }) => ok,
    () => false,
  )
}

/** Undefined for everybody but root. */
function postgresUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const idOf = (flag: string) =>
    Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  return { uid: idOf('-u'), gid: idOf('-g') }
}

function childrenOf(pid: number): number[] {
  const file = `/proc/${pid}/task/${pid}/children`
  return existsSync(file) ? readFileSync(file, 'utf8').split(' ').filter(Boolean).map(Number) : []
}

function killed(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

async function endOf(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await ended
}
