import type { Change } from './change-kinds.ts'

const KEPT_MAX = 100
const TEXT_MAX_LENGTH = 200

/**
 * The changes between two definitions as an entry of the audit trail keeps them: breaking ones
 * first, at most 100 with short texts. `changeCount` is the number of all when there are more.
 */
export function auditedChanges(changes: readonly Change[]): {
  changes: Change[]
  changeCount?: number
} {
  const kept = changes
    .toSorted((a, b) => Number(b.breaking) - Number(a.breaking))
    .slice(0, KEPT_MAX)
    .map((one) => ({ ...one, pointer: short(one.pointer), detail: short(one.detail) }))
  return { changes: kept, ...(changes.length > KEPT_MAX && { changeCount: changes.length }) }
}

/** Never a half of a character, which Postgres refuses. */
function short(text: string): string {
  if (text.length <= TEXT_MAX_LENGTH) return text
  return `${[...text].slice(0, TEXT_MAX_LENGTH - 1).join('')}…`
}
