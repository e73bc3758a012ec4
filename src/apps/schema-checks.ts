import type { z } from 'zod'
import { answerUrlProblem, authReturnUrlProblem } from './auth-return-url.ts'
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

/** Every key of the settings configuration must be one of the app's purchase options. */
export function checkProfiles(
  definition: { purchaseOptions: unknown; settings: unknown },
  ctx: z.core.$RefinementCtx,
): void {
  const { purchaseOptions: options, settings } = definition
  if (!Array.isArray(options) || typeof settings !== 'object' || settings === null) return
  const ids = new Set(options.map((option: { id?: unknown } | null) => option?.id))
  for (const key of Object.keys(settings)) {
    if (ids.has(key)) continue
    ctx.addIssue({
      code: 'custom',
      path: ['settings', key],
      message: 'is not the id of a purchase option of this app',
    })
  }
}

/** Where codes and errors come back, the address leaves their parameters free. */
export function checkReturnUrl(
  {
    authReturnUrl,
    tokenDelivery,
    redirectErrors,
  }: { authReturnUrl: unknown; tokenDelivery: unknown; redirectErrors: unknown },
  ctx: z.core.$RefinementCtx,
): void {
  const isPlain = tokenDelivery !== 'code' && redirectErrors !== 'return'
  // What no return address may be was told already.
  if (isPlain || typeof authReturnUrl !== 'string') return
  if (authReturnUrlProblem(authReturnUrl) !== null) return
  const problem = answerUrlProblem(authReturnUrl)
  if (problem === null) return
  ctx.addIssue({ code: 'custom', path: ['authReturnUrl'], message: problem })
}
