import { threadCpuUsage } from 'node:process'

/**
 * Loaded into a server (`--import`): measures the longest turn of the event loop in processor time,
 * which other work on the machine does not lengthen as it does the time of `/livez`. Tells it to
 * standard error at SIGUSR2, and begins anew.
 */
const EVERY_MS = 1
let lastMicros = micros()
let longestMicros = 0

function micros(): number {
  const { user, system } = threadCpuUsage()
  return user + system
}

setInterval(() => {
  const nowMicros = micros()
  longestMicros = Math.max(longestMicros, nowMicros - lastMicros)
  lastMicros = nowMicros
}, EVERY_MS).unref()

process.on('SIGUSR2', () => {
  process.stderr.write(`longest turn ${(longestMicros / 1000).toFixed(1)} ms\n`)
  longestMicros = 0
})
