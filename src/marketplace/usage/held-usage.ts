import type { ErrorCode } from '../../errors.ts'

const DAY_MS = 86_400_000

/** In the place of a permission, for requests that need none. */
export const NO_PERMISSION = 'none'

/** What an installation did with one permission on one day. */
export type UsageCount = {
  installationId: string
  /** Days since 1970, in UTC. */
  day: number
  permission: string
  /** Refused ones included. */
  requests: number
  records: number
  refusals: Partial<Record<ErrorCode, number>>
  /** When a request was let through last; null without one. */
  usedAtMs: number | null
}

type OneDay = { day: number; byPermission: Map<string | null, UsageCount> }

/** The counts of a process that are not written yet. */
export type HeldUsage = {
  /**
   * Counts one request: a look-up by the installation, and one by the permission.
   *
   * @param permission that it made use of, if any
   * @param records that it was answered with, or has written
   * @param refusal with which code it was refused, if it was
   * @param atMs when it came, in milliseconds since 1970
   */
  add(
    installationId: string,
    permission: string | null,
    records: number,
    refusal: ErrorCode | null,
    atMs: number,
  ): void
  /** All counts, in the order of their keys; they are not held any more. */
  take(): UsageCount[]
  /** Takes counts back that could not be written. */
  giveBack(counts: readonly UsageCount[]): void
  /** How many counts it holds. */
  size(): number
}

/**
 * Holds counts in memory.
 *
 * @param heldMax counts; what comes beyond them is not counted
 */
export function createHeldUsage(heldMax: number): HeldUsage {
  let today = new Map<string, OneDay>()
  /** Of days that were over while they were held, and what could not be written. */
  let others = new Map<string, UsageCount>()
  let size = 0

  const setAside = (count: UsageCount) => {
    const key = keyOf(count)
    const known = others.get(key)
    if (known === undefined) others.set(key, count)
    else {
      addTo(known, count)
      size -= 1
    }
  }
  const setAsideAll = ({ byPermission }: OneDay) => {
    for (const count of byPermission.values()) setAside(count)
  }
  const beginDay = (installationId: string, day: number, former: OneDay | undefined) => {
    if (former !== undefined) setAsideAll(former)
    const begun: OneDay = { day, byPermission: new Map() }
    today.set(installationId, begun)
    return begun
  }
  const beginCount = (installationId: string, permission: string | null, atMs: number) => {
    if (size >= heldMax) return undefined
    const day = Math.floor(atMs / DAY_MS)
    const known = today.get(installationId)
    const { byPermission } = known?.day === day ? known : beginDay(installationId, day, known)
    const begun: UsageCount = {
      installationId,
      day,
      permission: permission ?? NO_PERMISSION,
      requests: 0,
      records: 0,
      refusals: {},
      usedAtMs: null,
    }
    byPermission.set(permission, begun)
    size += 1
    return begun
  }
  return {
    add(installationId, permission, records, refusal, atMs) {
      const ofDay = today.get(installationId)
      const isToday = ofDay !== undefined && ofDay.day === Math.floor(atMs / DAY_MS)
      const known = isToday ? ofDay.byPermission.get(permission) : undefined
      const count = known ?? beginCount(installationId, permission, atMs)
      if (count === undefined) return
      count.requests += 1
      count.records += records
      if (refusal === null) count.usedAtMs = atMs
      else count.refusals[refusal] = (count.refusals[refusal] ?? 0) + 1
    },
    take() {
      for (const ofDay of today.values()) setAsideAll(ofDay)
      const counts = [...others.entries()].sort(([a], [b]) => (a < b ? -1 : 1))
      today = new Map()
      others = new Map()
      size = 0
      return counts.map(([, count]) => count)
    },
    giveBack(counts) {
      for (const count of counts) {
        if (size >= heldMax) return
        size += 1
        setAside(count)
      }
    },
    size: () => size,
  }
}

function keyOf({ installationId, day, permission }: UsageCount): string {
  return `${installationId} ${day} ${permission}`
}

function addTo(sum: UsageCount, { requests, records, refusals, usedAtMs }: UsageCount): void {
  sum.requests += requests
  sum.records += records
  for (const [code, count] of Object.entries(refusals) as [ErrorCode, number][]) {
    sum.refusals[code] = (sum.refusals[code] ?? 0) + count
  }
  if (usedAtMs !== null) sum.usedAtMs = Math.max(sum.usedAtMs ?? 0, usedAtMs)
}
