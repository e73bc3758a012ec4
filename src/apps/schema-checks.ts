import type { z } from 'zod'
import { plainDecimal } from './pricing/decimals.ts'

/**
 * Reports every entry whose key repeats an earlier one. `path` leads from the entry to the key. A
 * number counts as its text. Entries that are malformed in other ways have errors of their own.
 */
export function reportDuplicates(
  ctx: { addIssue(issue: { code: 'custom'; path: PropertyKey[]; message: string }): void },
  entries: unknown,
  path: readonly string[],
  describe: (key: string) => string,
): void {
  if (!Array.isArray(entries)) return
  const seen = new Set<string>()
  entries.forEach((entry: unknown, index) => {
    let key: unknown = entry
    for (const part of path) {
      key = typeof key === 'object' && key !== null ? Reflect.get(key, part) : undefined
    }
    if (Number.isFinite(key)) key = plainDecimal(key as number)
    if (typeof key !== 'string') return
    if (seen.has(key)) {
      ctx.addIssue({ code: 'custom', path: [index, ...path], message: describe(key) })
    }
    seen.add(key)
  })
}

/**
 * Parameters of a cross-field check that must run even when a field is wrong, so that one answer
 * names everything. The check sees an object or array whose fields may have any type.
 */
export const EVEN_IF_INVALID: z.core.$ZodSuperRefineParams = {
  when: ({ value }) => typeof value === 'object' && value !== null,
}
