import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { STOP_STEPS } from './leftover.ts'
import { openLogFile } from './log-file.ts'
import type { Runner } from './runner.ts'

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
  const log = await openLogFile(logFile)
  const stdio: ['ignore', number, number] = ['ignore', log.descriptor, log.descriptor]
  const child = spawn(command.file, command.args, {
    ...command.options,
    stdio,
    detached: true,
  })
  closeSync(log.descriptor)
  // Postgres does not keep an idle program alive; `process.on('exit')` below stops it.
  child.unref()

  const stopWithUs = () => signal(child, 'SIGINT')
  process.on('exit', stopWithUs)
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', (code, by) => resolve(by ? `killed by ${by}` : `exit code ${code}`))
  })
  void ended.then(() => {
    process.off('exit', stopWithUs)
    log.close()
  })
  let running = true
  void ended.then(() => {
    running = false
  })
  return {
    pid: child.pid ?? 0,
    ended,
    isRunning: () => running,
    logTail: log.tail,
    stop: () => stopChild(child, ended, (by) => signal(child, by)),
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

function signal(child: ChildProcess, by: NodeJS.Signals): void {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill(by)
}
