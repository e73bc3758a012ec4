import { z } from 'zod'
import { describeIssue } from '../../base/values/field-errors.ts'
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

type Branch = z.ZodObject

/**
 * A union of objects that a member tells apart. Where that member has an unknown value, the others
 * are checked all the same, so that one answer names everything: with the schemas that the objects
 * share, and those of some objects where they are given.
 *
 * @param check of several members together; they may have any type
 */
export function wholeUnion<const Branches extends readonly [Branch, ...Branch[]]>(
  discriminator: string,
  branches: Branches,
  check?: (value: object, ctx: z.core.$RefinementCtx) => void,
) {
  const known = new Set(branches.map(({ shape }) => literalOf(shape[discriminator])))
  const anyBranch = z.strictObject(membersOfAny(discriminator, branches))
  return z.discriminatedUnion(discriminator, branches).superRefine((value, ctx) => {
    if (Array.isArray(value) || known.has(Reflect.get(value, discriminator))) return
    const parsed = anyBranch.safeParse(value, { error: describeIssue, reportInput: true })
    for (const issue of parsed.error?.issues ?? []) {
      ctx.addIssue({ ...issue } as Parameters<typeof ctx.addIssue>[0])
    }
    check?.(value, ctx)
  }, EVEN_IF_INVALID)
}

function literalOf(schema: unknown): unknown {
  return schema instanceof z.ZodLiteral ? schema.value : undefined
}

function membersOfAny(discriminator: string, branches: readonly Branch[]) {
  const names = new Set(branches.flatMap(({ shape }) => Object.keys(shape)))
  const members = [...names].map((name): [string, z.ZodType] => {
    if (name === discriminator) return [name, z.unknown().optional()]
    const own = branches.flatMap(({ shape }) => (Object.hasOwn(shape, name) ? [shape[name]] : []))
    const [first] = own as [z.ZodType]
    return [name, own.length === branches.length ? first : first.optional()]
  })
  return Object.fromEntries(members)
}
