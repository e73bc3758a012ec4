import { spawn } from 'node:child_process'
import { closeSync, fstatSync, openSync } from 'node:fs'
import { stopBySignals } from './leftover.ts'
import { readTail, shorten } from './log-file.ts'
import { commandOf, type Runner } from './runner.ts'

/** How often the size of the log is looked at. */
const LOOK_MS = 5_000

/** A Postgres process that we started. */
export type PostgresProcess = Awaited<ReturnType<typeof spawnPostgres>>

/**
 * Starts `postgres` and appends its output to `logFile`. Postgres has a session of its own, so that
 * Ctrl-C in the terminal reaches only the server, which stops Postgres after its own work. Ours
 * because a Postgres of pg_ctl would not end with us.
 */
export async function spawnPostgres(options: {
  runner: Runner
  cluster: string
  settings: Record<string, string>
  logFile: string
}) {
  const { runner, cluster, logFile } = options
  const settings = Object.entries(options.settings).map(([name, value]) => `--${name}=${value}`)
  const command = commandOf(runner, [runner.postgres, '-D', cluster, ...settings])
  await shorten(logFile)
  const log = openSync(logFile, 'a', 0o600)
  const logged = fstatSync(log).size
  const child = spawn(command.file, command.args, {
    ...command.options,
    stdio: ['ignore', log, log],
    detached: true,
  })
  closeSync(log)
  // Postgres does not keep an idle program alive; `process.on('exit')` below stops it.
  child.unref()

  const stopWithUs = () => child.kill('SIGINT')
  process.on('exit', stopWithUs)
  const look = setInterval(() => void shorten(logFile), LOOK_MS).unref()
  let isRunning = true
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', (code, by) => resolve(by ? `killed by ${by}` : `exit code ${code}`))
  }).finally(() => {
    isRunning = false
    process.off('exit', stopWithUs)
    clearInterval(look)
  })
  return {
    pid: child.pid ?? 0,
    /** Resolves when the process has ended, with how it ended. */
    ended,
    isRunning: () => isRunning,
    /** The last lines of its log since it started. */
    logTail: () => readTail(logFile, logged),
    async stop() {
      const send = (signal: NodeJS.Signals) => child.kill(signal)
      await stopBySignals(send, () => isRunning)
    },
  }
}
