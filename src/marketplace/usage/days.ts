const DAY_MS = 86_400_000

/** `2026-11-22`, of days since 1970 in UTC. */
export function dayText(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10)
}

/** Days since 1970 of `2026-11-22`. */
export function dayOf(text: string): number {
  return Date.parse(text) / DAY_MS
}

/** The day of a moment, in UTC. */
export function dayAt(moment: Date): number {
  return Math.floor(moment.getTime() / DAY_MS)
}
