import { readdirSync, readFileSync } from 'node:fs'

const TICKS_PER_SECOND = 100
/** Of the fields of /proc/PID/stat behind the name. */
const PARENT = 1
const OWN_TIMES = [11, 12]
const ENDED_CHILDREN_TIMES = [13, 14]

/** Processor time in seconds that a process and its children, ended ones included, have taken. */
export function processorSecondsBelow(pid: number): number {
  const stats = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(fieldsOf)
  const own = fieldsOf(String(pid))
  const children = stats.filter((fields) => fields[PARENT] === pid)
  const ticks =
    [own, ...children].reduce((all, fields) => all + sumOf(fields, OWN_TIMES), 0) +
    sumOf(own, ENDED_CHILDREN_TIMES)
  return ticks / TICKS_PER_SECOND
}

/** None for a process that ends at this moment. */
function fieldsOf(pid: string): number[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
  } catch {
    return []
  }
}

function sumOf(fields: readonly number[], which: readonly number[]): number {
  return which.reduce((sum, one) => sum + (fields[one] ?? 0), 0)
}
