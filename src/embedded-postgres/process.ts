import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { closeSync, existsSync, fstatSync, openSync, readSync, renameSync, statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { STOP_STEPS } from './leftover.ts'
import type { Runner } from './runner.ts'

const LOG_MAX_BYTES = 10 * 1024 * 1024
const LOG_TAIL_BYTES = 4_000
const LOG_TAIL_LINES = 12

/** A Postgres process that we started. */
export type PostgresProcess = {
  pid: number
  /** Resolves when the process has ended, with how it ended. */
  ended: Promise<string>
  isRunning(): boolean
  /** The last lines of its log since it started. */
  logTail(): string
  stop(): Promise<void>
}

/**
 * Starts `postgres` and appends its output to `logFile`. Postgres has a session of its own, so that
 * Ctrl-C in the terminal reaches only the server, which stops Postgres after its own work.
 */
export async function spawnPostgres(options: {
  runner: Runner
  cluster: string
  settings: Record<string, string>
  logFile: string
}): Promise<PostgresProcess> {
  const { runner, cluster, logFile } = options
  const flags = Object.entries(options.settings).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ])
  const command = runner.command('postgres', ['-D', cluster, ...flags])
  rotateLog(logFile)
  const log = openSync(logFile, 'a', 0o600)
  const logStart = fstatSync(log).size
  const stdio: ['ignore', number, number] = ['ignore', log, log]
  const child = spawn(command.file, command.args, {
    ...command.options,
    stdio,
    detached: true,
    windowsHide: true,
  })
  closeSync(log)
  // Postgres does not keep an idle program alive; `process.on('exit')` below stops it.
  child.unref()

  const stopWithUs = () => signal(child, runner, cluster, 'SIGINT')
  process.on('exit', stopWithUs)
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', (code, by) => resolve(by ? `killed by ${by}` : `exit code ${code}`))
  })
  void ended.then(() => process.off('exit', stopWithUs))
  let running = true
  void ended.then(() => {
    running = false
  })
  return {
    pid: child.pid ?? 0,
    ended,
    isRunning: () => running,
    logTail: () => readTail(logFile, logStart),
    stop: () => stopChild(child, ended, (by) => signal(child, runner, cluster, by)),
  }
}

async function stopChild(
  child: ChildProcess,
  ended: Promise<string>,
  send: (signal: NodeJS.Signals) => void,
): Promise<void> {
  child.ref()
  for (const [by, timeoutMs] of STOP_STEPS) {
    send(by)
    const timer = new AbortController()
    const timeout = sleep(timeoutMs, 'timeout', { signal: timer.signal }).catch(() => 'aborted')
    const first = await Promise.race([ended, timeout])
    timer.abort()
    if (first !== 'timeout') return
  }
}

function signal(child: ChildProcess, runner: Runner, cluster: string, by: NodeJS.Signals): void {
  if (child.exitCode !== null || child.signalCode !== null) return
  if (process.platform === 'win32' && by === 'SIGINT') {
    // Windows has no signals: pg_ctl uses the pipe that Postgres listens to.
    const stop = runner.command('pg_ctl', ['stop', '-D', cluster, '-m', 'fast', '--no-wait'])
    spawnSync(stop.file, stop.args, { ...stop.options, stdio: 'ignore' })
  } else {
    child.kill(by)
  }
}

/** Keeps one older log. Errors of statements are not logged, so the log grows slowly. */
function rotateLog(logFile: string): void {
  const size = statSync(logFile, { throwIfNoEntry: false })?.size ?? 0
  if (size > LOG_MAX_BYTES) renameSync(logFile, `${logFile}.1`)
}

/** The last lines; empty when somebody has taken the log away. */
function readTail(logFile: string, from: number): string {
  if (!existsSync(logFile)) return ''
  const descriptor = openSync(logFile, 'r')
  try {
    const { size } = fstatSync(descriptor)
    const start = Math.max(from, size - LOG_TAIL_BYTES)
    const bytes = Buffer.alloc(Math.max(0, size - start))
    readSync(descriptor, bytes, 0, bytes.length, start)
    return bytes.toString().trim().split('\n').slice(-LOG_TAIL_LINES).join('\n')
  } finally {
    closeSync(descriptor)
  }
}
