import { existsSync, readFileSync } from 'node:fs'
import { isAlive, type ServerProcess } from './server-process.ts'

/** The worker processes of a server with `WORKERS`; none where the system has no `/proc`. */
export function workersOf({ child }: ServerProcess): number[] {
  const file = `/proc/${child.pid}/task/${child.pid}/children`
  if (!existsSync(file)) return []
  const children = readFileSync(file, 'utf8').trim().split(' ').filter(Boolean).map(Number)
  return children.filter((pid) => isAlive(pid) && commandOf(pid).includes('server.ts'))
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}
