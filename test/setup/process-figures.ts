import { readdirSync, readFileSync } from 'node:fs'

/** Of `utime` and `stime`: Linux counts in hundredths, whatever the machine. */
const TICKS_PER_SECOND = 100

/** A process and all below it, as Linux tells it. */
export function processTree(pid: number): number[] {
  try {
    const tasks = readdirSync(`/proc/${pid}/task`)
    const children = tasks.flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean),
    )
    return [pid, ...children.flatMap((child) => processTree(Number(child)))]
  } catch {
    return []
  }
}

/** Processor time that processes have taken, user and system; those that ended count for nothing. */
export function cpuSeconds(pids: readonly number[]): number {
  let ticks = 0
  for (const pid of pids) {
    try {
      // The name of a program may have spaces; what comes after it has none.
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /, '')
        .split(' ')
      ticks += Number(fields[11]) + Number(fields[12])
    } catch {
      // It has ended.
    }
  }
  return ticks / TICKS_PER_SECOND
}

/** Processor time of the programs that this process has started and that have ended. */
export function cpuSecondsOfEnded(): number {
  const fields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  return (Number(fields[13]) + Number(fields[14])) / TICKS_PER_SECOND
}

/** Resident memory of processes. */
export function rssMib(pids: readonly number[]): number {
  let kib = 0
  for (const pid of pids) {
    try {
      kib += Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0)
    } catch {
      // It has ended.
    }
  }
  return kib / 1024
}

/** Open descriptors of a process. */
export function descriptorCount(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length
}

/** Processor seconds that the whole machine has been idle, and those of all its cores. */
export function machineSeconds(): { idle: number; all: number } {
  const line = readFileSync('/proc/stat', 'utf8').split('\n', 1)[0] ?? ''
  const ticks = line.split(/\s+/).slice(1, 9).map(Number)
  const sum = ticks.reduce((total, one) => total + one, 0)
  return {
    idle: ((ticks[3] ?? 0) + (ticks[4] ?? 0)) / TICKS_PER_SECOND,
    all: sum / TICKS_PER_SECOND,
  }
}
